import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { buttonLook } from '../../platform/ui/button.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { View } from '../../platform/ui/view.tsx'
import { AgentTab } from './agent-tab.tsx'
import { reactTo } from './cards/react-to.ts'
import type { Entry } from './events/event-entry.ts'
import { useSettings } from './events/settings.ts'
import { useEvents } from './events/use-events.ts'
import { useRunProgress } from './events/use-run-progress.ts'
import { SseTab } from './sse-tab.tsx'

/** Debug area for super admins: manual tests of agents and event streams. Both tabs share one connection. */
export function DebugView() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const { settings, change } = useSettings()
  const { progress, hear } = useRunProgress()
  const onEvent = useCallback(
    (entry: Entry, sessionId: string | null) => {
      hear(entry)
      if (sessionId) reactTo(entry, sessionId)
    },
    [hear],
  )
  const events = useEvents(onEvent)
  const content = {
    agent: <AgentTab {...{ settings, change, events, progress }} />,
    sse: <SseTab {...{ settings, change, events }} />,
  }
  return (
    <View
      title={t('debug.title')}
      badges={
        <Badge tone="line" className="max-md:hidden">
          {t('debug.super_admin')}
        </Badge>
      }
      actions={
        <Link to="/debug/bench" className={buttonLook({ size: 'sm' })}>
          {t('debug.bench.title')}
        </Link>
      }
    >
      <Tabs
        name={t('debug.title')}
        value={tab === 'sse' ? 'sse' : 'agent'}
        onValueChange={(value) =>
          void navigate({ href: value === 'sse' ? '/debug?tab=sse' : '/debug', replace: true })
        }
        className="flex min-h-0 flex-1 flex-col [&>[role=tablist]]:flex-none [&>[role=tablist]]:px-6 max-md:[&>[role=tablist]]:px-4 [&>[role=tabpanel]]:min-h-0 [&>[role=tabpanel]]:flex-1"
        tabs={(['agent', 'sse'] as const).map((value) => ({
          value,
          label: t(`debug.tabs.${value}`),
          content: content[value],
        }))}
      />
    </View>
  )
}
