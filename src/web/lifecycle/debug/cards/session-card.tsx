import { Plug, RefreshCw, Unplug } from 'lucide-react'
import { createSession } from '#shared/chat/sessions/sessions.ts'
import { AgentType } from '#shared/runs/runs/agent-type.ts'
import { errorText } from '../../../platform/i18n/error-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useAction } from '../../../platform/lib/use-action.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { Field } from '../../../platform/ui/field.tsx'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Select } from '../../../platform/ui/select.tsx'
import { addSession } from '../../../runs/sessions/sessions.ts'
import { findTrouble } from '../events/open-events.ts'
import { type ChangeSettings, type DebugSettings, sessionOf } from '../events/settings.ts'
import type { DebugEvents } from '../events/use-events.ts'
import { DebugCard } from './debug-card.tsx'
import { refreshSession } from './react-to.ts'
import { SessionField } from './session-field.tsx'
import { nameOf, sessionsKey, useSessions } from './session-list.ts'

type Props = {
  settings: DebugSettings
  change: ChangeSettings
  events: DebugEvents
  /** Whether the last action required a session. */
  isNeeded: boolean
  onNeeded: () => void
  /** Error of the server about the session. */
  error: string | null
}

/** Selects the session and agent to test. */
export function SessionCard({ settings, change, events, isNeeded, onNeeded, error }: Props) {
  const { t } = useTranslation('admin')
  const sessionId = sessionOf(settings)
  const trouble = findTrouble(settings)
  const isOff = events.connection.status === 'disconnected'
  const connect = () => (trouble === null ? events.connect(settings) : onNeeded())
  const create = useAction(
    () => call(createSession, { body: { session_metadata: { agent_type: settings.agentType } } }),
    (session) => {
      addSession(session)
      void queryClient.invalidateQueries({ queryKey: sessionsKey })
      change({ sessionId: session.id })
    },
  )
  return (
    <DebugCard title={t('debug.session')}>
      <SessionField settings={settings} change={change} isNeeded={isNeeded} error={error} />
      <SessionChoice sessionId={sessionId} change={change} />
      <Field label={t('debug.agent_type')}>
        <Select
          value={settings.agentType}
          onValueChange={(value) => change({ agentType: AgentType.parse(value) })}
          options={AgentType.options.map((type) => ({ value: type, label: t(`debug.agent.${type}`) }))}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        {isOff ? (
          <Button
            variant="primary"
            icon={<Plug aria-hidden className="icon" />}
            disabled={trouble === 'invalid'}
            onClick={connect}
          >
            {t('debug.connect_events')}
          </Button>
        ) : (
          <Button icon={<Unplug aria-hidden className="icon" />} onClick={events.disconnect}>
            {t('debug.disconnect')}
          </Button>
        )}
        <Button busy={create.isPending} onClick={() => void create.run()}>
          {t('debug.create_session')}
        </Button>
        <Button variant="ghost" onClick={() => (sessionId ? void refreshSession(sessionId) : onNeeded())}>
          {t('debug.refresh_details')}
        </Button>
      </div>
      {create.error !== null && (
        <p role="alert" className="text-12 text-danger">
          {errorText(t, create.error)}
        </p>
      )}
    </DebugCard>
  )
}

function SessionChoice({ sessionId, change }: { sessionId: string | null; change: ChangeSettings }) {
  const { t } = useTranslation('admin')
  const sessions = useSessions()
  const items = sessions.data?.items ?? []
  const choose = (id: string) => {
    const session = items.find((item) => item.id === id)
    if (!session) return
    const { agent_type } = session.session_metadata
    change({ sessionId: id, ...(agent_type ? { agentType: agent_type } : {}) })
  }
  const isListed = items.some(({ id }) => id === sessionId)
  return (
    <div className="flex items-end gap-2">
      <Field
        label={t('debug.pick_session')}
        className="flex-1"
        error={sessions.isError && t('debug.sessions_failed')}
      >
        <Select
          value={isListed && sessionId ? sessionId : ''}
          onValueChange={choose}
          options={[
            { value: '', label: t(sessions.isPending ? 'debug.loading' : 'debug.choose_session') },
            ...items.map((session) => ({ value: session.id, label: nameOf(session, t) })),
          ]}
        />
      </Field>
      <IconButton name={t('debug.refresh')} variant="lined" onClick={() => void sessions.refetch()}>
        <RefreshCw aria-hidden className="icon" />
      </IconButton>
    </div>
  )
}
