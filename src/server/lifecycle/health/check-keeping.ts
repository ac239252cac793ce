import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { MEGABYTE } from '../../platform/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Found, found, reasonOf } from './found.ts'

/** Checks that the mail server accepts mail, or the outbox folder is writable. */
export async function checkMail({ mail }: Pick<Platform, 'mail'>): Promise<Found> {
  const trouble = await mail.check().then(
    () => null,
    (error) => reasonOf(error),
  )
  const host = await mail.host()
  if (host === null)
    return trouble === null ? found('mail_outbox') : found('outbox_unwritable', { error: trouble })
  return trouble === null ? found('mail_taken', { host }) : found('mail_refused', { host, error: trouble })
}

/** Checks the file store by writing, reading and deleting a file. */
export async function checkStorage({ files, config }: Pick<Platform, 'files' | 'config'>): Promise<Found> {
  const key = `health/${randomUUID()}`
  const place = config.S3_BUCKET ?? ''
  try {
    await files.write(key, Readable.from([Buffer.from('kept')]))
    const size = await files.size(key)
    await files.remove(key)
    if (size === 4) return found('storage_kept', { place })
    return found('storage_fails', { place, error: `${size ?? 0} of 4 bytes` })
  } catch (error) {
    return found('storage_fails', { place, error: reasonOf(error) })
  }
}

/** Free space below which uploads will soon be refused. */
const LOW_MB = 2_000
const LOW_FACTOR = 2

/** Checks the data folder's disk. Uploads stop before it is full. */
export async function checkDisk({ config }: Pick<Platform, 'config'>): Promise<Found> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const [free, size] = [bavail * bsize, blocks * bsize]
  // With an external file store, documents do not fill the disk.
  const least = config.S3_BUCKET ? 0 : config.ATRIUM_MIN_FREE_MB * MEGABYTE
  const facts = { free_bytes: free, size_bytes: size, least_bytes: least }
  if (free <= least) return found('disk_full', facts)
  if (free < Math.max(LOW_FACTOR * least, least + LOW_MB * MEGABYTE)) return found('disk_low', facts)
  return found('disk_roomy', facts)
}
