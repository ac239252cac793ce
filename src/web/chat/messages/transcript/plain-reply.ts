import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { isModelCheckpoint } from '#shared/runs/runs/steps.ts'

/** Whether the built-in model wrote a reply by itself, without steps: it costs nothing, and asking again gives the same. */
export const isPlainReply = (model: string | null, blocks: readonly Block[]): boolean =>
  model === BUILT_IN_MODEL &&
  !blocks.some((block) => block.type === 'fallback' || (block.type === 'step' && !block.single_step))

/** The blocks of a plain reply that are shown: without the points one could return to. */
export const plainBlocks = (blocks: Block[]): Block[] =>
  blocks.filter((block) => !isModelCheckpoint(block) && !isEnd(block))

const isEnd = (block: Block) => block.type === 'checkpoint' && block.checkpoint_name === 'completed'
