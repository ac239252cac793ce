import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useId } from 'react'
import {
  AccountOutcome,
  connectToolAccount,
  disconnectToolAccount,
  getToolAccount,
  type ToolAccount,
} from '#shared/tools/own-tools/accounts.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'

const keyOf = (setId: string) => ['tool-account', setId]

/** Fetches the user's account at the service of a tool set, if the set has such a service. */
export function useToolAccount(setId: string, isAsked = true) {
  return useQuery({
    queryKey: keyOf(setId),
    queryFn: ({ signal }) => call(getToolAccount, { params: { toolSetId: setId }, signal }),
    enabled: isAsked,
  })
}

type Props = {
  setId: string
  /** Tool page to return to; defaults to the server's page. */
  toolId?: string
  className?: string
}

/** The user's account at the service of some tools, with buttons to connect and disconnect it. */
export function AccountSection({ setId, toolId, className }: Props) {
  const { t } = useTranslation('tools')
  const id = useId()
  const { data, error, refetch } = useToolAccount(setId)
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className="mb-2 text-13 font-semibold">
        {t('account.title')}
      </h3>
      <Outcome />
      {data && <State setId={setId} toolId={toolId} account={data} />}
      {!data && !error && <Skeletons sizes={['h-12 w-full rounded-card']} />}
      {!data && error && (
        <Callout
          tone="danger"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:actions.retry')}
            </Button>
          }
        >
          {errorText(t, error)}
        </Callout>
      )}
    </section>
  )
}

/** Result of the sign-in the user has just returned from. */
function Outcome() {
  const { t } = useTranslation('tools')
  const { account } = useSearch({ strict: false }) as { account?: unknown }
  const { data: outcome } = AccountOutcome.safeParse(account)
  if (!outcome || outcome === 'connected') return null
  return (
    <Callout tone="warning" className="mb-2">
      {t(`account.${outcome}`)}
    </Callout>
  )
}

type StateProps = { setId: string; toolId: string | undefined; account: ToolAccount }

function State({ setId, toolId, account: { service, origins, connected_at } }: StateProps) {
  const { t } = useTranslation('tools')
  const connecting = useMutation({
    mutationFn: () =>
      call(connectToolAccount, {
        params: { toolSetId: setId },
        body: toolId === undefined ? {} : { tool_id: toolId },
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const leaving = useMutation({
    mutationFn: () => call(disconnectToolAccount, { params: { toolSetId: setId } }),
    onSuccess: ({ told }) => void toast.success(t(told ? 'account.left' : 'account.left_here')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(setId) }),
  })
  const hosts = origins.map((origin) => new URL(origin).host).join(', ')
  const failed = connecting.error ?? leaving.error
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3 rounded-card border border-line px-3.5 py-2.5">
        <p className="min-w-0 flex-1 basis-60 text-13 text-ink-2">
          {connected_at === null
            ? t('account.none', { service: service ?? hosts })
            : t('account.since', { date: formatDate(connected_at), service: service ?? hosts, hosts })}
        </p>
        {connected_at === null ? (
          <Button variant="primary" busy={connecting.isPending} onClick={() => connecting.mutate()}>
            {t('account.connect')}
          </Button>
        ) : (
          <Button variant="danger-ghost" busy={leaving.isPending} onClick={() => leaving.mutate()}>
            {t('account.disconnect')}
          </Button>
        )}
      </div>
      {failed && <Callout tone="danger">{errorText(t, failed)}</Callout>}
    </div>
  )
}
