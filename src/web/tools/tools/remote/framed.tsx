import { ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { API_BASE } from '#shared/platform/http.ts'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import type { PageMessage } from '#shared/tools/tool-interfaces/messages.ts'
import type { OpenedInterface } from '#shared/tools/tool-interfaces/tool-interfaces.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import type { CardFacts } from '../../../platform/lib/card-status.ts'
import { useCurrentSession } from '../../../platform/lib/current-session.ts'
import { useDark } from '../../../platform/lib/theme.ts'
import { useToolName } from '../look/tool-name.ts'
import { type Dialect, plainDialect } from './dialect.ts'
import { createAppDialect } from './mcp-apps.ts'
import { useAskedCall } from './use-asked-call.ts'
import { type Stopped, useFrame } from './use-frame.ts'

const ExecutionRequest = lazy(() => import('../execution/execution-request.tsx'))

type Opened = OpenedInterface & { state: 'ready' }

type FramedProps = {
  tool: Tool
  block: ToolBlock
  facts: CardFacts
  host: string
  opened: Opened
  onStopped: (why: Stopped) => void
}

/** An interface in its frame, with its origin and, below it, the approvals it requests. */
export function Framed({ tool, block, facts, host, opened, onStopped }: FramedProps) {
  const { t } = useTranslation('tools')
  const frame = useRef<HTMLIFrameElement>(null)
  const say = useRef<((message: PageMessage) => void) | null>(null)
  const sessionId = useCurrentSession((state) => state.id)
  const name = useToolName(tool.id, tool.ui_name)
  const look = useLook()
  const dialect = useDialect(opened, look)
  const { ask, execution } = useAskedCall(tool.id, sessionId, (answer) =>
    say.current?.({ type: 'answer', ...answer }),
  )
  const height = useFrame({
    ...{ frame, dialect, onStopped },
    onCall: (asked) => void ask(asked),
    onReady: (next) => {
      say.current = next
      const { input, result } = facts
      next({
        ...{ type: 'init', protocol: 1, tool: { id: tool.id, name }, ...look },
        ...{ status: block.status, input, result: result ?? null },
      })
    },
  })
  const { input, result } = facts
  useTelling(say, { type: 'input', input }, block.input)
  useTelling(say, { type: 'result', result: result ?? null }, block.result)
  useTelling(say, { type: 'state', status: block.status, ...look }, `${block.status} ${Object.values(look)}`)
  const request = execution?.request ?? null
  return (
    <div className="overflow-hidden rounded-row border border-line-2 bg-bg">
      <iframe
        ref={frame}
        title={t('remote.title', { tool: name })}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src={API_BASE + opened.path}
        style={{ height, colorScheme: look.theme }}
        className="block w-full border-0"
      />
      {execution && request && (
        <div className="border-t border-line p-3">
          <p className="mb-2 text-13 font-medium">
            {t('remote.wants', { tool: request.tool?.tool_name ?? execution.tool_id })}
          </p>
          <Suspense fallback={null}>
            <ExecutionRequest id={execution.id} request={request} />
          </Suspense>
        </div>
      )}
      <p className="flex h-8 items-center gap-1.5 border-t border-line bg-surface px-2.5 text-12 text-ink-2">
        {opened.speaks === 'atrium' && <ShieldCheck aria-hidden className="icon-12 flex-none text-success" />}
        <span className="flex-none">
          {t(opened.speaks === 'atrium' ? 'remote.verified' : 'remote.of_server')}
        </span>
        <span className="truncate text-ink-3">{host}</span>
      </p>
    </div>
  )
}

function useLook() {
  const isDark = useDark()
  const { i18n } = useTranslation('tools')
  const language = i18n.language.startsWith('fr') ? ('fr' as const) : ('en' as const)
  return { language, theme: isDark ? ('dark' as const) : ('light' as const) }
}

function useDialect({ speaks, calls }: Opened, look: ReturnType<typeof useLook>): Dialect {
  const latest = useRef(look)
  latest.current = look
  return useMemo(
    () => (speaks === 'mcp_apps' ? createAppDialect({ look: () => latest.current, calls }) : plainDialect),
    [speaks, calls],
  )
}

/** Sends later changes to the interface; `init` sends the initial state. */
function useTelling(
  say: { current: ((message: PageMessage) => void) | null },
  message: PageMessage,
  key: unknown,
): void {
  const told = useRef(key)
  const latest = useRef(message)
  latest.current = message
  useEffect(() => {
    if (told.current === key) return
    told.current = key
    say.current?.(latest.current)
  }, [key, say])
}
