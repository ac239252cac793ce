import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import { lockStorage, readGrantedStorage, readStorage } from './store.ts'

export { bytesOfRun, grownBy } from './store.ts'

type Deps = { db: Kysely<Tables>; config: Pick<Config, 'ATRIUM_LIMIT_STORAGE_MB'> }

/**
 * Refuses to store more bytes for a user over their quota: that of their companies, else of the installation. Output of a run is never
 * refused; the next message is. @throws AppError `quota_exceeded`
 */
export async function assertStorage(deps: Deps, userId: string, bytes = 1): Promise<void> {
  const megabytes = await quotaOf(deps, userId)
  if (megabytes === 0 || (await readStorage(deps.db, userId)) + bytes <= megabytes * MEGABYTE) return
  const size = megabytes < 1024 ? `${megabytes} MB` : `${Number((megabytes / 1024).toFixed(1))} GB`
  throw new AppError(
    'quota_exceeded',
    `Your storage of ${size} is full. Delete chats or files you no longer need, and empty the trash.`,
  )
}

/** Returns a user's stored bytes and quota; null for no limit. */
export async function readStorageOf(deps: Deps, userId: string) {
  const limit = (await quotaOf(deps, userId)) * MEGABYTE
  return { used: await readStorage(deps.db, userId), limit: limit === 0 ? null : limit }
}

/**
 * Checks the quota for what this transaction stores, and locks the user's storage until its end, so that concurrent
 * writes cannot each use the same room. Lock sessions first. @throws AppError `quota_exceeded`
 */
export async function takeStorage(deps: Deps, userId: string, bytes: number): Promise<void> {
  if ((await quotaOf(deps, userId)) === 0) return
  await lockStorage(deps.db, userId)
  await assertStorage(deps, userId, bytes)
}

/** Returns a user's quota in megabytes; 0 for no limit. */
async function quotaOf({ db, config }: Deps, userId: string): Promise<number> {
  return (await readGrantedStorage(db, userId)) ?? config.ATRIUM_LIMIT_STORAGE_MB
}
