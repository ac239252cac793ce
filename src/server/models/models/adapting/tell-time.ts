import type { ModelCall, ModelMessage } from '../port.ts'

/** Adds the user's local time to their newest message. Earlier messages stay unchanged, so prompt caches stay valid. */
export function tellTime({ messages, asked }: Pick<ModelCall, 'messages' | 'asked'>): ModelMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const message = messages[newest]
  if (!asked || message?.role !== 'user') return messages
  const time = new Intl.DateTimeFormat('en-GB', {
    ...{ dateStyle: 'full', timeStyle: 'short', timeZone: asked.time_zone },
  }).format(new Date(asked.at))
  const note = { type: 'text' as const, text: `(Sent on ${time}, ${asked.time_zone}.)` }
  return messages.with(newest, { ...message, content: [...message.content, note] })
}
