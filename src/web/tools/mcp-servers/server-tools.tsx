import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CirclePlus } from 'lucide-react'
import { useState } from 'react'
import {
  type Decision,
  decideReadingTools,
  decideServerTool,
  type McpServer,
  type ServerTool,
} from '#shared/tools/own-tools/mcp-servers.ts'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Switch } from '../../platform/ui/checkbox.tsx'
import { Choice, Segment } from '../../platform/ui/choices/segments.tsx'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { noteServer } from './use-servers.ts'

const policies = ['auto', 'ask', 'never'] as const satisfies ToolPolicy[]

/** Tools of a server. The owner sets the default policy for users who have not chosen their own. */
export function ServerTools({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  if (server.tools.length === 0) return <p className="text-13 text-ink-2">{t('servers.no_tools')}</p>
  const fresh = server.tools.filter(({ news, is_there }) => news === 'new' && is_there)
  return (
    <section aria-label={t('servers.tools')}>
      {server.own && fresh.length > 0 && (
        <Callout tone="accent" icon={CirclePlus} className="mb-4">
          {t('servers.now_offers', { tools: fresh.map(({ key }) => key).join(', '), count: fresh.length })}
        </Callout>
      )}
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-80 text-12 text-ink-3">{t('servers.tools_text')}</p>
        <AllowReading server={server} />
      </div>
      <ul className="rounded-card border border-line">
        {server.tools.map((tool) => (
          <ToolRow key={tool.id} server={server} tool={tool} />
        ))}
      </ul>
    </section>
  )
}

/** Lets all tools that claim to be read-only run without asking, or makes them ask again. */
function AllowReading({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const reading = server.tools.filter(({ claim, is_there, is_on }) => claim === 'reads' && is_there && is_on)
  const policy = reading.every((tool) => tool.policy === 'auto') ? ('ask' as const) : ('auto' as const)
  const decide = useMutation({
    mutationFn: () =>
      call(decideReadingTools, {
        params: { toolSetId: server.id },
        body: { policy, tools: reading.map(({ id, version }) => ({ tool_id: id, version })) },
      }),
    onSuccess: noteServer,
    onError: (error) => toast.error(errorText(t, error)),
  })
  if (!server.own || reading.length === 0) return null
  return (
    <Button size="sm" busy={decide.isPending} onClick={() => decide.mutate()}>
      {t(policy === 'auto' ? 'servers.allow_reading' : 'servers.ask_reading', { count: reading.length })}
    </Button>
  )
}

function ToolRow({ server, tool }: { server: McpServer; tool: ServerTool }) {
  const { t } = useTranslation('tools')
  const [wish, setWish] = useState<Decision>({})
  const decide = async (decision: Decision) => {
    setWish(decision)
    try {
      noteServer(
        await call(decideServerTool, {
          params: { toolSetId: server.id },
          // Permission covers the version on screen, not a newer one on the server.
          body: {
            tool_id: tool.id,
            ...decision,
            ...(decision.policy === 'auto' && { version: tool.version }),
          },
        }),
      )
    } catch (error) {
      void toast.error(errorText(t, error))
    } finally {
      setWish({})
    }
  }
  const isOn = wish.is_on ?? tool.is_on
  const now = wish.policy ?? tool.policy ?? 'ask'
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3.5 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          {tool.is_there ? (
            <Link to="/tools/$toolId" params={{ toolId: tool.id }} className="font-mono text-13 font-medium">
              {tool.key}
            </Link>
          ) : (
            <span className="font-mono text-13 text-ink-3">{tool.key}</span>
          )}
          <Badge tone={tool.claim === 'contradicts' ? 'warning' : 'neutral'}>
            {t(`claims.${tool.claim}`)}
          </Badge>
          {tool.news && <Badge tone="accent">{t(`claims.news_${tool.news}`)}</Badge>}
          {!tool.is_there && <Badge tone="warning">{t('servers.gone')}</Badge>}
          {!isOn && tool.is_there && <Badge>{t('servers.off')}</Badge>}
        </p>
        <p className="truncate text-12 text-ink-2">{tool.description}</p>
      </div>
      {server.own && tool.is_there && (
        <>
          <Choice name={t('servers.policy_of', { tool: tool.key })}>
            {policies.map((policy) => (
              <Segment
                key={policy}
                isOn={now === policy}
                disabled={!isOn}
                onClick={() => void decide({ policy })}
              >
                {t(`servers.policy_${policy}`)}
              </Segment>
            ))}
          </Choice>
          <Switch
            checked={isOn}
            aria-label={t('servers.on', { tool: tool.key })}
            onCheckedChange={(is_on) => void decide({ is_on })}
            className="ml-auto items-center max-md:min-h-11"
          />
        </>
      )}
    </li>
  )
}
