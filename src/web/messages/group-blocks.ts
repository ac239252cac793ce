import type { Block } from '#shared/runs/blocks.ts'

export type StepBlock = Extract<Block, { type: 'step' }>
/** A block on its own, or a step with what happened in it. */
export type Group = { kind: 'block'; block: Block } | { kind: 'step'; step: StepBlock; blocks: Block[] }

/**
 * Puts what happened in a step into it. Text belongs to a step while that runs, or when something of the run
 * came after it; what follows the last step is the answer and stands on the page itself.
 */
export function groupBlocks(blocks: readonly Block[]): Group[] {
  const groups: Group[] = []
  let open: Extract<Group, { kind: 'step' }> | null = null
  blocks.forEach((block, at) => {
    if (block.type === 'step' && !block.single_step) {
      open = { kind: 'step', step: block, blocks: [] }
      groups.push(open)
      return
    }
    if (open && belongsToStep(block, open.step, blocks.slice(at + 1))) {
      open.blocks.push(block)
      return
    }
    if (block.type !== 'input_required') open = null
    groups.push({ kind: 'block', block })
  })
  return groups
}

function belongsToStep(block: Block, step: StepBlock, later: readonly Block[]): boolean {
  if (block.type === 'thinking' || block.type === 'tool') return true
  if (block.type !== 'text') return false
  return (
    !step.completed || later.some(({ type }) => type === 'step' || type === 'checkpoint' || type === 'tool')
  )
}
