import type { Kysely, Selectable } from 'kysely'
import type {
  InstalledModel,
  ModelKind,
  ModelTrial,
} from '#shared/knowledge/installed-models/installed-models.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ModelRow = Selectable<Tables['installed_models']>
export type Named = { kind: ModelKind; name: string }

export async function listRows(db: Db): Promise<ModelRow[]> {
  return db.selectFrom('installed_models').selectAll().orderBy('kind').orderBy('name').limit(1_000).execute()
}

export async function findRow(db: Db, { kind, name }: Named): Promise<ModelRow | null> {
  const query = db.selectFrom('installed_models').selectAll().where('kind', '=', kind)
  return (await query.where('name', '=', name).executeTakeFirst()) ?? null
}

/** Stores that an installation starts. Returns false while one of the same name runs. */
export async function beginInstalling(
  db: Db,
  { kind, name }: Named,
  source: ModelRow['source'],
  now: Date,
): Promise<boolean> {
  const row = { source: toJson(source), state: 'installing' as const, changed_at: now }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installed_models')
    .values({ kind, name, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'name'])
        .doUpdateSet({ ...row, bytes: 0, of_bytes: null, problem: null, trial: null })
        .where('installed_models.state', '<>', 'installing'),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function noteBytes(
  db: Db,
  { kind, name }: Named,
  bytes: number,
  of_bytes: number | null,
): Promise<void> {
  const query = db.updateTable('installed_models').set({ bytes, of_bytes }).where('kind', '=', kind)
  await query.where('name', '=', name).where('state', '=', 'installing').execute()
}

/** Stores the result of an installation. */
export async function noteEnd(
  db: Db,
  { kind, name }: Named,
  state: Exclude<InstalledModel['state'], 'installing'>,
  { problem, trial }: { problem: string | null; trial: ModelTrial | null },
  now: Date,
): Promise<void> {
  await db
    .updateTable('installed_models')
    .set({ state, problem, trial: trial && toJson(trial), changed_at: now })
    .where('kind', '=', kind)
    .where('name', '=', name)
    .execute()
}

/** Stores the result of a test, also for a folder that was not installed through Atrium. */
export async function noteTrial(
  db: Db,
  { kind, name }: Named,
  { problem, trial }: { problem: string | null; trial: ModelTrial | null },
  now: Date,
): Promise<void> {
  const row = { problem, trial: trial && toJson(trial), changed_at: now }
  await db
    .insertInto('installed_models')
    .values({ kind, name, source: toJson({ folder: name }), state: 'ready', ...row })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(row))
    .execute()
}

export async function forget(db: Db, { kind, name }: Named): Promise<void> {
  await db.deleteFrom('installed_models').where('kind', '=', kind).where('name', '=', name).execute()
}
