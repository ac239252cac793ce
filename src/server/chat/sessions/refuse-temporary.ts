import { AppError } from '#shared/platform/errors.ts'
import { findAllowed, type Person } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'

/** Refuses what would outlive a temporary chat. @throws AppError `conflict` for a temporary chat */
export async function refuseTemporary(db: Database, user: Person, sessionId: string): Promise<void> {
  const { origin } = await findAllowed(db, user, 'read session', sessionId)
  if (origin === 'temporary')
    throw new AppError('conflict', 'A temporary chat stores nothing. Keep the chat first.')
}
