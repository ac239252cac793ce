import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ManagedUser, Membership } from '#shared/identity/administration/administration.ts'
import { updateManagedUser } from '#shared/identity/administration/administration.ts'
import { deactivateUser } from '#shared/identity/administration/helping.ts'
import { topUp } from '#shared/money/billing/billing.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { readAgain } from '../use-managed.ts'
import { setInGroup } from './use-person.ts'

/** One change for several people. */
export type BulkChange =
  | { kind: 'role'; membership: Membership }
  | { kind: 'group'; groupId: string }
  | { kind: 'top_up'; amount: number }
  | { kind: 'deactivate' }

export type BulkResult = { done: number; failed: { name: string; reason: string }[] }

/** Changes people one after the other. A refusal for one person does not stop the rest. `done` counts those tried so far. */
export function useBulk() {
  const { t } = useTranslation('admin')
  const [tried, setTried] = useState(0)
  const running = useMutation({
    mutationFn: async ({ people, change }: { people: ManagedUser[]; change: BulkChange }) => {
      const result: BulkResult = { done: 0, failed: [] }
      for (const [n, user] of people.entries()) {
        setTried(n)
        try {
          await changeOne(user, change)
          result.done += 1
        } catch (error) {
          const name = user.full_name?.trim() || user.username
          result.failed.push({ name, reason: errorText(t, error) })
        }
      }
      return result
    },
    onSettled: readAgain,
  })
  return { tried, ...running }
}

function changeOne(user: ManagedUser, change: BulkChange): Promise<unknown> {
  const params = { userId: user.id }
  switch (change.kind) {
    case 'role':
      return call(updateManagedUser, { params, body: { membership: change.membership } })
    case 'group':
      return setInGroup(change.groupId, user.id, true)
    case 'top_up':
      return call(topUp, { params, body: { amount: change.amount } })
    case 'deactivate':
      return call(deactivateUser, { params })
    default:
      return change satisfies never
  }
}
