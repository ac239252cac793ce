import { PICTURE_TOKENS, picturesOf } from '../adapting/show-pictures.ts'
import type { ModelMessage } from '../port.ts'
import type { Models } from '../registry.ts'

/** Tokens of a message in addition to its text. */
const PER_MESSAGE = 6

/** Estimates the tokens of messages for a model's family. */
export async function countMessages(
  { models }: { models: Models },
  model: string,
  messages: ModelMessage[],
): Promise<number> {
  const text = messages.map(textOf).join('\n')
  const pictures = messages.reduce((sum, message) => sum + picturesOf(message).length, 0)
  const told = await models.countTokens(model, text)
  return messages.length * PER_MESSAGE + pictures * PICTURE_TOKENS + told
}

function textOf(message: ModelMessage): string {
  if (message.role === 'system') return message.content
  const parts = message.content as { type: string; text?: string; input?: string; output?: string }[]
  return parts.map((part) => part.text ?? part.input ?? part.output ?? '').join('\n')
}
