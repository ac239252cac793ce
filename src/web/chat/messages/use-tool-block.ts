import type { ToolBlock } from '#shared/runs/runs/blocks.ts'
import { useLiveView } from '../../runs/runs/runs.ts'
import { type MessageState, useMessages } from './chat/message-store.ts'

/** Returns a tool execution of the current chat by id, updated while it runs; null if it is not loaded. */
export function useToolBlock(id: string | null): ToolBlock | null {
  const streamingKey = useMessages((state) => state.messagesById[state.streamingId ?? '']?.key ?? '')
  const view = useLiveView(streamingKey)
  const stored = useMessages((state) => findStored(state, id))
  return findBlock(view?.blocks, id) ?? stored
}

/** Usually it is in one of the last messages. */
function findStored({ order, messagesById }: MessageState, id: string | null): ToolBlock | null {
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const found = findBlock(messagesById[order[at] ?? '']?.blocks, id)
    if (found) return found
  }
  return null
}

function findBlock(blocks: readonly { type: string; id: string }[] | undefined, id: string | null) {
  return (blocks?.find((block) => block.type === 'tool' && block.id === id) as ToolBlock | undefined) ?? null
}
