import { useMemo } from 'react'
import type { Block, InputRequiredBlock, PausedBlock } from '#shared/runs/runs/blocks.ts'
import { type ChatMessage, useMessages } from '../chat/message-store.ts'

/** Why nothing can be sent: what the run at the end of the chat waits for, oldest first, or that it is paused. */
export type Standstill = { requests: readonly InputRequiredBlock[]; pause: PausedBlock | null }

/** How the run at the end of the chat stands still; null when it does not, or while a reply is being written. */
export function useStandstill(): Standstill | null {
  const last = useMessages((state) =>
    state.isStreaming ? undefined : state.messagesById[state.order.at(-1) ?? ''],
  )
  return useMemo(() => (last ? standstillOf(last) : null), [last])
}

/** How a reply stands still; null when it does not. */
export function standstillOf({ role, status, blocks }: ChatMessage): Standstill | null {
  if (role !== 'assistant' || status !== 'streaming') return null
  const requests = blocks.filter(isWaiting)
  const end = blocks.at(-1)
  const pause = end?.type === 'paused' ? end : null
  return requests.length > 0 || pause ? { requests, pause } : null
}

function isWaiting(block: Block): block is InputRequiredBlock {
  return block.type === 'input_required' && block.state === 'waiting'
}

/** The blocks of a reply without the requests that are answered above the composer. */
export function withoutWaiting(blocks: Block[]): Block[] {
  return blocks.some(isWaiting) ? blocks.filter((block) => !isWaiting(block)) : blocks
}
