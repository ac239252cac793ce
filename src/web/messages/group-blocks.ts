import type { Block } from '#shared/runs/blocks.ts'
import { isModelCheckpoint } from '#shared/runs/steps.ts'

export type StepBlock = Extract<Block, { type: 'step' }>
type CheckpointBlock = Extract<Block, { type: 'checkpoint' }>
/** A block on its own, neighbouring checkpoints, or a step with what happened in it. */
export type Group =
  | { kind: 'block'; block: Block }
  | { kind: 'checkpoints'; blocks: CheckpointBlock[] }
  | { kind: 'step'; step: StepBlock; blocks: Block[] }

/**
 * Puts what happened in a step into it, and neighbouring checkpoints together. Text that names no step belongs
 * to one while that runs, or when something of the run came after it; what follows the last step is the answer
 * and stands on the page itself.
 */
export function groupBlocks(all: readonly Block[]): Group[] {
  const blocks = withoutEdges(all)
  const groups: Group[] = []
  let open: Extract<Group, { kind: 'step' }> | null = null
  blocks.forEach((block, at) => {
    if (block.type === 'step' && !block.single_step) {
      open = { kind: 'step', step: block, blocks: [] }
      groups.push(open)
      return
    }
    const own = findStep(groups, block)
    if (own) {
      own.blocks.push(block)
      return
    }
    if (open && belongsToStep(block, open.step, blocks.slice(at + 1))) {
      // The first model call of a step begins where the step does.
      if (block.type !== 'checkpoint' || open.blocks.length > 0) open.blocks.push(block)
      return
    }
    if (block.type !== 'input_required') open = null
    const last = groups.at(-1)
    if (block.type !== 'checkpoint') groups.push({ kind: 'block', block })
    else if (last?.kind === 'checkpoints') last.blocks.push(block)
    else groups.push({ kind: 'checkpoints', blocks: [block] })
  })
  return groups
}

/** To return before everything is to regenerate, and after everything there is nothing to do. */
function withoutEdges(blocks: readonly Block[]): readonly Block[] {
  const from = blocks.findIndex(({ type }) => type !== 'checkpoint')
  const last = blocks.at(-1)
  const to = last?.type === 'checkpoint' && last.checkpoint_name === 'completed' ? -1 : undefined
  return from < 0 ? [] : blocks.slice(from, to)
}

function findStep(groups: readonly Group[], block: Block) {
  if (!('step' in block) || typeof block.step !== 'number') return null
  const found = groups.findLast((group) => group.kind === 'step' && group.step.number === block.step)
  return found?.kind === 'step' ? found : null
}

function belongsToStep(block: Block, step: StepBlock, later: readonly Block[]): boolean {
  if (block.type === 'thinking' || block.type === 'tool' || isModelCheckpoint(block)) return true
  if (block.type !== 'text') return false
  return (
    !step.completed || later.some(({ type }) => type === 'step' || type === 'checkpoint' || type === 'tool')
  )
}
