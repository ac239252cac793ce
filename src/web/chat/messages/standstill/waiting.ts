import { useMemo } from 'react'
import type { Block, InputRequiredBlock, PausedBlock } from '#shared/runs/runs/blocks.ts'
import { type ChatMessage, useMessages } from '../chat/message-store.ts'

/** Why nothing can be sent: the requests of the last run, oldest first, or its pause. */
export type Standstill = { requests: readonly InputRequiredBlock[]; pause: PausedBlock | null }

/** Returns how the last run of the chat waits; null if it does not, or while a reply is being written. */
export function useStandstill(): Standstill | null {
  const last = useMessages((state) =>
    state.isStreaming ? undefined : state.messagesById[state.order.at(-1) ?? ''],
  )
  return useMemo(() => (last ? standstillOf(last) : null), [last])
}

/** Returns how a reply waits; null if it does not. */
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

/** Returns the blocks of a reply without the requests answered above the composer. */
export function withoutWaiting(blocks: Block[]): Block[] {
  return blocks.some(isWaiting) ? blocks.filter((block) => !isWaiting(block)) : blocks
}
