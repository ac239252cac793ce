import { useMemo } from 'react'
import type { Block, InputRequiredBlock } from '#shared/runs/blocks.ts'
import { type ChatMessage, useMessages } from './message-store.ts'

/** What the run at the end of the chat waits for, oldest first; nothing while a reply is being written. */
export function useWaitingRequests(): readonly InputRequiredBlock[] {
  const last = useMessages((state) =>
    state.isStreaming ? undefined : state.messagesById[state.order.at(-1) ?? ''],
  )
  return useMemo(() => (last ? waitingIn(last) : []), [last])
}

function waitingIn({ role, status, blocks }: ChatMessage): InputRequiredBlock[] {
  return role === 'assistant' && status === 'streaming' ? blocks.filter(isWaiting) : []
}

function isWaiting(block: Block): block is InputRequiredBlock {
  return block.type === 'input_required' && block.state === 'waiting'
}

/** The blocks of a reply without the requests that are answered in place of the composer. */
export function withoutWaiting(blocks: Block[]): Block[] {
  return blocks.some(isWaiting) ? blocks.filter((block) => !isWaiting(block)) : blocks
}
