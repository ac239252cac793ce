import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'

type FoldedProps = {
  items: readonly Checkpoint[]
  draw: (item: Checkpoint, isLast: boolean) => ReactNode
}

/** Consecutive automatic checkpoints as one line, which opens to their rows. */
export function FoldedRows({ items, draw }: FoldedProps) {
  const { t } = useTranslation('streaming_blocks')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="relative flex h-7 w-full items-center gap-2.5 rounded-control pr-2 pl-[15px] text-12 text-ink-3 hover-motion hover:bg-surface hover:text-ink-2 max-md:h-10"
      >
        <span aria-hidden className="size-[9px] flex-none rounded-full border border-line-2 bg-bg" />
        <span className="num ml-[7.5px]">{t('checkpoints.automatic', { count: items.length })}</span>
        <Chevron aria-hidden className="icon-12" />
      </button>
      <ol id={id} hidden={!isOpen}>
        {isOpen && items.map((item, at) => draw(item, at === items.length - 1))}
      </ol>
    </li>
  )
}
