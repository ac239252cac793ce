import { Check, CircleDashed, CircleX, PanelRightOpen, Pencil, RotateCcw } from 'lucide-react'
import { memo, type ReactNode, Suspense } from 'react'
import type { ToolBlock } from '#shared/runs/blocks.ts'
import { type TFunction, useTranslation } from '../../i18n/i18n.ts'
import { type CardFacts, type CardStatus, cardStatus } from '../../lib/card-status.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import type { Remedy, ToolCardParts } from '../../ui/card-parts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { factsOf, NO_REASON, summarise, toolIcon } from '../look/tool-look.ts'
import { useToolName } from '../look/tool-name.ts'
import { useToolCard } from '../look/use-tool-card.ts'
import { GeneralBody } from './general-body.tsx'
import { LargeBody } from './large-body.tsx'
import { isPartial } from './use-whole.ts'

type ToolCardProps = {
  block: ToolBlock
  /** Opens everything about the execution; without it the card stands alone. */
  onOpen?: () => void
  /** That is what is open now. */
  isOn?: boolean
  /** A line about the tool itself, such as that it is gone. */
  note?: ReactNode
  /** What an error means for what called the tool. */
  consequence?: ReactNode
  /** What a failed call offers; without it the card only says why. */
  remedies?: Remedies
}

/** The ways on after an error; which of them is offered is the card's to say. */
export type Remedies = Record<Remedy, () => void> & { isBusy: boolean }

/** One call of a tool: what it is, how far it is, what went in and what came out. */
export const ToolCard = memo(function ToolCard({
  block,
  onOpen,
  isOn = false,
  note,
  consequence,
  remedies,
}: ToolCardProps) {
  const facts = factsOf(block)
  const status = cardStatus(facts)
  const { card, missing } = useToolCard(block.tool_id)
  return (
    <section className={`rounded-card border bg-surface ${isOn ? 'border-accent' : 'border-line'}`}>
      <Head block={block} card={card} input={facts.input} status={status} onOpen={onOpen} isOn={isOn} />
      {note && <p className="border-t border-line px-3 py-2 text-12 text-ink-2">{note}</p>}
      {status !== 'waiting' && (
        <div className="border-t border-line p-3">
          {status === 'error' ? (
            <Failure card={card} facts={facts} remedies={remedies}>
              {consequence}
            </Failure>
          ) : (
            <ToolBody {...{ block, card, missing, facts, status }} />
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
}

function Head({ block, card, input, status, onOpen, isOn }: HeadProps) {
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
      <StatusBadge status={status} />
      {onOpen && (
        <IconButton
          name={t('tool.open_panel', { tool: name })}
          size="sm"
          aria-expanded={isOn}
          on={isOn}
          onClick={onOpen}
          className="after:absolute after:inset-0 max-md:size-8"
        >
          <PanelRightOpen aria-hidden className="icon" />
        </IconButton>
      )}
    </div>
  )
}

const looks: Record<CardStatus, { tone: Tone; icon: ReactNode }> = {
  waiting: { tone: 'neutral', icon: <CircleDashed aria-hidden /> },
  input: { tone: 'warning', icon: <Pencil aria-hidden /> },
  running: { tone: 'accent', icon: <Spinner className="icon-12" /> },
  done: { tone: 'success', icon: <Check aria-hidden /> },
  error: { tone: 'danger', icon: <CircleX aria-hidden /> },
}

/** The state of a card, in a word. */
export function StatusBadge({ status }: { status: CardStatus }) {
  const { t } = useTranslation('streaming_blocks')
  const { tone, icon } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {t(`tool.${status}`)}
    </Badge>
  )
}

type FailureProps = {
  card: ToolCardParts | null | undefined
  facts: CardFacts
  remedies?: Remedies | undefined
  children?: ReactNode
}

/** Why a call failed, in the tool's words or in the person's language where the card knows them, and one way on. */
export function Failure({ card, facts, remedies, children }: FailureProps) {
  const { t } = useTranslation('streaming_blocks')
  const { t: own, ready } = useTranslation('tool_ui', { useSuspense: false })
  const remedy = card?.remedy?.(facts.error ?? '', facts.input) ?? 'retry'
  const Icon = remedy === 'edit' ? Pencil : RotateCcw
  return (
    <Callout
      tone="danger"
      title={explain(facts, card, ready ? own : null) ?? t('tool.no_reason')}
      action={
        remedies && (
          <Button
            size="sm"
            busy={remedies.isBusy}
            icon={<Icon aria-hidden className="icon-14" />}
            onClick={remedies[remedy]}
          >
            {t(`tool.${remedy}`)}
          </Button>
        )
      }
    >
      {children}
    </Callout>
  )
}

function explain({ error, input }: CardFacts, card: ToolCardParts | null | undefined, t: TFunction | null) {
  if (!error || error === NO_REASON) return null
  return (t && card?.explain?.(error, input, t)) ?? error
}

type ToolBodyProps = {
  block: ToolBlock
  card: ToolCardParts | null | undefined
  /** The component the tool names and nobody here has. */
  missing: string | null
  facts: CardFacts
  status: Exclude<CardStatus, 'waiting' | 'error'>
  /** It is what the person opened: then it is shown whole, however large. */
  isOpened?: boolean
}

/** The tool's own card where it has one, else what went in and came out, under a placeholder for one that is missing. */
export function ToolBody({ block, card, missing, facts, status, isOpened = false }: ToolBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  if (card === undefined) return <BodySkeleton />
  // The general card draws what a message holds of everything but the result.
  if (status === 'done' && isPartial(block) && (card !== null || block.result_ref))
    return (
      <LargeBody
        block={block}
        hasCard={card !== null}
        isOpened={isOpened}
        draw={(whole) => <ToolBody {...{ card, missing, status }} block={whole} facts={factsOf(whole)} />}
      />
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
      <card.Body status={status} input={input} result={result} events={block.events} />
    </Suspense>
  )
}

function BodySkeleton() {
  return <Skeleton className="h-7 w-44" />
}
