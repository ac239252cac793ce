import { useNavigate, useParams } from '@tanstack/react-router'
import { RotateCcw, Server, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteMcpServer, type McpServer } from '#shared/own-tools/mcp-servers.ts'
import { errorText } from '../i18n/error-text.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { call } from '../lib/call.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Skeletons } from '../ui/skeleton.tsx'
import { toast } from '../ui/toasts/toasts.ts'
import { View } from '../ui/view.tsx'
import { BackLink } from './back-link.tsx'
import { ServerPrompts } from './server-prompts.tsx'
import { ServerResources } from './server-resources.tsx'
import { ServerTools } from './server-tools.tsx'
import { forgetServer, refreshServer, useServer } from './use-servers.ts'

/** The page of an MCP server: its tools and when they run, its prompts and its resources. */
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

function ServerPage({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  return (
    <View
      title={server.name}
      badges={
        <>
          <Badge tone="line" className="max-md:hidden">
            {t('kind.mcp')}
          </Badge>
          <Badge tone={server.error === null ? 'success' : 'danger'}>
            {t(server.error === null ? 'servers.connected' : 'servers.away')}
          </Badge>
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-[760px] flex-col gap-8 px-8 py-6 max-md:px-4">
          <div className="flex flex-wrap items-center gap-2">
            <BackLink to="/tools/servers">{t('servers.title')}</BackLink>
            <span className="flex-1" />
            <ServerActions server={server} />
          </div>
          {server.error !== null && (
            <Callout tone="danger" title={t('servers.away_title')}>
              {server.error}
            </Callout>
          )}
          {server.left > 0 && <Callout tone="warning">{t('servers.left', { count: server.left })}</Callout>}
          <Facts server={server} />
          <ServerTools server={server} />
          <ServerPrompts server={server} />
          <ServerResources server={server} />
        </div>
      </div>
    </View>
  )
}

function ServerActions({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const refresh = async () => {
    setBusy(true)
    await refreshServer(server.id).catch((error) => void toast.error(errorText(t, error)))
    setBusy(false)
  }
  const remove = async () => {
    try {
      await call(deleteMcpServer, { params: { toolSetId: server.id } })
      forgetServer()
      void navigate({ to: '/tools/servers' })
    } catch (error) {
      void toast.error(errorText(t, error))
    }
  }
  return (
    <>
      <Button
        variant="ghost"
        busy={isBusy}
        icon={<RotateCcw aria-hidden className="icon" />}
        onClick={() => void refresh()}
      >
        {t('servers.refresh')}
      </Button>
      {server.own && (
        <Button
          variant="danger-ghost"
          icon={<Trash2 aria-hidden className="icon" />}
          onClick={() => setAsking(true)}
        >
          {t('servers.forget')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('servers.forget_title', { server: server.name })}
        message={t('servers.forget_text')}
        confirmLabel={t('servers.forget')}
        onConfirm={() => void remove()}
      />
    </>
  )
}

function Facts({ server: { server, address, secrets, kind } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const place =
    address && (address.kind === 'http' ? address.url : [address.command, ...address.args].join(' '))
  const facts: [string, string][] = [
    [t('servers.itself'), `${server.name} ${server.version}`],
    [t('servers.kind'), t(`servers.${kind}`)],
    ...(place ? [[t(`servers.place_${kind}`), place] as [string, string]] : []),
    ...(secrets.length > 0
      ? [[t(`servers.secrets_${kind}`), secrets.map(({ name }) => name).join(', ')] as [string, string]]
      : []),
    [t('servers.protocol'), server.protocol],
  ]
  return (
    <dl className="grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-13">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="m-0 min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
