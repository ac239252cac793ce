import { lazy, memo, Suspense, useMemo, useRef } from 'react'
import type {
  AdaptedBlock,
  Block,
  FallbackBlock,
  InputRequiredBlock,
  StepBlock,
} from '#shared/runs/runs/blocks.ts'
import type { PlannedStep } from '#shared/runs/runs/view.ts'
import { CitedText } from '../../../platform/citations/citations.ts'
import { adaptedText } from '../../../platform/i18n/adapted-text.ts'
import { fallbackText } from '../../../platform/i18n/fallback-text.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Checkpoints } from './checkpoint-line.tsx'
import { type CheckpointBlock, type Group, groupBlocks, type Part } from './group-blocks.ts'
import { markers, ToolStep } from './lazy-tools.tsx'
import { Planned, SingleStep, Step } from './step-block.tsx'
import { Thinking } from './thinking-block.tsx'

// Most replies have no request.
const InputRequest = lazy(() =>
  import('./input-request.tsx').then(({ InputRequest }) => ({ default: InputRequest })),
)

type MessageBlocksProps = {
  blocks: readonly Block[]
  /** More is expected: the last block is growing. */
  growing: boolean
  /** Steps that have not started. */
  planned?: readonly PlannedStep[]
}

const Sources = lazy(() => import('./sources.tsx'))
const SteeringBlock = lazy(() => import('./steering-block.tsx'))
const PausedBlock = lazy(() => import('./paused-block.tsx'))
const ErrorBlock = lazy(() => import('./error-block.tsx'))
const isUnderWay = ({ completed, failed }: StepBlock) => !completed && !failed

/** The blocks of a reply in order, grouped by step. */
export function MessageBlocks({ blocks, growing, planned = [] }: MessageBlocksProps) {
  const groups = useGroups(blocks)
  return (
    <div className="run-blocks">
      {groups.map((group, at) => {
        if (group.kind !== 'step') return drawPart(group, growing && at === groups.length - 1)
        const isRunning = growing && isUnderWay(group.step)
        return (
          <Step key={group.step.id} step={group.step} isRunning={isRunning} isStreaming={growing}>
            {group.parts.map((part, inner) => drawPart(part, isRunning && inner === group.parts.length - 1))}
          </Step>
        )
      })}
      {growing && planned.map((step) => <Planned key={step.number} step={step} />)}
    </div>
  )
}

function drawPart(part: Part, growing: boolean) {
  if (part.kind === 'checkpoints') return <Checkpoints key={part.blocks[0]?.id} blocks={part.blocks} />
  if (part.kind === 'asked')
    return <Asked key={part.request.id} block={part.request} checkpoints={part.blocks} />
  return <BlockView key={part.block.id} block={part.block} growing={growing} />
}

/** Returns the groups; unchanged ones keep their identity, so that only growing ones rerender. */
function useGroups(blocks: readonly Block[]): Group[] {
  const last = useRef<{ blocks: readonly Block[]; groups: Group[] } | null>(null)
  if (last.current?.blocks === blocks) return last.current.groups
  const groups = groupBlocks(blocks)
  last.current = { blocks, groups }
  return groups
}

const BlockView = memo(function BlockView({ block, growing }: { block: Block; growing: boolean }) {
  switch (block.type) {
    case 'text':
      return <Text block={block} growing={growing} />
    case 'thinking':
      return <Thinking block={block} growing={growing} />
    case 'step':
      return <SingleStep step={block} isRunning={growing && !block.completed} />
    case 'fallback':
      return <FallbackLine block={block} />
    case 'adapted':
      return <AdaptedLine block={block} />
    case 'steering':
      return (
        <Suspense fallback={<div className="h-14" />}>
          <SteeringBlock block={block} />
        </Suspense>
      )
    case 'checkpoint':
      return <Checkpoints blocks={[block]} />
    case 'tool':
      return <ToolStep block={block} />
    case 'input_required':
      return <Asked block={block} />
    case 'paused':
      return (
        <Suspense fallback={<div className="h-16" />}>
          <PausedBlock block={block} />
        </Suspense>
      )
    case 'error':
      return (
        <Suspense fallback={<div className="h-32 rounded-card border border-line" />}>
          <ErrorBlock block={block} />
        </Suspense>
      )
  }
})

function FallbackLine({ block }: { block: FallbackBlock }) {
  const { t } = useTranslation('common')
  return <p className="my-1.5 text-12 text-ink-3">{fallbackText(t, block)}</p>
}

function AdaptedLine({ block }: { block: AdaptedBlock }) {
  const { t } = useTranslation('common')
  const text = adaptedText(t, block.adaptations)
  return text ? <p className="my-1.5 text-12 text-ink-3">{text}</p> : null
}

function Text({ block, growing }: { block: Extract<Block, { type: 'text' }>; growing: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const { text, sources, doubts } = block
  const passages = useMemo(
    () => new Map((sources ?? []).flatMap(({ id, passage }) => (passage ? [[id, passage] as const] : []))),
    [sources],
  )
  const pages = useMemo(
    () =>
      new Map(
        (sources ?? []).flatMap(({ url, title, snippet = '', passage }) =>
          url && !passage ? [[url, { url, title: title ?? url, snippet }] as const] : [],
        ),
      ),
    [sources],
  )
  const queries = useMemo(
    () => new Map((sources ?? []).flatMap(({ id, query }) => (query ? [[id, query] as const] : []))),
    [sources],
  )
  return (
    <>
      <CitedText {...{ text, passages, pages, queries, doubts, growing }} custom={markers} />
      {sources && !growing && (
        <Suspense fallback={<div className="h-16" />}>
          <Sources sources={sources} text={text} />
        </Suspense>
      )}
      {block.is_filtered && <p className="mt-3 text-13 text-ink-2">{t('filtered')}</p>}
    </>
  )
}

function Asked(props: { block: InputRequiredBlock; checkpoints?: readonly CheckpointBlock[] }) {
  return (
    <Suspense fallback={<div className="h-11.5 rounded-card border border-line" />}>
      <InputRequest {...props} />
    </Suspense>
  )
}
