import { type Kysely, sql } from 'kysely'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignClass, ForeignSource } from '../readers/foreign.ts'

type Db = Kysely<Tables>

const tableOf = { document: 'documents', project: 'workspaces' } as const
type Thing = { kind: keyof typeof tableOf; id: string; userId: string }

/** Gives an imported thing the class that the archive names, unless its own is stricter: anyone can change an archive. */
export async function takeClass(trx: Db, { kind, id, userId }: Thing, given: ForeignClass): Promise<void> {
  await sql`
    update ${sql.table(tableOf[kind])} set class_id = stricter_class(class_id, class_named(${userId}::uuid, ${given.id}::uuid, ${given.name}))
    where id = ${id}`.execute(trx)
}

/** Stores whose text is in an imported chat, with the classes that the archive names. */
export async function insertChatSources(
  trx: Db,
  { sessionId, userId }: { sessionId: string; userId: string },
  sources: readonly ForeignSource[],
): Promise<void> {
  if (sources.length === 0) return
  await sql`
    insert into session_sources (session_id, kind, source_id, class_id)
    select distinct on (kind, id) ${sessionId}::uuid, kind, id, class_named(${userId}::uuid, class_id, class)
    from jsonb_to_recordset(${toJson(sources)}::jsonb) as one (kind text, id uuid, class_id uuid, class text)
    order by kind, id on conflict do nothing`.execute(trx)
}
