import { Link, useNavigate } from '@tanstack/react-router'
import { Bell, Clock, Copy, Ellipsis, Play, Trash2, UserRoundPlus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { isEvent } from '#shared/chat/schedules/rule.ts'
import type { ListedSchedule } from '#shared/chat/schedules/schedules.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { formatCost, formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Switch } from '../../../platform/ui/checkbox.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Menu } from '../../../platform/ui/overlays/menu.tsx'
import type { MenuEntry } from '../../../platform/ui/overlays/menu-entry.ts'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { duplicate, runNow, switchTo } from '../schedule-actions.ts'
import { reasonOf, slotTones } from '../slot-words.ts'

type Props = { schedule: ListedSchedule; onDelete: () => void; onOffer: () => void }

/** A schedule in the list: its rule in words, its next and last run, its cost, and a switch. */
export function ScheduleRow({ schedule, onDelete, onOffer }: Props) {
  const { t } = useTranslation('schedules')
  const { id, name, kind, sentence, state, assistant_name, stopped_for, offered_to } = schedule
  const Icon = kind === 'reminder' ? Bell : isEvent(schedule.rule) ? Webhook : Clock
  const detail = offered_to ? t('offered_to', { name: offered_to }) : assistant_name
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1.2fr)_minmax(0,1fr)_120px_auto_auto] items-center gap-x-3 gap-y-1 px-4 py-3 hover-motion hover:bg-surface max-md:grid-cols-[auto_minmax(0,1fr)_auto_auto]">
      <span className="inline-grid size-7 place-items-center rounded-row bg-surface-2 text-ink-2">
        <Icon aria-hidden className="icon-14" />
      </span>
      <div className="min-w-0">
        <h2 className="min-w-0">
          <Link
            to="/schedules/$scheduleId"
            params={{ scheduleId: id }}
            dir="auto"
            className="block truncate text-14 font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
        </h2>
        <p className="truncate text-13 text-ink-2">{sentence}</p>
        {detail && <p className="truncate text-12 text-ink-3">{detail}</p>}
        {state === 'stopped' && <p className="text-12 text-danger">{reasonOf(t, stopped_for)}</p>}
      </div>
      <Times schedule={schedule} />
      <span className="num text-right text-13 text-ink-2 max-md:hidden">
        {kind === 'prompt' && schedule.cost > 0 && formatCost(schedule.cost)}
      </span>
      <OnSwitch schedule={schedule} />
      <More schedule={schedule} onDelete={onDelete} onOffer={onOffer} />
    </li>
  )
}

function Times({ schedule: { state, next_at, last, time_zone } }: Pick<Props, 'schedule'>) {
  const { t } = useTranslation('schedules')
  const when = (time: string) =>
    formatDate(time, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  return (
    <span className="grid min-w-0 justify-items-start gap-1 text-12 text-ink-2 max-md:col-span-3 max-md:col-start-2 max-md:row-start-2">
      <span className="num">
        {state === 'on' && next_at ? t('next', { time: when(next_at) }) : t(`state.${state}`)}
      </span>
      {last && (
        <span className="flex min-w-0 items-center gap-1.5">
          <Badge tone={slotTones[last.state]}>{t(`slot.${last.state}`)}</Badge>
          <span className="num truncate text-ink-3">{when(last.due_at)}</span>
        </span>
      )}
    </span>
  )
}

/** Turns a schedule on or pauses it. */
export function OnSwitch({
  schedule: { id, name, state },
}: {
  schedule: Pick<ListedSchedule, 'id' | 'name' | 'state'>
}) {
  const { t } = useTranslation('schedules')
  const [wanted, setWanted] = useState<boolean | null>(null)
  const change = async (isOn: boolean) => {
    setWanted(isOn)
    try {
      await switchTo(id, isOn ? 'on' : 'paused')
    } catch (error) {
      void toast.error(errorText(t, error))
    }
    setWanted(null)
  }
  return (
    <span className="relative z-1 inline-flex items-center">
      <Switch
        aria-label={t('switch', { name })}
        checked={wanted ?? state === 'on'}
        disabled={wanted !== null}
        onCheckedChange={(isOn) => void change(isOn)}
      />
    </span>
  )
}

function More({ schedule: { id, name }, onDelete, onOffer }: Props) {
  const { t } = useTranslation('schedules')
  const navigate = useNavigate()
  const attempt = (work: () => Promise<unknown>) => () =>
    void work().catch((error) => void toast.error(errorText(t, error)))
  const entries: MenuEntry[] = [
    {
      label: t('run_now'),
      icon: <Play aria-hidden />,
      onSelect: attempt(async () => {
        await runNow(id)
        void toast.success(t('said.runs'))
      }),
    },
    {
      label: t('duplicate'),
      icon: <Copy aria-hidden />,
      onSelect: attempt(async () => {
        const copy = await duplicate(id)
        await navigate({ to: '/schedules/$scheduleId', params: { scheduleId: copy.id } })
      }),
    },
    { label: t('offer.action'), icon: <UserRoundPlus aria-hidden />, onSelect: onOffer },
    { label: t('common:actions.delete'), icon: <Trash2 aria-hidden />, tone: 'danger', onSelect: onDelete },
  ]
  return (
    <Menu
      align="end"
      trigger={
        <IconButton name={t('more_of', { name })} size="sm" className="relative z-1">
          <Ellipsis aria-hidden className="icon" />
        </IconButton>
      }
      entries={entries}
    />
  )
}
