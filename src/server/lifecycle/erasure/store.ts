import { type Kysely, type Selectable, sql } from 'kysely'
import type { ErasedCounts } from '#shared/lifecycle/erasure/erasure.ts'
import type { ErasureStep } from '../../platform/db/export-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type Erasure = Selectable<Tables['erasures']>

type NewErasure = Pick<
  Erasure,
  'user_id' | 'token_hash' | 'asked_by' | 'language' | 'email' | 'company_id' | 'requested_at'
>

export async function insertErasure(trx: Db, erasure: NewErasure, counts: ErasedCounts): Promise<string> {
  const { id } = await trx
    .insertInto('erasures')
    .values({ ...erasure, counts: JSON.stringify(counts) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findErasure(db: Db, id: string): Promise<Erasure | undefined> {
  return db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findByToken(db: Db, token_hash: Buffer): Promise<Erasure | undefined> {
  return db.selectFrom('erasures').selectAll().where('token_hash', '=', token_hash).executeTakeFirst()
}

/** Returns unfinished erasures, oldest first. */
export async function listUnfinished(db: Db): Promise<string[]> {
  const query = db.selectFrom('erasures').select('id').where('finished_at', 'is', null)
  const rows = await query.orderBy('requested_at').orderBy('id').limit(1_000).execute()
  return rows.map(({ id }) => id)
}

/** Adds the counts of a step in the transaction that deletes. */
export async function addCounts(trx: Db, id: string, more: ErasedCounts): Promise<void> {
  await sql`
    update erasures set counts = counts || coalesce((
      select jsonb_object_agg(key, value::bigint + coalesce((counts ->> key)::bigint, 0))
      from jsonb_each_text(${JSON.stringify(more)}::jsonb)), '{}')
    where id = ${id}`.execute(trx)
}

export async function noteStep(
  db: Db,
  id: string,
  step: ErasureStep,
  facts: { vectors_at?: Date } = {},
): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ step, ...facts })
    .where('id', '=', id)
    .execute()
}

/** Marks an erasure as finished and removes the reference to the user. */
export async function noteFinished(db: Db, id: string, finished_at: Date): Promise<void> {
  const facts = { step: 'done' as const, user_id: null, email: null, company_id: null, finished_at }
  await db.updateTable('erasures').set(facts).where('id', '=', id).execute()
}

export async function deleteOldReceipts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('erasures').where('finished_at', '<', before).execute()
}

export async function noteFiles(trx: Db, id: string, keys: string[]): Promise<void> {
  await sql`insert into erasure_files (erasure_id, file_key) select ${id}, key from unnest(${keys}::text[]) key
    on conflict do nothing`.execute(trx)
}

export async function listFiles(db: Db, id: string): Promise<string[]> {
  const query = db.selectFrom('erasure_files').select('file_key').where('erasure_id', '=', id)
  return (await query.orderBy('file_key').limit(200).execute()).map(({ file_key }) => file_key)
}

export async function forgetFiles(db: Db, id: string, keys: string[]): Promise<void> {
  await sql`delete from erasure_files where erasure_id = ${id} and file_key = any(${keys}::text[])`.execute(
    db,
  )
}
