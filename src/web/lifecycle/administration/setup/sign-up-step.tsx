import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getSignInOptions } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { RulesForm, signUpRules } from '../joining/sign-up-settings.tsx'
import { ReadFailed } from '../read-failed.tsx'
import type { StepProps } from './use-setup.ts'

/** Sets the sign-up policy, then shows what strangers will see. */
export function SignUpStep({ isDone, onDone }: StepProps) {
  const { t } = useTranslation('setup')
  const { data, error, isPending, refetch } = useQuery(signUpRules)
  const [isAsked, setAsked] = useState(false)
  const shown = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(getSignInOptions, { signal }),
    enabled: isAsked,
    staleTime: 0,
  })
  if (isPending) return <Skeletons className="grid gap-2" sizes={['h-12', 'h-12', 'h-12', 'h-12']} />
  if (error) return <ReadFailed error={error} onRetry={refetch} />
  const confirm = () => {
    if (isAsked) void shown.refetch()
    setAsked(true)
    onDone()
  }
  return (
    <div className="grid gap-4">
      <RulesForm key={JSON.stringify(data)} rules={data} isQuiet={isDone} onSaved={confirm} />
      {data.is_fixed && !isAsked && (
        <Button variant={isDone ? 'secondary' : 'primary'} className="justify-self-start" onClick={confirm}>
          {t('sign_up.check')}
        </Button>
      )}
      {shown.error && <ReadFailed error={shown.error} onRetry={shown.refetch} />}
      {shown.data && !shown.isFetching && (
        <Callout tone="success" title={t('sign_up.shown')}>
          {t(`sign_up.stranger.${shown.data.sign_up}`, { domains: data.domains.join(', ') })}
        </Callout>
      )}
    </div>
  )
}
