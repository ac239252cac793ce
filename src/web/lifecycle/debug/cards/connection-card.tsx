import { useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Button } from '../../../platform/ui/button.tsx'
import { ConnectionBadge, formatClock } from '../events/connection-badge.tsx'
import { groupDigits } from '../events/event-detail.tsx'
import { findTrouble } from '../events/open-events.ts'
import type { ChangeSettings, DebugSettings } from '../events/settings.ts'
import type { DebugEvents } from '../events/use-events.ts'
import { DebugCard } from './debug-card.tsx'
import { SessionField } from './session-field.tsx'

type Props = {
  settings: DebugSettings
  change: ChangeSettings
  events: DebugEvents
  onList: () => void
}

/** Connects to and disconnects from the events of a session. */
export function ConnectionCard({ settings, change, events, onList }: Props) {
  const { t } = useTranslation('admin')
  const { connection, entries } = events
  const [isAsked, setAsked] = useState(false)
  const trouble = findTrouble(settings)
  const isOff = connection.status === 'disconnected'
  const connect = () => {
    setAsked(trouble !== null)
    if (trouble === null) events.connect(settings)
  }
  const lastId = entries.findLast(({ id }) => id !== null)?.id
  return (
    <DebugCard title={t('debug.connection')} aside={<ConnectionBadge status={connection.status} />}>
      {settings.authMode !== 'url' && <SessionField settings={settings} change={change} isNeeded={isAsked} />}
      {isAsked && trouble === 'url' && (
        <p role="alert" className="text-12 text-danger">
          {t('debug.empty_url')}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={isOff ? 'primary' : 'secondary'}
          disabled={!isOff || trouble === 'invalid'}
          onClick={connect}
        >
          {t('debug.connect')}
        </Button>
        <Button disabled={isOff} onClick={events.disconnect}>
          {t('debug.disconnect')}
        </Button>
        <Button onClick={onList}>{t('debug.list_sessions')}</Button>
      </div>
      {connection.since && (
        <p className="num text-12 text-ink-3">
          {t('debug.since', {
            time: formatClock(connection.since),
            events: t('debug.events_count', { count: entries.length }),
          })}
          {lastId && t('debug.last_id', { id: groupDigits(lastId) })}
        </p>
      )}
    </DebugCard>
  )
}
