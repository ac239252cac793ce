import { useParams } from '@tanstack/react-router'
import { RotateCcw, Server } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { McpServer } from '#shared/tools/own-tools/mcp-servers.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { useAction } from '../../platform/lib/use-action.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { View } from '../../platform/ui/view.tsx'
import { AccountSection, useToolAccount } from '../tool-accounts/tool-accounts.tsx'
import { serverFailure } from '../tools/tools.ts'
import { BackLink } from './back-link.tsx'
import { RefusedTools } from './refused-tools.tsx'
import { ServerConnection } from './server-connection.tsx'
import { ServerGlance } from './server-glance.tsx'
import { ServerAside } from './server-health.tsx'
import { ServerPrompts } from './server-prompts.tsx'
import { ServerResources } from './server-resources.tsx'
import { ServerTools } from './server-tools.tsx'
import { ShareServer } from './share-server.tsx'
import { StateBadge } from './state-badge.tsx'
import { askServer } from './use-health.ts'
import { useServer } from './use-servers.ts'

/** Page of an MCP server: connection, tools, prompts, resources and health. */
export function ServerView() {
  const { t } = useTranslation('tools')
  const { serverId = '' } = useParams({ strict: false }) as { serverId?: string }
  const { data: server, error, refetch } = useServer(serverId)
  if (server) return <ServerPage server={server} />
  return (
    <View title={t('servers.title')}>
      {error ? (
        <EmptyState
          page
          icon={<Server aria-hidden />}
          title={t('servers.unreadable')}
          action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
        >
          {errorText(t, error)}
        </EmptyState>
      ) : (
        <Skeletons className="grid gap-4 px-8 py-6" sizes={['h-12 w-72', 'h-40 w-full rounded-card']} />
      )}
    </View>
  )
}

const sections = ['connection', 'tools', 'prompts', 'resources'] as const
type Section = (typeof sections)[number]

function ServerPage({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { data: account } = useToolAccount(server.id, server.oauth)
  const isSignedIn = account === undefined || account.connected_at !== null
  const [section, setSection] = useState<Section>(server.tools.length > 0 ? 'tools' : 'connection')
  const { tools, prompts, resources } = server
  const glance = <ServerGlance server={server} onOpen={setSection} />
  const shown: Record<Section, { count?: number; content: ReactNode } | null> = {
    connection: server.own
      ? {
          content: (
            <>
              {glance}
              <ServerConnection server={server} />
            </>
          ),
        }
      : null,
    tools: {
      count: tools.length,
      content: (
        <>
          <ServerTools server={server} />
          {glance}
        </>
      ),
    },
    prompts: { count: prompts.length, content: <ServerPrompts server={server} /> },
    resources: { count: resources.length, content: <ServerResources server={server} /> },
  }
  const open = sections.filter((one) => shown[one] !== null)
  const current = open.includes(section) ? section : 'tools'
  return (
    <View
      title={server.name}
      badges={
        <>
          <Badge tone="line" className="max-md:hidden">
            {t('kind.mcp')}
          </Badge>
          {server.shared_by && (
            <Badge tone="line" className="max-lg:hidden">
              {t('shared_by', { name: server.shared_by })}
            </Badge>
          )}
          <StateBadge error={server.error} is_known={server.is_known && isSignedIn} />
        </>
      }
      actions={
        <>
          {server.own && <ShareServer server={server} />}
          <Reconnect server={server} />
        </>
      }
    >
      <div className="flex min-h-0 flex-1 overflow-y-auto max-xl:flex-col xl:overflow-hidden">
        <div className="min-w-0 flex-1 max-xl:flex-none xl:overflow-y-auto">
          <div className="mx-auto flex max-w-[808px] flex-col gap-4 px-6 py-4 max-md:px-4">
            <BackLink to="/tools/servers">{t('servers.title')}</BackLink>
            {server.error !== null && (
              <Callout tone="danger" title={t('servers.away_title')}>
                {serverFailure(t, server.error)}
              </Callout>
            )}
            {server.left > 0 && <Callout tone="warning">{t('servers.left', { count: server.left })}</Callout>}
            {server.server.twins && server.server.twins.length > 0 && (
              <Callout tone="warning">
                {t('servers.twins', { names: server.server.twins.join(', ') })}
              </Callout>
            )}
            <RefusedTools server={server} />
            {server.oauth && <AccountSection setId={server.id} />}
            <Tabs
              name={t('servers.sections')}
              value={current}
              onValueChange={(value) => setSection(open.find((one) => one === value) ?? 'tools')}
              tabs={open.map((value) => ({
                ...{ value, label: t(`servers.section.${value}`) },
                ...(shown[value]?.count ? { count: shown[value].count } : {}),
                content: (
                  <div className="grid grid-cols-[minmax(0,1fr)] gap-[18px] pt-5">
                    {value === current && shown[value]?.content}
                  </div>
                ),
              }))}
            />
          </div>
        </div>
        <ServerAside server={server} />
      </div>
    </View>
  )
}

function Reconnect({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { run, isPending } = useAction(() =>
    askServer(server.id, true).catch((error) => void toast.error(errorText(t, error))),
  )
  return (
    <Button
      variant="ghost"
      aria-label={t('servers.reconnect')}
      busy={isPending}
      icon={<RotateCcw aria-hidden className="icon" />}
      onClick={() => void run()}
    >
      <span className="max-md:hidden">{t('servers.reconnect')}</span>
    </Button>
  )
}
