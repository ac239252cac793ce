import clsx from 'clsx'
import { ChevronDown, ChevronUp, Milestone } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { checkpointLabel } from './checkpoint-label.ts'
import type { CheckpointBlock } from './group-blocks.ts'
import { shownOnHover } from './shown-on-hover.ts'
import { useCheckpointNames, useReplyOfCheckpoints } from './use-checkpoints.ts'

const items = () => import('./checkpoint-items.tsx')
const Items = lazy(items)
const ReturnButton = lazy(() => items().then(({ ReturnButton }) => ({ default: ReturnButton })))

type CheckpointsProps = {
  blocks: readonly CheckpointBlock[]
  /** The line is part of a wrapping row, and shows with it on hover and focus. */
  isInRow?: boolean
}

/**
 * Neighbouring checkpoints of a reply as one quiet line that expands. It is named after the completed work, or with their
 * given names. After a step, and if it has a name, the line itself offers to return.
 */
export function Checkpoints({ blocks, isInRow = false }: CheckpointsProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const replyId = useReplyOfCheckpoints()
  const { names, isKnown } = useCheckpointNames(replyId !== null)
  const named = blocks.filter((block) => names.has(block.id))
  const place = named[0] ?? blocks.find(isTelling) ?? blocks.at(-1)
  if (!place) return null
  const words =
    named.map((block) => names.get(block.id)).join(', ') || checkpointLabel(t, place.checkpoint_name)
  const more = blocks.length - Math.max(1, named.length)
  const isMark = named.length > 0 || /after_step\d+(_with_input)?$/.test(place.checkpoint_name)
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <div className={clsx('text-12 text-ink-3', isInRow ? 'contents' : 'checkpoint-line print:hidden my-1.5')}>
      <div className={clsx('flex h-5 items-center gap-2', isInRow && !isOpen && shownOnHover)}>
        {isMark && <span aria-hidden className="h-px w-3 flex-none bg-line" />}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex h-6 min-w-0 flex-none items-center gap-1.5 rounded-tag hover-motion hover:text-ink-2 max-md:h-8"
        >
          <Milestone aria-hidden className="icon-12 flex-none" />
          {/* Rendered once names are known, so that the line does not change. */}
          <span className={clsx('truncate', !isKnown && 'opacity-0')}>
            {words}
            <span className="sr-only">, {t('checkpoints.count', { count: blocks.length })}</span>
          </span>
          {more > 0 && (
            <span aria-hidden className="num flex-none">
              +{more}
            </span>
          )}
          <Chevron aria-hidden className="icon-12 flex-none" />
        </button>
        {isMark && <span aria-hidden className="h-px min-w-3 flex-1 bg-line" />}
        {isMark && replyId && !isOpen && (
          <Suspense fallback={null}>
            <ReturnButton replyId={replyId} block={place} name={words} />
          </Suspense>
        )}
      </div>
      <div id={id} hidden={!isOpen} className={clsx(isInRow && 'order-last basis-full')}>
        {isOpen && (
          <Suspense fallback={null}>
            <Items blocks={blocks} names={names} replyId={replyId} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

const isTelling = ({ checkpoint_name }: CheckpointBlock) => !checkpoint_name.includes('llm_checkpoint')
