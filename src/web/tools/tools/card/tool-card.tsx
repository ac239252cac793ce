import { Ban, Check, CircleDashed, CircleStop, CircleX, PanelRightOpen, Pencil } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense } from 'react'
import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { readEnding } from '#shared/tools/tools/tool-errors.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { type CardFacts, type CardStatus, cardStatus } from '../../../platform/lib/card-status.ts'
import { Badge, type Tone } from '../../../platform/ui/badge.tsx'
import type { CardBodyProps, ToolCardParts } from '../../../platform/ui/card-parts.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { Spinner } from '../../../platform/ui/states/spinner.tsx'
import { factsOf, summarise, toolIcon } from '../look/tool-look.ts'
import { useToolName } from '../look/tool-name.ts'
import { useToolCard } from '../look/use-tool-card.ts'
import { useTool } from '../look/use-tools.ts'
import { Failure, type Remedies } from './failure.tsx'
import { GeneralBody } from './general-body.tsx'
import { LargeBody } from './large-body.tsx'
import { isPartial } from './use-whole.ts'

const RemoteBody = lazy(() => import('../remote/remote-body.tsx'))

type ToolCardProps = {
  block: ToolBlock
  /** Opens the execution's details. Without it, the card has no link to them. */
  onOpen?: () => void
  /** Whether the details are open. */
  isOn?: boolean
  /** Note about the tool itself, for instance that it was deleted. */
  note?: ReactNode
  /** Effect of an error on the caller of the tool. */
  consequence?: ReactNode
  /** Actions after a failed call. Without them, the card only shows the reason. */
  remedies?: Remedies
  /** Called when the user edits inputs in the card. */
  onInput?: CardBodyProps['onInput']
  field?: CardBodyProps['field']
}

/** Card of a tool call: the tool, its state, input and output. */
export const ToolCard = memo(function ToolCard({
  block,
  onOpen,
  isOn = false,
  note,
  consequence,
  remedies,
  onInput,
  field,
}: ToolCardProps) {
  const facts = factsOf(block)
  const { card, missing } = useToolCard(block.tool_id)
  const own = cardStatus(facts)
  // An editable card shows its inputs from the start.
  const status = own === 'waiting' && onInput && card?.edits ? 'input' : own
  return (
    <section className={`rounded-card border bg-surface ${isOn ? 'border-accent' : 'border-line'}`}>
      <Head
        {...{ block, card, onOpen, isOn }}
        status={status === 'done' && card?.hasFailed?.(facts.result) ? 'error' : status}
        input={facts.input}
        error={facts.error}
      />
      {note && <p className="border-t border-line px-3 py-2 text-12 text-ink-2">{note}</p>}
      {/* While its details are open, the result stands there. */}
      {(status !== 'waiting' || card?.Empty) && !(isOn && status === 'done') && (
        <div className="border-t border-line p-3">
          {status === 'waiting' ? (
            card?.Empty && <card.Empty />
          ) : status === 'error' ? (
            <Failure {...{ card, facts, remedies }} toolId={block.tool_id}>
              {block.status === 'error' && consequence}
            </Failure>
          ) : (
            <ToolBody {...{ block, card, missing, facts, status, onInput, field }} />
          )}
        </div>
      )}
    </section>
  )
})

type HeadProps = Pick<ToolCardProps, 'block' | 'onOpen' | 'isOn'> & {
  card: ToolCardParts | null | undefined
  input: unknown
  status: CardStatus
  error: string | null
}

