import { useState } from 'react'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import type { Delivery } from '#shared/chat/schedules/triggers.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Choice, Segment } from '../../../platform/ui/choices/segments.tsx'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { slotTones } from '../slot-words.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { SendTest } from './send-test.tsx'
import { DELIVERIES_PAGE, type Outcome, useDeliveries } from './use-deliveries.ts'

/** The events that reached a schedule: those that started a run, and refused ones. */
export function Deliveries({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation('schedules')
  const [outcome, setOutcome] = useState<Outcome>('all')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<string | null>(null)
  const { data, error, isPending, refetch } = useDeliveries(schedule.id, outcome, page)
  const counts = {
    all: (data?.started ?? 0) + (data?.refused ?? 0),
    started: data?.started,
    refused: data?.refused,
  }
  const hasMore = data && data.total > page * DELIVERIES_PAGE
  const choose = (next: Outcome) => {
    setOutcome(next)
    setPage(1)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-5">
      <div className="flex flex-wrap items-center gap-2">
        <Choice name={t('deliveries.which')}>
          {(['all', 'started', 'refused'] as const).map((one) => (
            <Segment key={one} isOn={outcome === one} onClick={() => choose(one)}>
              {t(`deliveries.outcome.${one}`)} <span className="num">{counts[one]}</span>
            </Segment>
          ))}
        </Choice>
        <span className="flex-1" />
        {schedule.rule.kind === 'call' && <SendTest schedule={schedule} onSent={setShown} />}
      </div>
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && !data && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState title={t('deliveries.empty')}>{t('deliveries.empty_text')}</EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ol
          aria-label={t('section.deliveries')}
          className="divide-y divide-line rounded-card border border-line"
        >
          {data.items.map((one) => (
            <Row key={one.id} delivery={one} onOpen={() => setShown(one.id)} />
          ))}
        </ol>
      )}
      <Pager page={page} hasMore={Boolean(hasMore)} onPage={setPage} before={t('newer')} after={t('older')} />
      {shown && (
        <DeliveryDetails
          key={shown}
          {...{ schedule, id: shown }}
          onReplayed={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  )
}

function Row({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }) {
  const { t } = useTranslation('schedules')
  const { kind, status, detail, about, foreign_id, repeats, received_at, run } = delivery
  const isRefused = status !== 202
  const name = about ?? (kind === 'call' ? foreign_id : '')
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="grid w-full grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left text-13 hover-motion hover:bg-surface max-md:grid-cols-[40px_minmax(0,1fr)_auto]"
      >
        <span className={`num font-medium ${isRefused ? 'text-danger' : 'text-success'}`}>{status}</span>
        <span className="min-w-0">
          <span className="block truncate font-medium">
            {t(`deliveries.kind.${kind}`)}
            {name && (
              <span dir="auto" className="font-regular text-ink-2">
                {' '}
                · {name}
              </span>
            )}
          </span>
          {(detail || repeats > 0) && (
            <span className="block truncate text-12 text-ink-3">
              {detail ?? t('deliveries.repeats', { count: repeats })}
            </span>
          )}
        </span>
        <span className="flex justify-end max-md:row-start-1 max-md:col-start-3">
          {run && <Badge tone={slotTones[run.state]}>{t(`slot.${run.state}`)}</Badge>}
          {isRefused && <Badge tone="danger">{t('deliveries.refused')}</Badge>}
        </span>
        <time
          dateTime={received_at}
          className="num text-12 whitespace-nowrap text-ink-3 max-md:col-span-2 max-md:col-start-2"
        >
          {formatDate(received_at, { dateStyle: 'medium', timeStyle: 'medium' })}
        </time>
      </button>
    </li>
  )
}
