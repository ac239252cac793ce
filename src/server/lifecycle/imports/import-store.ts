import { type Kysely, type Selectable, sql } from 'kysely'
import type {
  ImportedCounts,
  ImportPreview,
  ImportProblem,
  ImportState,
} from '#shared/lifecycle/imports/imports.ts'
import { toJson } from '../../platform/db/db.ts'
import type { ImportTables } from '../../platform/db/export-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ImportRow = Selectable<ImportTables['imports']>
export type ShownImport = ImportRow & { added: ImportedCounts; problems: number }

const counts = sql<ImportedCounts>`(
  select json_build_object('chats', count(*) filter (where kind = 'chat'), 'messages', count(*) filter (where kind = 'message'),
    'files', count(*) filter (where kind in ('file', 'media')), 'assistants', count(*) filter (where kind = 'assistant'),
    'prompts', count(*) filter (where kind = 'prompt'), 'facts', count(*) filter (where kind = 'fact'),
    'schedules', count(*) filter (where kind = 'schedule'), 'projects', count(*) filter (where kind = 'project'))
  from imported_things t where t.import_id = imports.id)`
const problems = sql<number>`(select count(*)::int from import_problems p where p.import_id = imports.id)`

/** Makes an import of a completed upload. */
export async function insertImport(
  trx: Db,
  row: Pick<ImportRow, 'user_id' | 'upload_id' | 'name' | 'size' | 'parts'>,
  now: Date,
): Promise<string> {
  const { id } = await trx
    .insertInto('imports')
    .values({ ...row, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  return (await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns an import with its counts; null when it is gone. */
export async function readImport(db: Db, id: string): Promise<ShownImport | null> {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .select([counts.as('added'), problems.as('problems')])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function listImportRows(
  db: Db,
  userId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<ShownImport[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .select([counts.as('added'), problems.as('problems')])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip)
    .execute()
}

/** Moves an import from one of the states to another. Returns false when it is in none of them. */
export async function moveImport(
  db: Db,
  id: string,
  { from, to, now }: { from: readonly ImportState[]; to: ImportState; now: Date },
  changes: { with_assistants?: boolean; done?: number; error?: string | null; kept?: number } = {},
): Promise<boolean> {
  const isOver = to === 'done' || to === 'undone'
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ ...changes, state: to, updated_at: now, finished_at: isOver ? now : null })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores how far an import is. Ignores one that is in another state by now. */
export async function noteDone(
  db: Db,
  id: string,
  { state, done, now }: { state: ImportState; done: number; now: Date },
): Promise<void> {
  await db
    .updateTable('imports')
    .set({ done, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()
}

/** Returns whether an import is still in this state, and locks it until the end of the transaction. */
export async function holdState(trx: Db, id: string, state: ImportState): Promise<boolean> {
  const row = await trx
    .selectFrom('imports')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', state)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

type Scanned = { format: ImportRow['format']; sources: string[]; total: number; preview: ImportPreview }

/** Stores the result of reading an export and its problems, all or nothing. */
export async function noteScanned(
  db: Db,
  id: string,
  { format, sources, total, preview }: Scanned,
  problems: readonly (ImportProblem & { place: number; number: number })[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('imports')
      .set({ format, sources, total, preview: toJson(preview), state: 'ready', done: 0, updated_at: now })
      .where('id', '=', id)
      .where('state', '=', 'reading')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await trx.deleteFrom('import_problems').where('import_id', '=', id).execute()
    for (let at = 0; at < problems.length; at += 1_000)
      await insertProblems(trx, id, problems.slice(at, at + 1_000))
  })
}

/** First place of the problems of writing, which follow those of reading in the list. */
export const AFTER_READING = 1_000_000_000

/** Adds problems; one that is listed already stays. */
export async function insertProblems(
  db: Db,
  import_id: string,
  problems: readonly (ImportProblem & { place: number; number: number })[],
): Promise<void> {
  if (problems.length === 0) return
  await sql`
    insert into import_problems (import_id, place, number, kind, title, reason)
    select ${import_id}, place, number, kind, title, reason
    from jsonb_to_recordset(${toJson(problems)}::jsonb) as problem (place int, number int, kind text, title text, reason text)
    on conflict do nothing`.execute(db)
}

export async function listProblems(
  db: Db,
  importId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: ImportProblem[]; total: number }> {
  const items = await db
    .selectFrom('import_problems')
    .select(['kind', 'title', 'reason'])
    .where('import_id', '=', importId)
    .orderBy('place')
    .orderBy('number')
    .limit(limit)
    .offset(skip)
    .execute()
  const { total } = await db
    .selectFrom('import_problems')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  return { items, total }
}

/** Forgets the parts of the file of an import that no job works on. Returns them, to remove from the file store. */
export async function dropParts(db: Db, id: string): Promise<Pick<ImportRow, 'upload_id' | 'parts'> | null> {
  const { rows } = await sql<Pick<ImportRow, 'upload_id' | 'parts'>>`
    update imports i set parts = '{}' from (
      select id, parts from imports where id = ${id} and state not in ('reading', 'importing', 'undoing') for update) old
    where i.id = old.id returning i.upload_id, old.parts`.execute(db)
  return rows[0] ?? null
}

/** Deletes an import that added nothing. Returns false when it added something or works. */
export async function deleteImport(trx: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from imports where id = ${id} and state not in ('importing', 'undoing')
      and not exists (select from imported_things t where t.import_id = ${id})`.execute(trx)
  return numAffectedRows === 1n
}

/** Returns the bytes of a person's stored import files, with those that are being uploaded. */
export async function countStoredBytes(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce((select sum(size) from imports where user_id = ${userId} and parts <> '{}'), 0)
      + coalesce((select sum(received) from uploads where user_id = ${userId} and is_import), 0))::bigint as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Returns whether a job works on an import of this person. Locks the person, so that two requests start one import. */
export async function hasBusy(trx: Db, userId: string): Promise<boolean> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx)
  const row = await trx
    .selectFrom('imports')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['reading', 'importing', 'undoing'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the ids of imports that a job should work on. */
export async function listBusy(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where('state', 'in', ['reading', 'importing', 'undoing'])
    .orderBy('created_at')
    .limit(1_000)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns imports with a file that nothing has used since `before`. */
export async function listIdle(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where('updated_at', '<', before)
    .where(sql<boolean>`parts <> '{}'`)
    .where('state', 'not in', ['reading', 'importing', 'undoing'])
    .orderBy('updated_at')
    .limit(1_000)
    .execute()
  return rows.map(({ id }) => id)
}
