import type { Insertable, Kysely } from 'kysely'
import { sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { InputFile } from '#shared/runs/runs/request.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunDeps } from '../run-deps.ts'

/** Maximum unused answer files per user. */
const MAX_UNUSED = 100

/** @throws AppError `rate_limited` for somebody who stores and stores, and answers nothing */
export async function assertRoom(db: Kysely<Tables>, userId: string): Promise<void> {
  const { count } = await db
    .selectFrom('input_files')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('run_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_UNUSED)
    throw new AppError('rate_limited', 'There are many files that no answer uses. Try again tomorrow.')
}

/** Returns a file that the principal may read, or null. */
export async function findInputFile(
  db: Kysely<Tables>,
  principal: Principal,
  id: string,
): Promise<InputFile | null> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) return null
  const file = await db
    .selectFrom('input_files')
    .select(['id', 'name', 'media_type', 'size'])
    .where('id', '=', id)
    .where(may(principal, 'read file'))
    .executeTakeFirst()
  return file ?? null
}

/** Marks files as part of an answer. */
export async function keepFiles(trx: Kysely<Tables>, runId: string, files: InputFile[]): Promise<void> {
  if (files.length === 0) return
  const ids = files.map(({ id }) => id)
  await trx.updateTable('input_files').set({ run_id: runId }).where('id', 'in', ids).execute()
}

/** Removes files older than a day that no answer uses or whose run is deleted. */
export async function removeUnused({ db, files, clock }: RunDeps): Promise<void> {
  const before = new Date(clock.now().getTime() - 86_400_000)
  // An answer may use a file at the same time, so its row goes first.
  const { rows } = await sql<{ file_key: string }>`
    delete from input_files where run_id is null and id in (
      select id from input_files where run_id is null and created_at < ${before} order by created_at limit 1000)
    returning file_key`.execute(db)
  for (const { file_key } of rows) await files.remove(file_key)
}

export async function insertFile(
  trx: Kysely<Tables>,
  file: Insertable<Tables['input_files']>,
): Promise<void> {
  await trx.insertInto('input_files').values(file).execute()
}
