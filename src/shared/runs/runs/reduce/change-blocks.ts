import type { Block } from '../blocks.ts'
import { findNewest } from '../steps.ts'
import type { RunView } from '../view.ts'

export const memberOf = (step: number | null) => (step === null ? {} : { step })

/** Inserts a block at the end of its step, or of the message, and ends an open thought before it. */
export function insert(blocks: Block[], block: Block, step: number | null): Block[] {
  return endThought(blocks, step).toSpliced(findNewest(blocks, step) + 1, 0, block)
}

/** Ends a thought at the end of a step, or of the message. */
export function endThought(blocks: Block[], step: number | null): Block[] {
  const at = findNewest(blocks, step)
  const last = blocks[at]
  return last?.type === 'thinking' ? blocks.with(at, closeThought(last)) : blocks
}

export function closeThought(block: Block): Block {
  if (block.type !== 'thinking' || block.duration_ms !== null) return block
  const duration = Date.parse(block.last_at) - Date.parse(block.started_at)
  return { ...block, duration_ms: Number.isFinite(duration) ? Math.max(0, duration) : 0 }
}

export function replace(blocks: Block[], at: number, block: Block): Block[] {
  const copy = blocks.slice()
  copy[at] = block
  return copy
}

/**
 * Returns an id that is unique within the message and the same for every reader, because blocks are only ever added.
 * Concurrent steps count separately, because a replay may send them in another order.
 */
export function nextId({ blocks }: RunView, type: Block['type'], step: number | null = null): string {
  if (step === null) return `${type}-${blocks.length}`
  return `${type}-${step}.${blocks.filter((block) => 'step' in block && block.step === step).length}`
}
