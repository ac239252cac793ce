import type { FoundSource } from '#shared/runs/runs/sources.ts'
import type { Leaf } from '../../../runs/runs/runs.ts'

/** How a text ended; empty when it is whole. */
export type TextEnd = { is_cut?: true; is_filtered?: true }

export function endOf(finish: string | null): TextEnd {
  if (finish === 'length') return { is_cut: true }
  return finish === 'content-filter' ? { is_filtered: true } : {}
}

/** Streams the text of a model call, set off from earlier text of the message. */
export function createScreen(leaf: Leaf, messageId: string) {
  const hasTextBefore = leaf.hasText()
  let hasText = false
  return {
    show: (text: string): void => {
      if (text === '') return
      if (!hasText) leaf.emit({ event: 'response_stream_start', message_id: messageId })
      const gap = !hasText && hasTextBefore ? '\n\n' : ''
      hasText = true
      leaf.emit({ event: 'response_chunk', content: gap + text })
    },
    /** Adds the sources and runs the check. `end` is null when the text broke off. */
    end: (sources: FoundSource[], check: () => void, end: TextEnd | null): void => {
      if (!hasText) return
      if (sources.length > 0) leaf.emit({ event: 'response_sources', sources })
      check()
      if (end) leaf.emit({ event: 'response_stream_end', message_id: messageId, ...end })
    },
  }
}
