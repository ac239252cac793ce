import type { Platform } from '../../platform/platform.ts'
import { type Found, found } from './found.ts'
import { findLastBackup } from './store.ts'

/** Days after which a backup counts as old. */
const OLD_DAYS = 8

/** Checks that `npm run backup` has finished within the last days. */
export async function checkBackup({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<Found> {
  const last = await findLastBackup(db)
  if (!last) return found('backup_never')
  const days = Math.floor((clock.now().getTime() - last.finished_at.getTime()) / 86_400_000)
  const facts = { days, files: last.files, rows: last.rows }
  return found(days < OLD_DAYS ? 'backup_made' : 'backup_old', facts)
}
