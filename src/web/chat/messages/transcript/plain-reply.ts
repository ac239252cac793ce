import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { isModelCheckpoint } from '#shared/runs/runs/steps.ts'

/** Returns whether the built-in model wrote a reply without steps. Such a reply is free and always the same. */
export const isPlainReply = (model: string | null, blocks: readonly Block[]): boolean =>
  model === BUILT_IN_MODEL &&
  !blocks.some((block) => block.type === 'fallback' || (block.type === 'step' && !block.single_step))

/** Returns the blocks of a plain reply without checkpoints. */
export const plainBlocks = (blocks: Block[]): Block[] =>
  blocks.filter((block) => !isModelCheckpoint(block) && !isEnd(block))

const isEnd = (block: Block) => block.type === 'checkpoint' && block.checkpoint_name === 'completed'
