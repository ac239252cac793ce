import { Link } from '@tanstack/react-router'
import { ArrowUpRight, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import type { WholeDelivery } from '#shared/chat/schedules/triggers.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatCost, formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { CopyButton } from '../../../platform/ui/copy-button.tsx'
import { Dialog } from '../../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { reasonOf, slotTones } from '../slot-words.ts'
import { replay } from './delivery-actions.ts'
import { useDelivery } from './use-deliveries.ts'

type Props = { schedule: Schedule; id: string; onReplayed: (id: string) => void; onClose: () => void }

/** One delivery: the run that it started, and what was sent. */
export function DeliveryDetails({ schedule, id, onReplayed, onClose }: Props) {
  const { t } = useTranslation('schedules')
  const { data, error } = useDelivery(schedule.id, id)
  // A repeated click within this dialog replays once.
  const [clientId] = useState(() => crypto.randomUUID())
  const { run, isPending } = useAction(async () => {
    try {
      onReplayed((await replay(schedule.id, id, clientId)).id)
    } catch (failure) {
      void toast.error(errorText(t, failure))
    }
  })
  const canReplay = data?.status === 202 && data.body !== null && schedule.rule.kind === 'call'
  return (
    <Dialog
      open
      size="lg"
      atTop
      onOpenChange={(open) => !open && onClose()}
      title={data ? t(`deliveries.kind.${data.kind}`) : t('section.deliveries')}
      description={data && formatDate(data.received_at, { dateStyle: 'long', timeStyle: 'medium' })}
      footer={
        canReplay && (
          <Button
            busy={isPending}
            icon={<RotateCcw aria-hidden className="icon-14" />}
            onClick={() => void run()}
          >
            {t('deliveries.replay')}
          </Button>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-3">
        {error && <Callout tone="danger">{errorText(t, error)}</Callout>}
        {!data && !error && <Skeletons className="grid gap-2" sizes={['h-11', 'h-24']} />}
        {data && <Details delivery={data} />}
      </div>
    </Dialog>
  )
}

function Details({ delivery }: { delivery: WholeDelivery }) {
  const { t } = useTranslation('schedules')
  const { detail, run, headers, body, ignored, signed_by, foreign_id, repeats, kind } = delivery
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const names = new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' })
  return (
    <>
      {detail && <Callout tone="danger">{detail}</Callout>}
      {run && <Run run={run} />}
      {(kind === 'call' || kind === 'mail' || repeats > 0) && (
        <dl className="grid gap-x-4 gap-y-1 text-13 sm:grid-cols-[auto_minmax(0,1fr)]">
          {kind === 'call' && <Fact name={t('deliveries.id')}>{foreign_id}</Fact>}
          {kind === 'mail' && <Fact name={t('deliveries.mail_id')}>{foreign_id}</Fact>}
          {signed_by && <Fact name={t('call.secret')}>{t(`deliveries.signed_by.${signed_by}`)}</Fact>}
          {repeats > 0 && (
            <Fact name={t('deliveries.again')}>{t('deliveries.repeats', { count: repeats })}</Fact>
          )}
        </dl>
      )}
      {headerLines.length > 0 && <Sent name={t('deliveries.headers')} text={headerLines.join('\n')} />}
      {body !== null && <Sent name={t('deliveries.body')} text={body} />}
      {ignored.length > 0 && (
        <Callout>{t('deliveries.ignored', { names: names.format(ignored.slice(0, 20)) })}</Callout>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="num min-w-0 break-words">{children}</dd>
    </>
  )
}

/** The run that a delivery started. */
function Run({ run }: { run: NonNullable<WholeDelivery['run']> }) {
  const { t } = useTranslation('schedules')
  const text = run.result ?? reasonOf(t, run.reason)
  return (
    <section
      aria-label={t('deliveries.run')}
      aria-live="polite"
      className="grid gap-2 rounded-card border border-line p-4 text-13"
    >
      <div className="flex min-h-7 items-center gap-3">
        <Badge tone={slotTones[run.state]}>{t(`slot.${run.state}`)}</Badge>
        <span className="num flex-1 text-ink-2">
          {run.cost !== null && run.cost > 0 && formatCost(run.cost)}
        </span>
        {run.session_id && (
          <Link
            to="/chat/{-$sessionId}"
            params={{ sessionId: run.session_id }}
            className="inline-flex h-7 items-center gap-1 font-medium text-accent hover:underline max-md:h-11"
          >
            {t('log.open_chat')}
            <ArrowUpRight aria-hidden className="icon-12" />
          </Link>
        )}
      </div>
      {text && (
        <p dir="auto" className="line-clamp-4">
          {text}
        </p>
      )}
    </section>
  )
}

function Sent({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation('schedules')
  return (
    <section aria-label={name} className="min-w-0 overflow-hidden rounded-card border border-line">
      <div className="flex items-center gap-2 border-b border-line bg-surface py-1 pr-1 pl-3">
        <h3 className="flex-1 text-12 font-medium">{name}</h3>
        <CopyButton size="sm" name={t('deliveries.copy', { name })} read={() => text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keyboard */}
      <pre tabIndex={0} className="max-h-64 overflow-auto p-3 font-mono text-12">
        {text}
      </pre>
    </section>
  )
}
