import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Block } from '#shared/runs/runs/blocks.ts'

/** Returns the subject of a checkpoint from its reply: the step, the question, or the answer. */
export function detailIn(blocks: readonly Block[], { id, checkpoint_name, prompt }: Checkpoint): string {
  if (/_with_input/.test(checkpoint_name)) return answerIn(blocks, checkpoint_name.replace('_with_input', ''))
  if (prompt) return prompt
  const at = blocks.findIndex((block) => block.id === id)
  if (at < 0) return ''
  if (/after_step/.test(checkpoint_name)) return stepIn(blocks.slice(0, at).reverse())
  return /step\d/.test(checkpoint_name) ? stepIn(blocks.slice(at)) : ''
}

function stepIn(blocks: readonly Block[]): string {
  const step = blocks.find((block) => block.type === 'step')
  return step?.type === 'step' ? step.description : ''
}

function answerIn(blocks: readonly Block[], name: string): string {
  const asked = blocks.find((block) => block.type === 'input_required' && block.checkpoint_name === name)
  return asked?.type === 'input_required' && typeof asked.input === 'string' ? `“${asked.input}”` : ''
}
