import type { Message } from '../../src/shared/runs/runs/message.ts'

/** Returns the visible part of a reply. Ids and times differ between runs. */
export function essenceOf({ content, status, blocks }: Message) {
  return {
    content,
    status,
    blocks: blocks.map((block) => {
      const { type } = block
      if (block.type === 'text') return { type, text: block.text }
      if (block.type !== 'tool') return { type }
      const { tool_id, input, result } = block
      return { type, tool_id, input, status: block.status, result }
    }),
  }
}
