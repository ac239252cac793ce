import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { MEGABYTE } from '../../platform/limits.ts'
import { lockStorage, readStorage } from './store.ts'

export { bytesOfRun, grownBy } from './store.ts'

type Deps = { db: Kysely<Tables>; config: Pick<Config, 'ATRIUM_LIMIT_STORAGE_MB'> }

/**
 * Refuses to store so many more bytes for a person when their storage has no room for them. What a run writes is
 * never refused: the next message is. @throws AppError `quota_exceeded`
 */
export async function assertStorage({ db, config }: Deps, userId: string, bytes = 1): Promise<void> {
  const limit = config.ATRIUM_LIMIT_STORAGE_MB * MEGABYTE
  if (limit === 0 || (await readStorage(db, userId)) + bytes <= limit) return
  const megabytes = config.ATRIUM_LIMIT_STORAGE_MB
  const size = megabytes < 1024 ? `${megabytes} MB` : `${Number((megabytes / 1024).toFixed(1))} GB`
  throw new AppError(
    'quota_exceeded',
    `Your storage of ${size} is full. Delete chats or files you no longer need.`,
  )
}

/** Bytes a person keeps, and how many they may; null without a limit. */
export async function readStorageOf({ db, config }: Deps, userId: string) {
  const limit = config.ATRIUM_LIMIT_STORAGE_MB * MEGABYTE
  return { used: await readStorage(db, userId), limit: limit === 0 ? null : limit }
}

/**
 * The same for what this transaction stores: until its end nobody else stores for this person, so that they cannot
 * all fit in the same room. Sessions are locked before it. @throws AppError `quota_exceeded`
 */
export async function takeStorage(deps: Deps, userId: string, bytes: number): Promise<void> {
  if (deps.config.ATRIUM_LIMIT_STORAGE_MB === 0) return
  await lockStorage(deps.db, userId)
  await assertStorage(deps, userId, bytes)
}
