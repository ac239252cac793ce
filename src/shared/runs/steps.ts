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
 * The place of the newest block of a step, or of the whole message when `step` is null; -1 when there is none.
 * The checkpoints around its model calls are part of a step.
 */
export function findNewest(blocks: readonly Block[], step: number | null): number {
  if (step === null) return blocks.length - 1
  let at = blocks.findLastIndex((block) => memberOf(block) === step)
  if (at < 0) return blocks.length - 1
  while (isModelCheckpoint(blocks[at + 1])) at += 1
  return at
}

/** Whether a block is the checkpoint before a model call. */
export function isModelCheckpoint(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && block.checkpoint_name.startsWith('llm_checkpoint')
}

/** Whether a block is a checkpoint before a model call or a step: what comes after it is the work that it stands before. */
export function beginsWork(block: Block | undefined): boolean {
  return block?.type === 'checkpoint' && /^(llm_checkpoint|step\d)/.test(block.checkpoint_name)
}

function memberOf(block: Block): number | undefined {
  if (block.type === 'step') return block.number
  return 'step' in block && typeof block.step === 'number' ? block.step : undefined
}
