import type { Block, InputRequiredBlock, StepBlock } from '#shared/runs/runs/blocks.ts'
import { isModelCheckpoint } from '#shared/runs/runs/steps.ts'

export type CheckpointBlock = Extract<Block, { type: 'checkpoint' }>
/** A single block, neighbouring checkpoints, or an answered request with the checkpoints around it. */
export type Part =
  | { kind: 'block'; block: Block }
  | { kind: 'checkpoints'; blocks: CheckpointBlock[] }
  | { kind: 'asked'; request: InputRequiredBlock; blocks: CheckpointBlock[] }
/** A part, or a step with its content. */
export type Group = Part | { kind: 'step'; step: StepBlock; parts: Part[] }

/**
 * Groups blocks into their steps, and neighbouring checkpoints together. Text without a step belongs to one while it runs,
 * or if something of the run followed; anything after the last step is the answer. The checkpoint before the first model
 * call joins the first line after it, so that nothing stands above a text that turns out to use a tool.
 */
export function groupBlocks(blocks: readonly Block[]): Group[] {
  const groups: Group[] = []
  const early = takeEarly(blocks)
  let open: Extract<Group, { kind: 'step' }> | null = null
  blocks.forEach((block, at) => {
    if (early.some((one) => one === block)) return
    if (block.type === 'step' && !block.single_step) {
      open = { kind: 'step', step: block, parts: [] }
      groups.push(open)
      return
    }
    const own = findStep(groups, block)
    if (own) {
      add(own.parts, block)
      return
    }
    if (open && belongsToStep(block, open.step, blocks.slice(at + 1))) {
      add(open.parts, block)
      return
    }
    if (block.type !== 'input_required') open = null
    add(groups, block)
  })
  if (early.length > 0) lead(groups, early)
  return groups
}

/** Returns the checkpoint before the first model call, if that call writes or thinks first. */
function takeEarly(blocks: readonly Block[]): CheckpointBlock[] {
  const [first, second] = blocks
  const isEarly = first?.type === 'checkpoint' && isModelCheckpoint(first)
  return isEarly && (second?.type === 'text' || second?.type === 'thinking') ? [first] : []
}

function lead(groups: Group[], early: CheckpointBlock[]): void {
  const first = groups.find((group) => group.kind === 'checkpoints' || group.kind === 'asked')
  if (first && 'blocks' in first) {
    first.blocks.unshift(...early)
    return
  }
  const end = groups.findIndex((group) => group.kind === 'block' && ends.includes(group.block.type))
  groups.splice(end < 0 ? groups.length : end, 0, { kind: 'checkpoints', blocks: early })
}

const ends: Block['type'][] = ['error', 'paused', 'input_required']

function add(to: (Group | Part)[], block: Block): void {
  const last = to.at(-1)
  if (block.type === 'input_required' && block.state !== 'waiting')
    to.push({ kind: 'asked', request: block, blocks: takeOwn(to, block) })
  else if (block.type !== 'checkpoint') to.push({ kind: 'block', block })
  else if (last?.kind === 'checkpoints') last.blocks.push(block)
  else if (last?.kind === 'asked' && isAfter(last.request, block)) last.blocks.push(block)
  else to.push({ kind: 'checkpoints', blocks: [block] })
}

/** Removes the checkpoint that belongs to the request from the preceding group and returns it. */
function takeOwn(from: (Group | Part)[], { checkpoint_name }: InputRequiredBlock): CheckpointBlock[] {
  const last = from.at(-1)
  if (last?.kind !== 'checkpoints' || last.blocks.at(-1)?.checkpoint_name !== checkpoint_name) return []
  if (last.blocks.length === 1) from.pop()
  return last.blocks.splice(-1)
}

/** An answer is followed by its own checkpoint and that of the model call that reads it. */
function isAfter({ checkpoint_name }: InputRequiredBlock, block: CheckpointBlock): boolean {
  return block.checkpoint_name === `${checkpoint_name}_with_input` || isModelCheckpoint(block)
}

function findStep(groups: readonly Group[], block: Block) {
  if (!('step' in block) || typeof block.step !== 'number') return null
  const found = groups.findLast((group) => group.kind === 'step' && group.step.number === block.step)
  return found?.kind === 'step' ? found : null
}

function belongsToStep(block: Block, step: StepBlock, later: readonly Block[]): boolean {
  if (block.type === 'thinking' || block.type === 'tool' || isModelCheckpoint(block)) return true
  if (block.type !== 'text') return false
  return !step.completed || later.some(isMoreOfTheRun)
}

/** The outcome of the run is shown after the answer. */
function isMoreOfTheRun(block: Block): boolean {
  if (block.type === 'checkpoint') return block.checkpoint_name !== 'completed'
  return block.type === 'step' || block.type === 'tool'
}
