import { type Kysely, sql } from 'kysely'
import type { Principal } from '../../../platform/access/access.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { sourcesOf } from './narrow-store.ts'

type Counts = Record<'total' | 'queued' | 'in_progress' | 'failed' | 'starred' | 'from_chats', number>

/** Counts the top-level documents that a principal may read, as the list shows them. */
export async function countByStatus(db: Kysely<Tables>, principal: Principal): Promise<Counts> {
  const counts = sourcesOf(principal, {}, {}).map(
    (meant) => sql`
      select count(*) as total, count(*) filter (where status = 'queued') as queued,
        count(*) filter (where status = 'in_progress') as in_progress,
        count(*) filter (where status = 'failed') as failed, count(*) filter (where is_starred) as starred,
        count(*) filter (where exists (select from session_documents s where s.document_id = d.id)) as from_chats
      from documents d where ${meant}`,
  )
  const { rows } = await sql<Counts>`
    select sum(total)::int as total, sum(queued)::int as queued, sum(in_progress)::int as in_progress,
      sum(failed)::int as failed, sum(starred)::int as starred, sum(from_chats)::int as from_chats
    from (${sql.join(counts, sql` union all `)}) of_each`.execute(db)
  return rows[0]!
}

/** Returns the languages of the documents that a principal may read, the most frequent first. */
export async function listLanguages(db: Kysely<Tables>, principal: Principal): Promise<string[]> {
  const counts = sourcesOf(principal, {}, {}).map(
    (meant) => sql`
      select language, count(*) as count from documents d where ${meant} and language is not null group by language`,
  )
  const { rows } = await sql<{ language: string }>`
    select language from (${sql.join(counts, sql` union all `)}) of_each
    group by language order by sum(count) desc, language limit 50`.execute(db)
  return rows.map(({ language }) => language)
}