function Head({ block, card, input, status, error, onOpen, isOn }: HeadProps) {
  const { t } = useTranslation('streaming_blocks')
  const name = useToolName(block.tool_id, block.tool_name)
  const Icon = card?.Icon ?? toolIcon(`${block.tool_id} ${block.tool_name}`)
  return (
    <div className="relative flex items-center gap-2.5 py-2 pr-2 pl-2.5">
      <span
        className={`inline-grid size-8 flex-none place-items-center rounded-row ${isOn ? 'bg-accent-soft text-accent' : 'bg-surface-2 text-ink-2'}`}
      >
        <Icon aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="truncate text-13 leading-[17px] font-medium">{name}</h3>
        <p className="truncate text-12 text-ink-2">{(card?.summarise ?? summarise)(input)}</p>
      </div>
      <StatusBadge status={status} error={error} />
      {onOpen && (
        <IconButton
          name={t('tool.open_panel', { tool: name })}
          size="sm"
          aria-expanded={isOn}
          on={isOn}
          onClick={onOpen}
          className="static! after:absolute after:inset-0 max-md:size-8"
        >
          <PanelRightOpen aria-hidden className="icon" />
        </IconButton>
      )}
    </div>
  )
}

const looks: Record<CardStatus | 'declined' | 'stopped', { tone: Tone; icon: ReactNode }> = {
  waiting: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
  input: { tone: 'warning', icon: <Pencil aria-hidden /> },
  running: { tone: 'accent', icon: <Spinner className="icon-12" /> },
  done: { tone: 'success', icon: <Check aria-hidden /> },
  error: { tone: 'danger', icon: <CircleX aria-hidden /> },
  declined: { tone: 'neutral', icon: <Ban aria-hidden /> },
  stopped: { tone: 'neutral', icon: <CircleStop aria-hidden /> },
}

/** State of a card as a badge. Declined and stopped calls do not count as failed. */
export function StatusBadge({ status, error = null }: { status: CardStatus; error?: string | null }) {
  const { t } = useTranslation('streaming_blocks')
  const word = (status === 'error' && readEnding(error)) || status
  const { tone, icon } = looks[word]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`tool.${word}`)}
    </Badge>
  )
}

type ToolBodyProps = {
  block: ToolBlock
  card: ToolCardParts | null | undefined
  /** Component named by the tool but unknown here; otherwise null. */
  missing: string | null
  facts: CardFacts
  status: Exclude<CardStatus, 'waiting' | 'error'>
  /** Whether the user opened this call. If so, it is shown whole, whatever its size. */
  isOpened?: boolean
  onInput?: CardBodyProps['onInput']
  field?: CardBodyProps['field']
}

/** Interface kinds shown in their own frame. */
const framedKinds = new Set(['remote', 'uploaded', 'app'])

/** The tool's own card, or its output and input, below a placeholder if a card is missing. */
export function ToolBody({ block, card, missing, facts, status, isOpened = false, ...host }: ToolBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  const { data: tool } = useTool(block.tool_id)
  const isRemote = tool !== undefined && framedKinds.has(tool.ui_location?.kind ?? '')
  if (card === undefined) return <BodySkeleton />
  // The default card needs only the parts in the message, except for the result.
  if (status === 'done' && isPartial(block) && (card !== null || block.result_ref))
    return (
      <LargeBody
        block={block}
        hasCard={card !== null || isRemote}
        isOpened={isOpened}
        draw={(whole) => <ToolBody {...{ card, missing, status }} block={whole} facts={factsOf(whole)} />}
      />
    )
  if (card === null && isRemote)
    return (
      <Suspense fallback={<BodySkeleton />}>
        <RemoteBody {...{ tool, block, facts }}>
          <GeneralBody {...{ block, facts, status }} />
        </RemoteBody>
      </Suspense>
    )
  if (card === null)
    return (
      <div className="grid gap-3">
        {missing !== null && (
          <p className="rounded-row border border-dashed border-line-2 px-3 py-2 text-13 text-ink-2">
            {t('tool.unknown_component', { name: missing })}
          </p>
        )}
        <GeneralBody block={block} facts={facts} status={status} />
      </div>
    )
  const { input, result } = facts
  return (
    <Suspense fallback={<BodySkeleton />}>
      <card.Body {...{ status, input, result, events: block.events, ...host }} />
    </Suspense>
  )
}

function BodySkeleton() {
  return <Skeleton className="h-7 w-44" />
}
