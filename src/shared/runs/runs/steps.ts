import type { Block } from './blocks.ts'
import type { RunEvent } from './events.ts'

/**
 * The number of the step in which something happens, or null. Steps are scopes of the journal named `step{n}`,
 * so the key of everything in them begins so. Steps may run beside each other.
 */
export function stepOf({ step_key }: Pick<RunEvent, 'step_key'>): number | null {
  const number = step_key === null ? undefined : /^step(\d+)\//.exec(step_key)?.[1]
  return number === undefined ? null : Number(number)
}

/**
 * The place of the newest block of a step, or of the whole message when `step` is null; -1 when there is none. A
 * step reaches to where the next one begins.
 */
export function findNewest(blocks: readonly Block[], step: number | null): number {
  const own = blocks.findLastIndex((block) => block.type === 'step' && block.number === step)
  if (own < 0) return blocks.length - 1
  const next = blocks.findIndex(({ type }, at) => at > own && type === 'step')
  return (next < 0 ? blocks.length : next) - 1
}

/** Whether a block is the checkpoint before a model call. */
export function isModelCheckpoint(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && block.checkpoint_name.startsWith('llm_checkpoint')
}

/** Whether a block is a checkpoint before a model call or a step: what comes after it is the work that it stands before. */
export function beginsWork(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && /^(llm_checkpoint|step\d)/.test(block.checkpoint_name)
}
