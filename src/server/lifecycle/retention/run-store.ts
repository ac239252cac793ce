import { type Kysely, type Selectable, sql } from 'kysely'
import type { RetainedKind, RetentionCount } from '#shared/lifecycle/retention/retention.ts'
import { administeredBy, type Person, reaches } from '../../platform/access/access.ts'
import type { RetentionStep } from '../../platform/db/export-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Taken } from './take-store.ts'

type Db = Kysely<Tables>
export type Run = Selectable<Tables['retention_runs']>

/** Starts a retention run, unless one is active. */
export async function beginRun(db: Db, began_at: Date): Promise<void> {
  await sql`insert into retention_runs (began_at) values (${began_at}) on conflict do nothing`.execute(db)
}

export async function findUnfinished(db: Db): Promise<Run | undefined> {
  return db.selectFrom('retention_runs').selectAll().where('finished_at', 'is', null).executeTakeFirst()
}

export async function noteRun(db: Db, id: string, facts: Partial<Omit<Run, 'id'>>): Promise<void> {
  await db.updateTable('retention_runs').set(facts).where('id', '=', id).execute()
}

/** Stores the counts for a company and the files to delete, in the transaction that deletes. */
export async function noteTaken(
  trx: Db,
  run_id: string,
  { kind, companyId }: { kind: RetainedKind; companyId: string | null },
  { items, files }: Taken,
): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  await sql`
    insert into retention_counts as kept (run_id, kind, company_id, company, items, files, file_bytes)
    values (${run_id}, ${kind}, ${companyId}, (select name from companies where id = ${companyId}), ${items}, ${files.length}, ${bytes})
    on conflict (run_id, kind, company_id) do update set items = kept.items + excluded.items,
      files = kept.files + excluded.files, file_bytes = kept.file_bytes + excluded.file_bytes`.execute(trx)
  await sql`insert into retention_files (run_id, file_key)
    select ${run_id}, key from unnest(${files.map(({ file_key }) => file_key)}::text[]) key on conflict do nothing`.execute(
    trx,
  )
}

/** Returns whether a run deleted anything of this kind. */
export async function tookAny(db: Db, run_id: string, kind: RetainedKind): Promise<boolean> {
  const { rows } = await sql`
    select from retention_counts where run_id = ${run_id} and kind = ${kind} and items > 0 limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function nextFiles(db: Db, run_id: string): Promise<string[]> {
  const query = db.selectFrom('retention_files').select('file_key').where('run_id', '=', run_id)
  return (await query.orderBy('file_key').limit(200).execute()).map(({ file_key }) => file_key)
}

export async function forgetFiles(db: Db, run_id: string, keys: string[]): Promise<void> {
  const query = db.deleteFrom('retention_files').where('run_id', '=', run_id)
  await query.where('file_key', 'in', keys).execute()
}

export async function deleteOldRuns(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('retention_runs').where('finished_at', '<', before).execute()
}

type Listed = {
  id: string
  step: RetentionStep
  began_at: Date
  finished_at: Date | null
  failed_at: Date | null
  counts: RetentionCount[]
  total: number
}

/** Returns a page of runs, newest first, with counts for the administered companies. */
export async function listRuns(
  db: Db,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
): Promise<Listed[]> {
  const seen = reaches(person, 'super_admin')
    ? sql`true`
    : sql`c.company_id = any(${administeredBy(person)}::uuid[])`
  const { rows } = await sql<Listed>`
    select r.id, r.step, r.began_at, r.finished_at, r.failed_at, count(*) over ()::int as total, coalesce((
      select json_agg(json_build_object('kind', shown.kind, 'company', shown.company, 'items', shown.items,
        'files', shown.files, 'file_bytes', shown.file_bytes))
      from (select * from retention_counts c where c.run_id = r.id and ${seen}
        order by c.items desc, c.kind, c.company limit 1000) shown), '[]') as counts
    from retention_runs r order by r.began_at desc, r.id limit ${limit} offset ${skip}`.execute(db)
  return rows
}
