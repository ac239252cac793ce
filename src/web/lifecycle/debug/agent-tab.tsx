import clsx from 'clsx'
import { useMemo, useState } from 'react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { CopyButton } from '../../platform/ui/copy-button.tsx'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { AuthenticationCard } from './cards/authentication-card.tsx'
import { CheckpointsCard, ResumeCard } from './cards/checkpoint-cards.tsx'
import { useCheckpoints } from './cards/checkpoint-list.ts'
import { DebugColumns } from './cards/debug-card.tsx'
import { FeatureCard } from './cards/feature-card.tsx'
import { RunStatus } from './cards/run-status.tsx'
import { SessionCard } from './cards/session-card.tsx'
import { useAgentTest } from './cards/use-agent-test.ts'
import { ConnectionTrouble } from './events/connection-badge.tsx'
import { foldEntries } from './events/event-entry.ts'
import { EventList } from './events/event-list.tsx'
import { type ChangeSettings, type DebugSettings, sessionOf } from './events/settings.ts'
import type { DebugEvents } from './events/use-events.ts'
import type { RunProgress } from './events/use-run-progress.ts'

const LOG_HEIGHT = 240

type Props = {
  settings: DebugSettings
  change: ChangeSettings
  events: DebugEvents
  progress: RunProgress
}

/** Runs an agent and shows its messages and checkpoints, with pause and resume. */
export function AgentTab({ settings, change, events, progress }: Props) {
  const { t } = useTranslation('admin')
  const { connection, entries } = events
  const [isNeeded, setNeeded] = useState(false)
  const typedId = sessionOf(settings)
  // While another id is typed, the connected session stays on screen.
  const sessionId = typedId ?? connection.sessionId
  const details = useSessionDetails(sessionId)
  const session = details.data ?? null
  const checkpoints = useCheckpoints(sessionId)
  const list = checkpoints.data ?? []
  const test = useAgentTest({
    ...{ settings, session, checkpoints: list },
    isConnected: connection.status === 'connected',
    onNeedSession: () => setNeeded(true),
  })
  const log = useMemo(() => foldEntries(entries), [entries])
  const isPaused = session?.agent_status === 'paused'
  const isElsewhere = connection.sessionId !== null && connection.sessionId !== typedId
  return (
    <DebugColumns
      controls={
        <>
          <AuthenticationCard settings={settings} change={change} />
          <SessionCard
            {...{ settings, change, events, isNeeded }}
            onNeeded={() => setNeeded(true)}
            error={typedId && details.isError ? errorText(t, details.error) : null}
          />
          {isElsewhere && <Callout>{t('debug.stays_connected')}</Callout>}
        </>
      }
    >
      <RunStatus connection={connection} session={session} progress={progress} />
      {connection.trouble && <ConnectionTrouble trouble={connection.trouble} />}
      <FeatureCard test={test} session={session} />
      <div className={clsx('grid gap-3', isPaused && '@min-[1100px]:grid-cols-2')}>
        {isPaused && <ResumeCard test={test} checkpoints={ofTask(list, session)} />}
        {sessionId && (
          <CheckpointsCard
            checkpoints={list}
            isPending={checkpoints.isPending}
            error={checkpoints.isError ? checkpoints.error : null}
          />
        )}
      </div>
      <section>
        <div className="mb-2 flex items-center gap-2">
          <h2 className="text-13 font-semibold">{t('debug.event_log')}</h2>
          <span className="num text-12 text-ink-3">
            {t('debug.lines_of', { shown: formatNumber(log.length), total: formatNumber(entries.length) })}
          </span>
          <span className="flex-1" />
          <CopyButton name={t('debug.copy_log')} size="sm" read={() => entries.map(lineOf).join('\n')} />
          <Button size="sm" onClick={events.clear}>
            {t('debug.clear')}
          </Button>
        </div>
        <EventList entries={log} height={LOG_HEIGHT} name={t('debug.event_log')} />
      </section>
    </DebugColumns>
  )
}

/** Returns the checkpoints from which the paused task can resume. */
function ofTask(checkpoints: Checkpoint[], session: Session): Checkpoint[] {
  return checkpoints.filter(({ run_id }) => run_id === session.processing_task_id)
}

function lineOf({ at, type, id, data }: DebugEvents['entries'][number]): string {
  return [at.toISOString(), type, id ?? '-', data].join('\t')
}
