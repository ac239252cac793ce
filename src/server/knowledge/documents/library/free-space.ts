import { statfsSync } from 'node:fs'
import { AppError } from '#shared/platform/errors.ts'
import type { Config } from '../../../platform/config/config.ts'
import { MEGABYTE } from '../../../platform/limits.ts'

type Settings = Pick<Config, 'dataDir' | 'ATRIUM_MIN_FREE_MB' | 'S3_BUCKET'>

/**
 * Refuses bytes that would fill the disk, so that chats and the database can still write.
 * @throws AppError `storage_full`
 */
export function assertFreeSpace(config: Settings, bytes = 0): void {
  if (bytes > roomLeft(config)) throw nearlyFull()
}

/** Returns the bytes that may still be stored; negative when the disk is nearly full, infinite when it is not limited. */
export function roomLeft({ dataDir, ATRIUM_MIN_FREE_MB, S3_BUCKET }: Settings): number {
  if (S3_BUCKET || ATRIUM_MIN_FREE_MB === 0) return Number.POSITIVE_INFINITY
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize - ATRIUM_MIN_FREE_MB * MEGABYTE
}

export function nearlyFull(): AppError {
  return new AppError('storage_full', 'The storage is nearly full. Free some space and try again.')
}
