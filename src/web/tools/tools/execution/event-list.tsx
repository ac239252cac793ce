import type { ToolEvent } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Payload } from '../card/payload.tsx'

/** Events of a tool execution, in order. */
export function EventList({ events }: { events: readonly ToolEvent[] }) {
  const { t } = useTranslation('streaming_blocks')
  if (events.length === 0) return <p className="text-13 text-ink-2">{t('artifact.no_events')}</p>
  return (
    <ol className="grid gap-3">
      {events.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end.
        <li key={at} className="grid gap-1.5">
          <p className="flex items-baseline gap-2 text-13">
            <span className="num w-6 text-right text-12 text-ink-3">{at + 1}</span>
            <span className="font-medium">{event.phase ?? event.type}</span>
            {event.status && <span className="text-ink-2">{event.status}</span>}
            {event.message && <span className="text-ink-2">{event.message}</span>}
          </p>
          {event.data && <Payload value={event.data} className="ml-8 max-h-48" />}
        </li>
      ))}
    </ol>
  )
}
