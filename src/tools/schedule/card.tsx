import { useMutation, useQuery } from '@tanstack/react-query'
import { CalendarClock, CircleCheck } from 'lucide-react'
import { createSchedule, getSchedule, previewSchedule } from '#shared/chat/schedules/schedules.ts'
import { errorText } from '../../web/platform/i18n/error-text.ts'
import { call, callOrNotFound } from '../../web/platform/lib/api/call.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { Callout } from '../../web/platform/ui/callout.tsx'
import {
  type CardBodyProps,
  formatDate,
  type ToolCardParts,
  useTranslation,
} from '../../web/platform/ui/card-parts.ts'
import { Skeleton } from '../../web/platform/ui/states/skeleton.tsx'
import schedule from './contract.ts'

const card: ToolCardParts = { Icon: CalendarClock, summarise: nameOf, Body: Proposal }

export default card

function nameOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'name' in input ? String(input.name) : ''
}

/** A proposed schedule with its next five runs. Nothing runs before the person confirms it. */
function Proposal({ status, input, result }: CardBodyProps) {
  const parsed = schedule.output.safeParse(result)
  if (status === 'input') return <p className="text-13 text-ink-2">{nameOf(input)}</p>
  if (!parsed.success) return <Skeleton className="h-40 rounded-card" />
  return <Confirmation proposal={parsed.data} />
}

type Proposed = NonNullable<ReturnType<typeof schedule.output.safeParse>['data']>

function Confirmation({ proposal }: { proposal: Proposed }) {
  const { t } = useTranslation('tool_ui')
  const { proposal_id, name, text, is_reminder, rule } = proposal
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const key = ['schedules', 'proposal', proposal_id]
  const preview = useQuery({
    queryKey: [...key, 'preview'],
    queryFn: ({ signal }) => call(previewSchedule, { body: { rule, time_zone }, signal }),
    staleTime: 60_000,
  })
  // The schedule has the id of the proposal, so that two browsers confirm the same one.
  const made = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const found = await callOrNotFound(getSchedule, { params: { scheduleId: proposal_id }, signal })
      return 'notFound' in found ? null : found
    },
  })
  const confirm = useMutation({
    mutationFn: () =>
      call(createSchedule, {
        body: {
          ...{ id: proposal_id, name, text, rule, time_zone, kind: is_reminder ? 'reminder' : 'prompt' },
          ...{ fields: [], things: [], model_name: null, target: 'one_chat', only_changes: false },
          ...{ max_cost: null, max_minutes: null, overlap: 'wait', missed: 'last' },
          ...{ deputy_id: null, deputy_after_minutes: 1440, skip_after_minutes: null },
        },
      }),
    onSettled: () => made.refetch(),
  })
  return (
    <div className="grid min-w-0 gap-3">
      <p className="min-h-6 text-16 font-medium">{preview.data?.sentence}</p>
      <p dir="auto" className="text-13 whitespace-pre-wrap text-ink-2">
        {text}
      </p>
      {preview.data?.fault && <Callout tone="warning">{t(`schedule.fault.${preview.data.fault}`)}</Callout>}
      <section aria-label={t('schedule.next')} className="grid min-h-38 content-start gap-1">
        <h4 className="text-12 font-medium text-ink-3">{t('schedule.next')}</h4>
        <ol className="grid gap-1 text-13">
          {preview.data?.next_runs.map((at) => (
            <li key={at} className="num flex justify-between gap-3">
              <span>{formatDate(at, { dateStyle: 'full' })}</span>
              <span className="text-ink-2">{formatDate(at, { timeStyle: 'short' })}</span>
            </li>
          ))}
        </ol>
      </section>
      {confirm.error && <Callout tone="danger">{errorText(t, confirm.error)}</Callout>}
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {made.data ? (
          <a
            href={`/schedules/${proposal_id}`}
            className="inline-flex items-center gap-1.5 text-13 font-medium text-success hover:underline max-md:min-h-11"
          >
            <CircleCheck aria-hidden className="icon-14" />
            {t('schedule.made')}
          </a>
        ) : (
          <>
            <span className="min-w-0 flex-1 text-12 text-ink-3">{t('schedule.nothing_yet')}</span>
            <Button
              variant="primary"
              busy={confirm.isPending}
              disabled={made.isPending || !preview.data || preview.data.fault !== null}
              onClick={() => confirm.mutate()}
            >
              {t('schedule.confirm')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
