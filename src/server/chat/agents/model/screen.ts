import type { FoundSource } from '#shared/runs/runs/sources.ts'
import type { Leaf } from '../../../runs/runs/runs.ts'

/** Where the text of a model call appears: it begins with its first words, apart from what the message said before. */
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
    /** Names what the text relies on and has it checked; null when it ends before it was over. */
    end: (sources: FoundSource[], check: () => void, end: { is_cut?: true } | null): void => {
      if (!hasText) return
      if (sources.length > 0) leaf.emit({ event: 'response_sources', sources })
      check()
      if (end) leaf.emit({ event: 'response_stream_end', message_id: messageId, ...end })
    },
  }
}
