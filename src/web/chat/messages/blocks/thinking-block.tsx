import { Brain, ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Markdown } from '../../../platform/markdown/markdown.tsx'

/** Delay before finished reasoning closes. */
const CLOSE_AFTER_MS = 1000

/** The model's reasoning: open while it is thinking, closed 1 s after; opening or closing it by hand is permanent. */
export function Thinking({
  block,
  growing,
}: {
  block: Extract<Block, { type: 'thinking' }>
  growing: boolean
}) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const isThinking = growing && block.duration_ms === null
  const [isOpen, setOpen] = useAutoFold(isThinking)
  const seconds = Math.max(1, Math.round((block.duration_ms ?? 0) / 1000))
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <div className="border-l-2 border-line-2 pl-3.5 text-ink-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-1.5 rounded-tag text-12 text-ink-3 hover:text-ink-2 max-md:min-h-8"
      >
        <Brain aria-hidden className="icon-12" />
        {isThinking ? t('thinking') : t('thought_for', { count: seconds })}
        <Chevron aria-hidden className="icon-12" />
      </button>
      <div id={id} hidden={!isOpen} className="thought mt-1">
        {isOpen && <Markdown text={block.text} growing={isThinking} />}
      </div>
    </div>
  )
}

function useAutoFold(isThinking: boolean) {
  const [byHand, setByHand] = useState<boolean | null>(null)
  const [isFresh, setFresh] = useState(isThinking)
  useEffect(() => {
    if (isThinking) return setFresh(true)
    const timer = setTimeout(() => setFresh(false), CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isThinking])
  return [byHand ?? (isThinking || isFresh), setByHand] as const
}
