import { useMemo, useState } from 'react'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Checkbox } from '../../platform/ui/checkbox.tsx'
import { Select } from '../../platform/ui/select.tsx'
import { AuthSettings } from './cards/auth-settings.tsx'
import { ConnectionCard } from './cards/connection-card.tsx'
import { DebugColumns } from './cards/debug-card.tsx'
import { sessionsKey } from './cards/session-list.ts'
import { SessionTable } from './cards/session-table.tsx'
import { TestEventCard } from './cards/test-event-card.tsx'
import { ConnectionTrouble } from './events/connection-badge.tsx'
import { EventDetail } from './events/event-detail.tsx'
import type { Entry } from './events/event-entry.ts'
import { EventList } from './events/event-list.tsx'
import type { ChangeSettings, DebugSettings } from './events/settings.ts'
import type { DebugEvents } from './events/use-events.ts'

const LIST_HEIGHT = 400
const ALL = ''

type Props = { settings: DebugSettings; change: ChangeSettings; events: DebugEvents }

/** The event stream of a session as it is on the wire. */
export function SseTab({ settings, change, events }: Props) {
  const { t } = useTranslation('admin')
  const [isListing, setListing] = useState(false)
  const [selectedKey, setSelectedKey] = useState<number | null>(null)
  const filter = useFilter(events.entries)
  const { trouble, sessionId } = events.connection
  const selected = events.entries.find(({ key }) => key === selectedKey) ?? null
  const list = () => {
    void queryClient.invalidateQueries({ queryKey: sessionsKey })
    setListing(true)
  }
  return (
    <DebugColumns
      controls={
        <>
          <ConnectionCard settings={settings} change={change} events={events} onList={list} />
          <AuthSettings settings={settings} change={change} />
          <TestEventCard settings={settings} events={events} />
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-13 font-semibold">{t('debug.events')}</h2>
        <span className="num text-12 text-ink-3">{formatNumber(filter.shown.length)}</span>
        <span className="flex-1" />
        <Select
          size="sm"
          quiet
          className="w-40"
          aria-label={t('debug.filter')}
          value={filter.type}
          onValueChange={filter.setType}
          options={[
            { value: ALL, label: t('debug.all') },
            ...filter.types.map((type) => ({ value: type, label: type })),
          ]}
        />
        <Checkbox
          label={<span className="text-13 text-ink-2">{t('debug.hide_ping')}</span>}
          checked={filter.hidesPing}
          onCheckedChange={filter.setHidesPing}
        />
        <Button size="sm" onClick={events.clear}>
          {t('debug.clear_events')}
        </Button>
      </div>
      <EventList
        entries={filter.shown}
        height={LIST_HEIGHT}
        name={t('debug.events')}
        selectedKey={selectedKey}
        onSelect={setSelectedKey}
      />
      <div className="grid items-start gap-3 @min-[1100px]:grid-cols-[1.25fr_1fr]">
        <EventDetail entry={selected} />
        {trouble && <ConnectionTrouble trouble={trouble} />}
      </div>
      {isListing && (
        <SessionTable
          connectedId={sessionId}
          onUse={(id) => change({ sessionId: id, authMode: urlFree(settings) })}
        />
      )}
    </DebugColumns>
  )
}

/** Choosing a session means that its id counts, not an address typed before. */
function urlFree({ authMode }: DebugSettings) {
  return authMode === 'url' ? 'cookie' : authMode
}

function useFilter(entries: readonly Entry[]) {
  const [type, setType] = useState(ALL)
  const [hidesPing, setHidesPing] = useState(true)
  const types = useMemo(() => [...new Set(entries.map((entry) => entry.type))].sort(), [entries])
  const shown = useMemo(
    () =>
      entries.filter(
        (entry) => (type === ALL || entry.type === type) && !(hidesPing && entry.type === 'ping'),
      ),
    [entries, type, hidesPing],
  )
  return { type, setType, types, shown, hidesPing, setHidesPing }
}
