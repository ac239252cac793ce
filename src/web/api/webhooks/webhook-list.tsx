import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { deleteWebhook, type Webhook } from '#shared/api/webhooks/webhooks.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { ConfirmDialog } from '../../platform/ui/overlays/confirm-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookHistory } from './webhook-history.tsx'
import { eventText, stateOf } from './webhook-words.ts'

type Open = { what: 'history' | 'form' | 'deletion'; id: string }

/** Webhooks with their addresses, events and delivery status. */
export function WebhookList({ items, onChanged }: { items: Webhook[]; onChanged: () => void }) {
  const { t } = useTranslation('programs')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const chosen = (what: Open['what']) =>
    (open?.what === what && items.find(({ id }) => id === open.id)) || null
  const deleting = useMutation({
    mutationFn: ({ id }: Webhook) => call(deleteWebhook, { params: { webhookId: id } }),
    onSettled: () => {
      close()
      onChanged()
    },
  })
  const [shown, edited, doomed] = [chosen('history'), chosen('form'), chosen('deletion')]
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line">
        {items.map((one) => (
          <Item key={one.id} one={one} onOpen={(what) => setOpen({ what, id: one.id })} />
        ))}
      </ul>
      {deleting.error && (
        <Callout tone="danger" title={t('webhooks.delete_failed')}>
          {errorText(t, deleting.error)}
        </Callout>
      )}
      {shown && <WebhookHistory webhook={shown} onClose={close} onChanged={onChanged} />}
      {edited && <WebhookForm webhook={edited} onSaved={onChanged} onClose={close} />}
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={t('webhooks.delete_title', { name: doomed?.name })}
        message={t('webhooks.delete_text')}
        confirmLabel={t('webhooks.delete')}
        busy={deleting.isPending}
        onConfirm={() => doomed && deleting.mutate(doomed)}
      />
    </>
  )
}

function Item({ one, onOpen }: { one: Webhook; onOpen: (what: Open['what']) => void }) {
  const { t } = useTranslation('programs')
  const { name, url, events, company } = one
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3 pl-3.5 max-md:flex-wrap">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13 font-medium">
          <span className="truncate">{name}</span>
          <State one={one} />
          {company && <Badge tone="line">{t('webhooks.of_company', { company: company.name })}</Badge>}
        </div>
        <div className="mt-1 truncate font-mono text-12 text-ink-3">{url}</div>
        <div className="mt-1 flex flex-wrap gap-1">
          {events.map((event) => (
            <Badge key={event}>{eventText(t, event)}</Badge>
          ))}
        </div>
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          aria-label={t('webhooks.history_named', { name })}
          onClick={() => onOpen('history')}
        >
          {t('webhooks.history.open')}
        </Button>
        <Button size="sm" aria-label={t('webhooks.edit_named', { name })} onClick={() => onOpen('form')}>
          {t('webhooks.edit')}
        </Button>
        <Button
          size="sm"
          variant="danger-ghost"
          aria-label={t('webhooks.delete_named', { name })}
          onClick={() => onOpen('deletion')}
        >
          {t('webhooks.delete')}
        </Button>
      </div>
    </li>
  )
}

function State({ one }: { one: Webhook }) {
  const { t } = useTranslation('programs')
  const state = stateOf(one)
  const text = t(`webhooks.state.${state}`)
  if (state === 'off') return <Badge tone="line">{text}</Badge>
  if (state === 'on')
    return (
      <Badge tone="success" icon={<CircleCheck aria-hidden />}>
        {text}
      </Badge>
    )
  const Icon = state === 'failing' ? CircleAlert : CircleX
  return (
    <Badge tone={state === 'failing' ? 'warning' : 'danger'} icon={<Icon aria-hidden />}>
      {text}
    </Badge>
  )
}
