import { CircleCheck, CircleDashed, CirclePause, CircleX } from 'lucide-react'
import type { AgentStatus, Session } from '#shared/chat/sessions/sessions.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Badge, type Tone } from '../../../platform/ui/badge.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { ConnectionBadge } from '../events/connection-badge.tsx'
import { formatPercent } from '../events/event-list.tsx'
import type { Connection } from '../events/use-events.ts'
import type { RunProgress } from '../events/use-run-progress.ts'
import { nameOf } from './session-list.ts'

type Props = { connection: Connection; session: Session | null; progress: RunProgress }

/** State of the session's agent on one line: status, task and progress. */
export function RunStatus({ connection, session, progress }: Props) {
  const { t } = useTranslation('admin')
  const { percent, step, number } = progress
  const parts = [
    number === null ? null : t('debug.step', { number }),
    percent === null ? null : formatPercent(percent),
    step || null,
  ].filter((part) => part !== null)
  return (
    <div className="grid gap-2.5">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <ConnectionBadge status={connection.status} />
        {session && (
          <>
            <AgentBadge status={session.agent_status} />
            <span className="max-w-80 truncate text-13 text-ink-2">{nameOf(session, t)}</span>
            {session.processing_task_id && (
              <span className="font-mono text-12 text-ink-3" title={session.processing_task_id}>
                {t('debug.task', { id: shorten(session.processing_task_id) })}
              </span>
            )}
          </>
        )}
        <span className="flex-1" />
        <span className="num text-12 text-ink-3">{parts.join(' · ')}</span>
      </div>
      <div
        role="progressbar"
        aria-label={t('debug.progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? 0}
        className="h-0.5 bg-surface-3"
      >
        <div className="h-full bg-accent" style={{ width: `${Math.min(100, Math.max(0, percent ?? 0))}%` }} />
      </div>
    </div>
  )
}

function AgentBadge({ status }: { status: AgentStatus | null }) {
  const { t } = useTranslation('admin')
  if (status === 'processing')
    return (
      <Badge tone="accent" icon={<Spinner className="icon-12" />}>
        {t('debug.agent_status.processing')}
      </Badge>
    )
  const [tone, Icon] = looks[status ?? 'unknown']
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`debug.agent_status.${status ?? 'unknown'}`)}
    </Badge>
  )
}

const looks: Record<Exclude<AgentStatus, 'processing'> | 'unknown', [Tone, typeof CircleCheck]> = {
  paused: ['warning', CirclePause],
  completed: ['success', CircleCheck],
  error: ['danger', CircleX],
  unknown: ['neutral', CircleDashed],
}

function shorten(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`
}
