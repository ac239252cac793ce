import { type User, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import type { TourKey } from './tours/tours.ts'

/** What of the first steps a person has behind them, as their preferences keep it under `onboarding`. */
export type Progress = Partial<Record<'welcome' | TourKey, { completed: boolean }>>

/** How far a person is; whatever else stands in their preferences counts as nothing done. */
export function progressOf(user: User): Progress {
  const kept = user.preferences.onboarding
  return typeof kept === 'object' && kept !== null ? (kept as Progress) : {}
}

/** Whether the welcome, or a tour, is behind a person. */
export function isCompleted(user: User, key: keyof Progress): boolean {
  return progressOf(user)[key]?.completed === true
}

/** Stores that the welcome, or a tour, was finished or skipped; it shows at once. Without a connection it is shown again another day. */
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
