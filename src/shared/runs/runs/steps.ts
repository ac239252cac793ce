import type { Block } from './blocks.ts'
import type { RunEvent } from './events.ts'

/**
 * Returns the number of the plan step of an event, or null. Plan steps are scopes of the journal named `step{n}`,
 * so every key inside begins with that name. Plan steps may run concurrently.
 */
export function stepOf({ step_key }: Pick<RunEvent, 'step_key'>): number | null {
  const number = step_key === null ? undefined : /^step(\d+)\//.exec(step_key)?.[1]
  return number === undefined ? null : Number(number)
}

/**
 * Returns the index of the newest block of a step, or of the message when `step` is null; -1 when there is none.
 * A step extends to the start of the next one.
 */
export function findNewest(blocks: readonly Block[], step: number | null): number {
  const own = blocks.findLastIndex((block) => block.type === 'step' && block.number === step)
  if (own < 0) return blocks.length - 1
  const next = blocks.findIndex(({ type }, at) => at > own && type === 'step')
  return (next < 0 ? blocks.length : next) - 1
}

/** Returns true when a block is the checkpoint before a model call. */
export function isModelCheckpoint(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && block.checkpoint_name.startsWith('llm_checkpoint')
}

/** Returns true when a block is the checkpoint before a model call or a step. */
export function beginsWork(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && /^(llm_checkpoint|step\d)/.test(block.checkpoint_name)
}
