import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { listSignIns, listSignOnConnections } from '#shared/identity/accounts/own-account.ts'
import { getSecondFactors } from '#shared/identity/accounts/second-factor.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { loadTexts, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { DeviceList } from './device-list.tsx'
import { PasswordForm } from './password-form.tsx'
import { PasskeySetting } from './second-step/passkey-setting.tsx'
import { TwoStepSetting } from './second-step/two-step-setting.tsx'
import { Setting } from './setting.tsx'
import { SignOnConnections } from './sign-on-connections.tsx'

const OwnAccesses = lazy(async () => {
  const [file] = await Promise.all([
    import('../../chat/chat-access/chat-access.tsx'),
    loadTexts('chat_access'),
  ])
  return { default: file.OwnAccesses }
})

/** The password, the devices, and the sign-on services of the person. */
export function SecurityTab() {
  const { t } = useTranslation('common')
  const connections = useQuery({
    queryKey: ['sign-on-connections'],
    queryFn: ({ signal }) => call(listSignOnConnections, { signal }),
  })
  const signIns = useQuery({
    queryKey: ['sign-ins'],
    queryFn: ({ signal }) => call(listSignIns, { signal }),
  })
  const factors = useQuery({
    queryKey: ['second-factors'],
    queryFn: ({ signal }) => call(getSecondFactors, { signal }),
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
      <Setting title={t('user.two_step.title')} reason={t('user.two_step.reason')}>
        <Loaded query={factors} failed={t('user.two_step.load_failed')}>
          {(data) => <TwoStepSetting factors={data} onChanged={() => void factors.refetch()} />}
        </Loaded>
      </Setting>
      <Setting title={t('user.passkeys.title')} reason={t('user.passkeys.reason')}>
        <PasskeySetting />
      </Setting>
      <Setting title={t('user.devices.title')} reason={t('user.devices.reason')}>
        <Loaded query={signIns} failed={t('user.devices.load_failed')}>
          {({ items }) => <DeviceList items={items} onChanged={() => void signIns.refetch()} />}
        </Loaded>
      </Setting>
      <Setting title={t('user.accesses.title')} reason={t('user.accesses.reason')}>
        <Suspense fallback={<Skeleton className="h-12" />}>
          <OwnAccesses />
        </Suspense>
      </Setting>
      <Setting title={t('user.connections.title')} reason={t('user.connections.reason')}>
        <Loaded query={connections} failed={t('user.connections.failed')}>
          {(data) => <SignOnConnections {...data} onChanged={() => void connections.refetch()} />}
        </Loaded>
      </Setting>
    </>
  )
}

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'isPending' | 'error' | 'refetch'>
  failed: string
  children: (data: Data) => ReactNode
}

/** Renders the data of a query, or its error with a retry button. */
function Loaded<Data>({ query, failed, children }: LoadedProps<Data>) {
  const { t } = useTranslation('common')
  if (query.data) return children(query.data)
  if (query.isPending)
    return (
      <Delayed>
        <Skeleton className="h-14 rounded-card" />
      </Delayed>
    )
  return (
    <Callout
      tone="danger"
      title={failed}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          {t('user.retry')}
        </Button>
      }
    >
      {errorText(t, query.error)}
    </Callout>
  )
}
