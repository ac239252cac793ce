import { Link, useSearch } from '@tanstack/react-router'
import clsx from 'clsx'
import { ArrowUpRight, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import type { Slot } from '#shared/chat/schedules/slots.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatCost, formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Pager } from '../../../platform/ui/pager.tsx'
import { EmptyState } from '../../../platform/ui/states/empty-state.tsx'
import { LoadFailure } from '../../../platform/ui/states/load-failure.tsx'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { runNow, skip } from '../schedule-actions.ts'
import { reasonOf, slotTones } from '../slot-words.ts'
import { SCHEDULES_PAGE, useSlots } from '../use-schedules.ts'

/** Every run of a schedule: planned, running and past ones, the newest first. */
export function SlotLog({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation('schedules')
  const [page, setPage] = useState(1)
  const { data, error, isPending, refetch } = useSlots(schedule.id, page)
  const hasMore = data && data.total > page * SCHEDULES_PAGE
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-5">
      {isPending && <Skeletons className="grid gap-2" sizes={['h-11', 'h-11', 'h-11']} />}
      {error && !data && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <EmptyState title={t('log.empty')} />}
      {data && data.items.length > 0 && (
        <ol aria-label={t('section.runs')} className="divide-y divide-line rounded-card border border-line">
          {data.items.map((slot) => (
            <SlotRow key={slot.id} slot={slot} schedule={schedule} />
          ))}
        </ol>
      )}
      <Pager page={page} hasMore={Boolean(hasMore)} onPage={setPage} before={t('newer')} after={t('older')} />
    </div>
  )
}

type RowProps = { slot: Slot; schedule: Schedule }

function SlotRow({ slot, schedule }: RowProps) {
  const { t } = useTranslation('schedules')
  const { state, due_at, by_hand, is_same, cost, result } = slot
  const { slot: wanted } = useSearch({ strict: false }) as { slot?: string }
  const isWanted = wanted === slot.id
  const when = (time: string) =>
    formatDate(time, { dateStyle: 'medium', timeStyle: 'short', timeZone: schedule.time_zone })
  const note = is_same ? t('log.same') : reasonOf(t, slot.reason)
  return (
    <li
      ref={isWanted ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
      aria-current={isWanted || undefined}
      className={clsx(
        'grid grid-cols-[112px_minmax(0,1fr)_200px_64px_140px] items-center gap-x-4 gap-y-1 px-4 py-2.5 text-13 max-md:grid-cols-[minmax(0,1fr)_auto]',
        isWanted && 'bg-accent-soft',
      )}
    >
      <span className="flex">
        <Badge tone={slotTones[state]}>{t(`slot.${state}`)}</Badge>
      </span>
      <span className="min-w-0 max-md:col-span-2 max-md:row-start-2">
        <span dir="auto" className="line-clamp-2">
          {result ?? note ?? (by_hand ? t('log.by_hand') : slot.delivery_id ? t('log.by_event') : '')}
        </span>
        {result && note && <span className="block text-12 text-ink-3">{note}</span>}
        <Asks slot={slot} schedule={schedule} when={when} />
      </span>
      <span className="num grid text-ink-2 max-md:col-span-2 max-md:row-start-3">
        <time dateTime={due_at}>{t('log.planned', { time: when(due_at) })}</time>
        {slot.started_at && (
          <span className="text-12 text-ink-3">
            {t('log.began', { time: when(slot.started_at) })}
            {slot.ended_at && ` · ${durationOf(slot.started_at, slot.ended_at)}`}
          </span>
        )}
      </span>
      <span className="num text-right text-ink-2 max-md:col-start-1 max-md:row-start-4 max-md:text-left">
        {cost !== null && cost > 0 && formatCost(cost)}
      </span>
      <SlotActions slot={slot} schedule={schedule} />
    </li>
  )
}

/** When the deputy is asked and when the run is skipped, while it waits. */
function Asks({ slot, schedule, when }: RowProps & { when: (time: string) => string }) {
  const { t } = useTranslation('schedules')
  if (slot.state !== 'asking') return null
  return (
    <span className="grid text-12 text-warning">
      {slot.deputy_at && schedule.deputy_name && (
        <span>{t('log.deputy', { name: schedule.deputy_name, time: when(slot.deputy_at) })}</span>
      )}
      {slot.skip_at && <span>{t('log.skipped_at', { time: when(slot.skip_at) })}</span>}
    </span>
  )
}

function SlotActions({ slot, schedule }: RowProps) {
  const { t } = useTranslation('schedules')
  const attempt = (work: () => Promise<void>) => async () => {
    try {
      await work()
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  const again = useAction(attempt(() => runNow(schedule.id)))
  const leaveOut = useAction(attempt(() => skip(schedule.id, slot.id)))
  const isOpen = ['planned', 'waiting', 'running', 'asking'].includes(slot.state)
  const isActive = slot.state === 'running' || slot.state === 'asking'
  return (
    <span className="flex items-center justify-end gap-1">
      {slot.session_id && (
        <Link
          to="/chat/{-$sessionId}"
          params={{ sessionId: slot.session_id }}
          className="inline-flex h-7 items-center gap-1 px-2 font-medium text-accent hover:underline max-md:h-11"
        >
          {t('log.open_chat')}
          <ArrowUpRight aria-hidden className="icon-12" />
        </Link>
      )}
      {isOpen ? (
        <IconButton
          size="sm"
          name={t(isActive ? 'log.stop' : 'log.skip')}
          disabled={leaveOut.isPending}
          onClick={() => void leaveOut.run()}
        >
          <X aria-hidden className="icon" />
        </IconButton>
      ) : (
        <IconButton
          size="sm"
          name={t('log.again')}
          disabled={again.isPending}
          onClick={() => void again.run()}
        >
          <RotateCcw aria-hidden className="icon-14" />
        </IconButton>
      )}
    </span>
  )
}

function durationOf(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
