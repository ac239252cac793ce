import { type Kysely, sql } from 'kysely'
import { isPresent } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Counts = Record<'total' | 'queued' | 'in_progress' | 'failed' | 'starred' | 'from_chats', number>

/** Counts a user's top-level documents: in total, queued, in progress, failed, starred and from chats. */
export async function countByStatus(db: Kysely<Tables>, userId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*)::int as total, count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'in_progress')::int as in_progress,
      count(*) filter (where status = 'failed')::int as failed, count(*) filter (where is_starred)::int as starred,
      count(*) filter (where exists (select from session_documents s where s.document_id = documents.id))::int as from_chats
    from documents where user_id = ${userId} and connector_id is null and parent_id is null and ${isPresent('document', 'documents')}`.execute(
    db,
  )
  return rows[0]!
}

/** Returns the languages of a user's documents, the most frequent first. */
export async function listLanguages(db: Kysely<Tables>, userId: string): Promise<string[]> {
  const { rows } = await sql<{ language: string }>`
    select language from documents where user_id = ${userId} and connector_id is null and language is not null and ${isPresent('document', 'documents')}
    group by language order by count(*) desc, language limit 50`.execute(db)
  return rows.map(({ language }) => language)
}
