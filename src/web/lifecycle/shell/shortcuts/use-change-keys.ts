import { useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { changeShortcut, resetShortcuts } from '#shared/identity/shortcuts/shortcuts.ts'
import { findConflict, refuseKeys, type ShortcutRefusal } from '#shared/platform/shortcut-rules.ts'
import { defaultKeys, type ShortcutAction, type ShortcutChanges } from '#shared/platform/shortcut-table.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { meQuery, refetchMe } from '../../../platform/lib/me/me.ts'

/** Why an action did not get the keys. */
export type KeyProblem =
  | { action: ShortcutAction; keys: string; reason: ShortcutRefusal | 'failed' }
  | { action: ShortcutAction; keys: string; reason: 'conflict'; other: ShortcutAction }

/** Changes and restores the keys of actions. */
export function useChangeKeys(changes: ShortcutChanges) {
  const [problem, setProblem] = useState<KeyProblem | null>(null)
  /** Returns whether the action has the keys now; null restores its default. */
  const change = async (action: ShortcutAction, wanted: string | null): Promise<boolean> => {
    const keys = wanted ?? defaultKeys[action]
    const found = findProblem(action, keys, changes)
    setProblem(found)
    if (found) return false
    try {
      keep((await call(changeShortcut, { body: { action, keys: wanted } })).shortcuts)
      return true
    } catch (error) {
      // Another browser gave the keys to another action meanwhile.
      if (isApiError(error, 409)) await refetchMe()
      const now = queryClient.getQueryData<User>(meQuery.queryKey)?.shortcuts ?? {}
      setProblem(findProblem(action, keys, now) ?? { action, keys, reason: 'failed' })
      return false
    }
  }
  return {
    problem,
    forget: () => setProblem(null),
    change,
    resetAll: async () => {
      setProblem(null)
      keep((await call(resetShortcuts)).shortcuts)
    },
  }
}

function findProblem(action: ShortcutAction, keys: string, changes: ShortcutChanges): KeyProblem | null {
  const reason = refuseKeys(action, keys)
  if (reason) return { action, keys, reason }
  const other = findConflict(action, keys, changes)
  return other && { action, keys, reason: 'conflict', other }
}

/** Shows the stored keys without waiting for the next read of the person. */
function keep(shortcuts: ShortcutChanges): void {
  queryClient.setQueryData<User>(meQuery.queryKey, (me) => me && { ...me, shortcuts })
}
