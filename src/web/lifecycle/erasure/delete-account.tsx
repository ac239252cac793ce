import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countOwn, type ErasedCounts, eraseOwn } from '#shared/lifecycle/erasure/erasure.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { forgetKept } from '../../platform/lib/kept/kept.ts'
import { useMe } from '../../platform/lib/me/me.ts'
import { clearToken } from '../../platform/lib/me/token.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { CountsList } from './counts-list.tsx'

/** Deletes the user's own account and its browser data, after showing what will be deleted. */
export function DeleteAccount() {
  const { t } = useTranslation('erasure')
  const me = useMe()
  const [isAsked, setAsked] = useState(false)
  const counted = useQuery({
    queryKey: ['erasure'],
    queryFn: ({ signal }) => call(countOwn, { signal }),
    gcTime: 0,
    enabled: isAsked,
  })
  if (!me) return null
  if (!isAsked)
    return (
      <Button variant="danger-ghost" onClick={() => setAsked(true)}>
        {t('account.begin')}
      </Button>
    )
  return (
    <div className="grid max-w-[528px] gap-3.5">
      <p className="text-13 font-medium">{t('account.goes')}</p>
      <Counted {...counted} />
      <p className="text-13 text-ink-2">{t('account.others')}</p>
      {counted.data?.is_held && <Callout tone="warning">{t('common:errors.held')}</Callout>}
      <ConfirmForm
        of="account"
        email={me.email}
        shared={counted.data?.is_held ? undefined : counted.data?.shared}
        onConfirm={(body) => call(eraseOwn, { body })}
        onBegun={({ token }) => {
          forgetKept()
          clearToken()
          window.location.assign(`/receipt/${token}`)
        }}
        onCancel={() => setAsked(false)}
      />
    </div>
  )
}

type CountedProps = { data: { counts: ErasedCounts } | undefined; error: unknown; refetch: () => unknown }

function Counted({ data, error, refetch }: CountedProps) {
  const { t } = useTranslation('erasure')
  if (data) return <CountsList counts={data.counts} />
  if (error)
    return (
      <Callout
        tone="danger"
        title={t('account.count_failed')}
        action={
          <Button size="sm" onClick={() => void refetch()}>
            {t('account.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  return (
    <Delayed>
      <Skeleton className="h-14 rounded-card" />
    </Delayed>
  )
}
