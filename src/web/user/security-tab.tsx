import { useQuery } from '@tanstack/react-query'
import { listSignOnConnections } from '#shared/accounts/accounts.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { PasswordForm } from './password-form.tsx'
import { Setting } from './setting.tsx'
import { SignOnConnections } from './sign-on-connections.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

/** The password, the devices, and the services that sign the person in. */
export function SecurityTab() {
  const { t } = useTranslation('common')
  const connections = useQuery({
    queryKey: ['sign-on-connections'],
    queryFn: ({ signal }) => call(listSignOnConnections, { signal }),
  })
  const hasPassword = connections.data?.has_password ?? true
  return (
    <>
      <Setting
        title={t('user.password.title')}
        reason={t(hasPassword ? 'user.password.reason' : 'user.password.none')}
      >
        <PasswordForm hasPassword={hasPassword} onChanged={() => void connections.refetch()} />
      </Setting>
      <Setting title={t('user.devices.title')} reason={t('user.devices.reason')}>
        <SignOutEverywhere />
      </Setting>
      <Setting title={t('user.connections.title')} reason={t('user.connections.reason')}>
        {connections.isPending && (
          <Delayed>
            <Skeleton className="h-14 rounded-card" />
          </Delayed>
        )}
        {connections.isError && (
          <Callout
            tone="danger"
            title={t('user.connections.failed')}
            action={
              <Button size="sm" onClick={() => void connections.refetch()}>
                {t('user.retry')}
              </Button>
            }
          >
            {errorText(t, connections.error)}
          </Callout>
        )}
        {connections.data && (
          <SignOnConnections {...connections.data} onChanged={() => void connections.refetch()} />
        )}
      </Setting>
    </>
  )
}
