import type { User } from '#shared/identity/accounts/accounts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { changeProfile, type ProfileChange } from '../store.ts'
import { readUser } from '../user-store.ts'

/**
 * Updates the given fields of profile and preferences and returns the user. Preferences are merged by key, so that two
 * screens saving different keys keep both.
 * @throws AppError `too_large` when the preferences would exceed 64 KB
 */
export async function updateProfile(deps: Platform, userId: string, change: ProfileChange): Promise<User> {
  const isChanged = await changeProfile(deps, userId, change)
  if (!isChanged) throw new AppError('too_large', 'The preferences may have 64 KB at most.')
  return readUser(deps, userId)
}
