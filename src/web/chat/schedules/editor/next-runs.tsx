import { isEvent, type Rule } from '#shared/chat/schedules/rule.ts'
import { formatDate } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Callout } from '../../../platform/ui/callout.tsx'
import { usePreview } from '../use-schedules.ts'
import { isComplete } from './schedule-draft.ts'

type Props = { rule: Rule; timeZone: string }

/** The rule as a sentence and its next five runs, or what is wrong with it. */
export function NextRuns({ rule, timeZone }: Props) {
  const { t } = useTranslation('schedules')
  const isOnEvent = isEvent(rule)
  const { data } = usePreview(isComplete(rule) ? rule : null, timeZone)
  const title = t(isOnEvent ? 'starts' : 'next_runs')
  return (
    <section aria-label={title} aria-live="polite" className="grid gap-3">
      <h2 className="text-13 font-medium">{title}</h2>
      <p className="min-h-5 text-14">{isComplete(rule) && data?.sentence}</p>
      {isOnEvent && <p className="text-13 text-ink-2">{t('event_limit')}</p>}
      {data?.fault && (
        <Callout tone="danger">
          {t(`fault.${data.fault}`, { zone: timeZone, count: data.min_minutes })}
        </Callout>
      )}
      {data && data.next_runs.length > 0 && (
        <ol className="divide-y divide-line rounded-card border border-line bg-bg">
          {data.next_runs.map((at) => (
            <li key={at} className="flex h-10 items-center gap-3 px-4 text-13">
              <span className="flex-1 font-medium">
                {formatDate(at, {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'long',
                  year: 'numeric',
                  timeZone,
                })}
              </span>
              <span className="num text-ink-2">
                {formatDate(at, { hour: '2-digit', minute: '2-digit', timeZone })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
