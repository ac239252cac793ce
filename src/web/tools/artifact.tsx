import { ExternalLink } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { cardStatus } from '../lib/card-status.ts'
import { useToken } from '../lib/token.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PanelHeader } from '../ui/panel-header.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useCard } from './cards.ts'
import { EventList } from './event-list.tsx'
import { Payload } from './payload.tsx'
import { Failure, StatusBadge, ToolBody } from './tool-card.tsx'
import { factsOf, toolIcon } from './tool-look.ts'
import { useToolName } from './tool-name.ts'
import { useTool } from './use-tools.ts'

type View = 'output' | 'input' | 'events'

/** Everything about one execution of a tool, for the right sidebar; null while there is none to show. */
export function Artifact({ block }: { block: ToolBlock | null }) {
  const { t } = useTranslation('streaming_blocks')
  if (block) return <Execution block={block} />
  return (
    <>
      <PanelHeader title={t('panel.artifact')} badges={<StatusBadge status="waiting" />} />
      <EmptyState title={t('artifact.none')}>{t('artifact.none_text')}</EmptyState>
    </>
  )
}

function Execution({ block }: { block: ToolBlock }) {
  const { t } = useTranslation('streaming_blocks')
  const [view, setView] = useState<View>('output')
  const name = useToolName(block.tool_id, block.tool_name)
  const card = useCard(block.tool_id)
  const facts = factsOf(block)
  const status = cardStatus(facts)
  const Icon = card?.Icon ?? toolIcon(`${block.tool_id} ${block.tool_name}`)
  const { scroller, hasMore } = useMoreBelow(`${status} ${view}`)
  const events = block.events.length
  return (
    <>
      <PanelHeader
        title={name}
        icon={<Icon aria-hidden className="icon" />}
        badges={<StatusBadge status={status} />}
        actions={block.tool_id && <ToolLink toolId={block.tool_id} />}
      />
      <Tabs
        name={t('artifact.views')}
        value={view}
        onValueChange={(next) => setView(next as View)}
        tabs={[
          { value: 'output', label: t('artifact.output') },
          { value: 'input', label: t('artifact.input') },
          { value: 'events', label: t('artifact.events'), count: events },
        ]}
        className="flex-none px-4"
      />
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto p-4">
        {view === 'output' && <Output block={block} card={card} facts={facts} status={status} />}
        {view === 'input' && <Raw value={block.input} empty={t('artifact.no_input')} />}
        {view === 'events' && <EventList events={block.events} />}
      </div>
      <div aria-hidden className={`h-px flex-none ${hasMore ? 'bg-line-2' : ''}`} />
    </>
  )
}

type OutputProps = {
  block: ToolBlock
  card: ReturnType<typeof useCard>
  facts: ReturnType<typeof factsOf>
  status: ReturnType<typeof cardStatus>
}

/** The tool's own interface where it has one, and what came out as it is. */
function Output({ block, card, facts, status }: OutputProps) {
  const { t } = useTranslation('streaming_blocks')
  const trouble = useInterfaceTrouble(block.tool_id)
  return (
    <div className="grid gap-4">
      {trouble && <p className="text-13 text-ink-2">{trouble}</p>}
      {status === 'error' && <Failure card={card} facts={facts} />}
      {status === 'waiting' && <p className="text-13 text-ink-2">{t('artifact.waiting')}</p>}
      {status !== 'error' && status !== 'waiting' && (
        <section className="rounded-card border border-line bg-surface p-3">
          <ToolBody block={block} card={card} facts={facts} status={status} />
        </section>
      )}
      {card && facts.result !== null && facts.result !== undefined && (
        <Section title={t('artifact.result')}>
          <Raw value={block.result} empty="" />
        </Section>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="text-13 font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** A payload as JSON; what is not whole JSON as the text it is. */
function Raw({ value, empty }: { value: unknown; empty: string }) {
  if (value === null || value === undefined || value === '')
    return <p className="text-13 text-ink-2">{empty}</p>
  return <Payload value={value} />
}

/** Why the tool's own interface cannot be shown; undefined when it can. */
function useInterfaceTrouble(toolId: string): string | undefined {
  const { t } = useTranslation('streaming_blocks')
  const token = useToken()
  const { isError, data } = useTool(toolId)
  if (toolId === '') return t('artifact.id_missing')
  if (token === null) return t('artifact.unauthenticated')
  return isError && !data ? t('artifact.details_failed') : undefined
}

function ToolLink({ toolId }: { toolId: string }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <a
      href={`/tools/${encodeURIComponent(toolId)}`}
      aria-label={t('artifact.open_tool')}
      data-tip={t('artifact.open_tool')}
      className="inline-grid size-8 flex-none place-items-center rounded-control text-ink-2 hover-motion hover:bg-surface-2 hover:text-ink max-md:size-11"
    >
      <ExternalLink aria-hidden className="icon" />
    </a>
  )
}

/** What a change of state brings needs this long to be laid out. */
export const MEASURE_AFTER_MS = 100

/** Whether there is more below what is seen; measured 100 ms after `change` and when it is scrolled. */
function useMoreBelow(change: string) {
  const scroller = useRef<HTMLDivElement>(null)
  const [hasMore, setMore] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what is measured after.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setMore(element.scrollHeight - element.scrollTop - element.clientHeight > 1)
    const timer = setTimeout(measure, MEASURE_AFTER_MS)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', measure)
    }
  }, [change])
  return { scroller, hasMore }
}
