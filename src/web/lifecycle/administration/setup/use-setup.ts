import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type User, updatePreferences } from '#shared/identity/accounts/accounts.ts'
import { decideStep, getSetup, type SetupOutcome, type SetupStep } from '#shared/lifecycle/setup/setup.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { meQuery } from '../../../platform/lib/me/me.ts'
import { isSetupDue } from '../../../platform/lib/setup-due.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'

/** Setup steps in order. */
export const steps = ['model', 'mail', 'address', 'sign_up'] as const satisfies SetupStep[]

const setup = queryOptions({ queryKey: ['setup'], queryFn: ({ signal }) => call(getSetup, { signal }) })

/** Props of a step. `isDone` makes "continue" the primary action. */
export type StepProps = { isDone: boolean; onDone: () => void }

/** Returns the setup progress, with functions that mark a step as done or postponed. */
export function useSetup() {
  const { t } = useTranslation('setup')
  const progress = useQuery(setup)
  const deciding = useMutation({
    mutationFn: ({ step, outcome }: { step: SetupStep; outcome: SetupOutcome }) =>
      call(decideStep, { params: { step }, body: { outcome } }),
    onSuccess: (saved) => queryClient.setQueryData(setup.queryKey, saved),
    onError: (error) => toast.error(errorText(t, error)),
  })
  return { progress, decide: deciding.mutate }
}

/** Marks the setup as finished for the user and updates the cache immediately. */
export async function finishSetup(): Promise<void> {
  const { queryKey } = meQuery
  await queryClient.cancelQueries({ queryKey })
  const me = queryClient.getQueryData<User>(queryKey)
  if (!me || !isSetupDue(me)) return
  const onboarding = { ...(me.preferences.onboarding as object), setup: { completed: true } }
  queryClient.setQueryData(queryKey, { ...me, preferences: { ...me.preferences, onboarding } })
  await call(updatePreferences, { body: { preferences: { onboarding } } })
    .then((saved) => queryClient.setQueryData(queryKey, saved))
    .catch(() => undefined)
}
