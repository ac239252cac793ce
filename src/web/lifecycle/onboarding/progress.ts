import { type User, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import type { TourKey } from './tours/tours.ts'

/** Completed parts of the onboarding, stored in the preferences under `onboarding`. */
export type Progress = Partial<Record<'welcome' | TourKey, { completed: boolean }>>

/** Returns a user's progress. Invalid preferences count as no progress. */
export function progressOf(user: User): Progress {
  const kept = user.preferences.onboarding
  return typeof kept === 'object' && kept !== null ? (kept as Progress) : {}
}

/** Returns whether a user has completed the welcome or a tour. */
export function isCompleted(user: User, key: keyof Progress): boolean {
  return progressOf(user)[key]?.completed === true
}

/** Stores the welcome or a tour as completed and updates the cache immediately. If offline, it will be shown again. */
export async function storeCompleted(key: keyof Progress): Promise<void> {
  const { queryKey } = meQuery
  await queryClient.cancelQueries({ queryKey })
  const me = queryClient.getQueryData<User>(queryKey)
  if (!me || isCompleted(me, key)) return
  const onboarding = { ...progressOf(me), [key]: { completed: true } }
  queryClient.setQueryData(queryKey, { ...me, preferences: { ...me.preferences, onboarding } })
  await call(updatePreferences, { body: { preferences: { onboarding } } })
    .then((saved) => queryClient.setQueryData(queryKey, saved))
    .catch(() => undefined)
}
