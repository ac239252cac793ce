import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  listWebhookDeliveries,
  renewWebhookSecret,
  sendWebhookAgain,
  tryWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#shared/api/webhooks/webhooks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { type Status, StatusMark } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Delayed, Skeleton } from '../../platform/ui/states/skeleton.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { eventText, momentText, outcomeText } from './webhook-words.ts'

const PAGE = 20
/** Poll interval of the open list, in milliseconds, to show new attempts. */
const READ_MS = 3_000

type HistoryProps = { webhook: Webhook; onClose: () => void; onChanged: () => void }

/** Deliveries of a webhook with their attempts; can resend one, send a test and renew the secret. */
export function WebhookHistory({ webhook: { id, name }, onClose, onChanged }: HistoryProps) {
  const { t } = useTranslation('programs')
  const [secret, setSecret] = useState<string | null>(null)
  const params = { webhookId: id }
  const told = useInfiniteQuery({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal, pageParam }) =>
      call(listWebhookDeliveries, { params, query: { skip: pageParam, limit: PAGE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.length * PAGE : undefined),
    refetchInterval: READ_MS,
  })
  const acting = useMutation({
    mutationFn: async (deliveryId: string | null) => {
      if (deliveryId === null) await call(tryWebhook, { params })
      else await call(sendWebhookAgain, { params: { ...params, deliveryId } })
    },
    onSettled: () => {
      void told.refetch()
      onChanged()
    },
  })
  const renewing = useMutation({
    mutationFn: () => call(renewWebhookSecret, { params }),
    onSuccess: (answer) => setSecret(answer.secret),
  })
  if (secret) return <WebhookSecret secret={secret} onClose={() => setSecret(null)} />
  const items = told.data?.pages.flatMap((page) => page.items) ?? []
  const error = told.error ?? acting.error ?? renewing.error
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(open) => !open && onClose()}
      title={t('webhooks.history.title', { name })}
      description={t('webhooks.history.text')}
      footer={
        <>
          <Button busy={renewing.isPending} onClick={() => renewing.mutate()}>
            {t('webhooks.secret.renew')}
          </Button>
          <Button variant="primary" busy={acting.isPending} onClick={() => acting.mutate(null)}>
            {t('webhooks.history.try')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {error && (
          <Callout tone="danger" title={t('webhooks.history.went_wrong')}>
            {errorText(t, error)}
          </Callout>
        )}
        {told.isPending && (
          <Delayed>
            <Skeleton className="h-14 rounded-card" />
          </Delayed>
        )}
        {told.isSuccess && items.length === 0 && <EmptyState title={t('webhooks.history.empty')} />}
        {items.length > 0 && (
          <ul className="divide-y divide-line rounded-card border border-line">
            {items.map((one) => (
              <Told key={one.id} one={one} isBusy={acting.isPending} onSend={() => acting.mutate(one.id)} />
            ))}
          </ul>
        )}
        {told.hasNextPage && (
          <Button
            className="justify-self-start"
            busy={told.isFetchingNextPage}
            onClick={() => void told.fetchNextPage()}
          >
            {t('webhooks.older')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const marks: Record<WebhookDelivery['state'], Status> = {
  waiting: 'waiting',
  arrived: 'done',
  failed: 'failed',
}

type ToldProps = { one: WebhookDelivery; isBusy: boolean; onSend: () => void }

function Told({ one, isBusy, onSend }: ToldProps) {
  const { t } = useTranslation('programs')
  const what = eventText(t, one.type)
  const time = momentText(one.created_at)
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5">
      <StatusMark status={marks[one.state]} />
      <div className="min-w-0 flex-1">
        <div className="text-13 font-medium">{what}</div>
        <div className="num mt-1 text-12 text-ink-3">
          {time} · {t(`webhooks.history.state.${one.state}`)}
          {' · '}
          {t('webhooks.history.attempts', { count: one.attempts.length })}
        </div>
        <div className="mt-1 text-12 text-ink-3">{outcomeText(t, one)}</div>
      </div>
      <Button
        size="sm"
        disabled={isBusy}
        aria-label={t('webhooks.history.again_named', { what, time })}
        onClick={onSend}
      >
        {t('webhooks.history.again')}
      </Button>
    </li>
  )
}
