import type { FilePart, ModelMessage } from '../port.ts'

/** Tokens assumed per picture of the usual size. Providers charge between 250 and 1,600. */
export const PICTURE_TOKENS = 1_600

/** Returns the pictures of a message. */
export function picturesOf(message: ModelMessage | undefined): FilePart[] {
  if (message?.role === 'user') return message.content.filter((part) => part.type === 'file')
  return message?.role === 'tool' ? message.content.flatMap(({ pictures = [] }) => pictures) : []
}

/** Moves pictures of tool results into a user message after them, because some dialects take no pictures in results. */
export function showPictures(
  messages: ModelMessage[],
  { alternating }: { alternating: boolean },
): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool' || picturesOf(message).length === 0) return [message]
    const shown = message.content.flatMap(({ name, pictures = [] }) =>
      pictures.length > 0
        ? [{ type: 'text' as const, text: `Pictures in the result of ${name}:` }, ...pictures]
        : [],
    )
    const results = message.content.map(({ pictures: _, ...part }) => part)
    const between: ModelMessage[] = alternating
      ? [{ role: 'assistant', content: [{ type: 'text', text: '…' }] }]
      : []
    return [{ role: 'tool', content: results }, ...between, { role: 'user', content: shown }]
  })
}

/** Replaces pictures with notes. */
export function withoutPictures(message: ModelMessage, note: (name: string) => string): ModelMessage {
  if (message.role === 'user') {
    const content = message.content.map((part) =>
      part.type === 'file' ? { type: 'text' as const, text: note(part.name ?? 'A file') } : part,
    )
    return { role: 'user', content }
  }
  if (message.role !== 'tool' || picturesOf(message).length === 0) return message
  const content = message.content.map(({ pictures = [], ...part }) => ({
    ...part,
    output: [part.output, ...pictures.map(({ name }) => note(name ?? 'A picture'))].join('\n'),
  }))
  return { role: 'tool', content }
}
