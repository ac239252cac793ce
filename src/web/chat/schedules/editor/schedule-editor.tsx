import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Play } from 'lucide-react'
import { useState } from 'react'
import type { Colleague } from '#shared/chat/schedules/handing-over.ts'
import { isEvent } from '#shared/chat/schedules/rule.ts'
import type { Schedule } from '#shared/chat/schedules/schedules.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Badge } from '../../../platform/ui/badge.tsx'
import { Button } from '../../../platform/ui/button.tsx'
import { Callout } from '../../../platform/ui/callout.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Tabs } from '../../../platform/ui/tabs.tsx'
import { toast } from '../../../platform/ui/toasts/toasts.ts'
import { View } from '../../../platform/ui/view.tsx'
import { OnSwitch } from '../list/schedule-row.tsx'
import { SlotLog } from '../log/slot-log.tsx'
import { create, runNow, update } from '../schedule-actions.ts'
import { reasonOf } from '../slot-words.ts'
import { Deliveries } from '../triggers/deliveries.tsx'
import { NextRuns } from './next-runs.tsx'
import { type Draft, problemsOf, useScheduleEdits } from './schedule-draft.ts'
import { ScheduleForm } from './schedule-form.tsx'

type Props = { schedule: Schedule | null; beginnings?: Partial<Draft> }

/** The form of a schedule with its next runs, and its log. */
export function ScheduleEditor({ schedule, beginnings = {} }: Props) {
  const { t } = useTranslation('schedules')
  const { draft, edits, change, forget, noteSaved, isChanged } = useScheduleEdits(schedule, beginnings)
  const { slot } = useSearch({ strict: false }) as { slot?: string }
  const [section, setSection] = useState(slot ? 'runs' : 'settings')
  const [isChecked, setChecked] = useState(false)
  const problems = problemsOf(draft)
  const { save, isPending, error } = useSave(schedule, { draft, edits }, noteSaved)
  const submit = () => {
    setChecked(true)
    if (problems.size === 0) save()
    else setSection('settings')
  }
  const settings = (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-5">
      <ScheduleForm
        {...{ draft, change }}
        problems={isChecked ? problems : new Set()}
        deputy={deputyOf(schedule)}
        isCalled={schedule?.rule.kind === 'call'}
        mail={schedule?.mail ?? null}
      />
      <div className="xl:hidden">
        <NextRuns rule={draft.rule} timeZone={draft.time_zone} />
      </div>
    </div>
  )
  return (
    <View
      title={draft.name.trim() || t('new')}
      badges={isChanged && schedule && <Badge className="max-md:hidden">{t('unsaved')}</Badge>}
      actions={
        <>
          {isChanged && schedule && (
            <Button variant="ghost" className="max-md:hidden" disabled={isPending} onClick={forget}>
              {t('discard')}
            </Button>
          )}
          {schedule && !isChanged && <RunNow id={schedule.id} />}
          {schedule && <OnSwitch schedule={schedule} />}
          <Button
            variant="primary"
            busy={isPending}
            disabled={schedule !== null && !isChanged}
            onClick={submit}
          >
            {t(schedule ? 'save' : 'create')}
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-y-auto">
          <div
            className={`mx-auto px-6 pb-16 max-md:px-4 ${section === 'settings' ? 'max-w-[688px]' : 'max-w-[960px]'}`}
          >
            <Link
              to="/schedules"
              className="inline-flex h-11 items-center gap-1.5 text-13 text-ink-2 hover:text-ink"
            >
              <ArrowLeft aria-hidden className="icon-14" />
              {t('back')}
            </Link>
            {error !== null && (
              <Callout tone="danger" className="mb-3" title={t('said.not_saved')}>
                {errorText(t, error)}
              </Callout>
            )}
            {schedule?.state === 'stopped' && (
              <Callout tone="danger" className="mb-3" title={t('state.stopped')}>
                {reasonOf(t, schedule.stopped_for)}
              </Callout>
            )}
            {schedule ? (
              <Tabs
                name={t('sections')}
                value={section}
                onValueChange={setSection}
                tabs={[
                  { value: 'settings', label: t('section.settings'), content: settings },
                  { value: 'runs', label: t('section.runs'), content: <SlotLog schedule={schedule} /> },
                  ...(isEvent(schedule.rule)
                    ? [
                        {
                          ...{ value: 'deliveries', label: t('section.deliveries') },
                          content: <Deliveries schedule={schedule} />,
                        },
                      ]
                    : []),
                ]}
              />
            ) : (
              settings
            )}
          </div>
        </div>
        {section === 'settings' && (
          <aside
            aria-label={t(isEvent(draft.rule) ? 'starts' : 'next_runs')}
            className="w-95 flex-none overflow-y-auto border-l border-line bg-surface p-5 max-xl:hidden"
          >
            <NextRuns rule={draft.rule} timeZone={draft.time_zone} />
          </aside>
        )}
      </div>
    </View>
  )
}

function deputyOf(schedule: Schedule | null): Colleague | null {
  if (!schedule?.deputy_id) return null
  return { id: schedule.deputy_id, name: schedule.deputy_name ?? '' }
}

function RunNow({ id }: { id: string }) {
  const { t } = useTranslation('schedules')
  const { run, isPending } = useAction(async () => {
    try {
      await runNow(id)
      void toast.success(t('said.runs'))
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  })
  return (
    <IconButton name={t('run_now')} className="max-md:hidden" disabled={isPending} onClick={() => void run()}>
      <Play aria-hidden className="icon" />
    </IconButton>
  )
}

/** Saves what was changed; a new schedule then has its own address. */
function useSave(
  schedule: Schedule | null,
  { draft, edits }: { draft: Draft; edits: Partial<Draft> },
  noteSaved: (saved: Partial<Draft>) => void,
) {
  const { t } = useTranslation('schedules')
  const navigate = useNavigate()
  const { run, isPending, error } = useAction(async () => {
    const { kind: _kind, id: _id, ...changes } = edits
    const saved = await (schedule
      ? update(schedule.id, { ...changes, version: schedule.version })
      : create(draft))
    noteSaved(edits)
    void toast.success(t(schedule ? 'said.saved' : 'said.created'))
    if (!schedule)
      await navigate({ to: '/schedules/$scheduleId', params: { scheduleId: saved.id }, replace: true })
  })
  return { save: () => void run(), isPending, error }
}
