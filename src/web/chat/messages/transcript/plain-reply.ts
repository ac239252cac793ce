import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { isModelCheckpoint } from '#shared/runs/runs/steps.ts'
import type { CheckpointBlock } from '../blocks/group-blocks.ts'

/** Returns whether the built-in model wrote a reply without steps. Such a reply is free and always the same. */
export const isPlainReply = (model: string | null, blocks: readonly Block[]): boolean =>
  model === BUILT_IN_MODEL &&
  !blocks.some((block) => block.type === 'fallback' || (block.type === 'step' && !block.single_step))

/** Returns the blocks of a reply without the checkpoints before model calls and at the end. */
export const plainBlocks = (blocks: Block[]): Block[] =>
  blocks.filter((block) => !isModelCheckpoint(block) && !isEnd(block))

/** Returns whether a reply is a text of one model call: nothing was planned, used, asked, paused or broken. */
export const isSingleAnswer = (blocks: readonly Block[]): boolean =>
  blocks.every((block) => (block.type === 'step' ? block.single_step : isSimple(block)))

/** Returns the checkpoints of a reply. */
export const checkpointsOf = (blocks: readonly Block[]): CheckpointBlock[] =>
  blocks.filter((block) => block.type === 'checkpoint')

const isSimple = (block: Block) => simple.includes(block.type) || isModelCheckpoint(block) || isEnd(block)

const simple: Block['type'][] = ['text', 'thinking', 'fallback', 'adapted']

const isEnd = (block: Block) => block.type === 'checkpoint' && block.checkpoint_name === 'completed'
