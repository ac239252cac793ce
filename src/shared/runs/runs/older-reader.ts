import * as z from 'zod/mini'
import { parseJson } from './join.ts'

const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message_id: z.optional(z.string()) }),
  z.object({
    type: z.literal('content_block'),
    content: z.optional(z.string()),
    text: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('message_complete'),
    message_id: z.optional(z.string()),
    navigate_to: z.optional(z.string()),
  }),
])

/** Milliseconds from the end of a message to the navigation. */
export const NAVIGATE_AFTER_MS = 300

export type OlderMessage = {
  message_id: string | null
  content: string
  completed: boolean
  /** Target to navigate to `NAVIGATE_AFTER_MS` after the end, or null. */
  navigate_to: string | null
}

export const emptyOlderMessage: OlderMessage = {
  message_id: null,
  content: '',
  completed: false,
  navigate_to: null,
}

/**
 * Returns the message after one more line of the older protocol: JSON lines (`message_start`, `content_block`,
 * `message_complete`) instead of named events. Ignores all other lines.
 */
export function applyOlderLine(message: OlderMessage, line: string): OlderMessage {
  const parsed = Line.safeParse(parseJson(line.replace(/^data:\s*/, '')))
  if (!parsed.success) return message
  const { data } = parsed
  if (data.type === 'message_start') return { ...emptyOlderMessage, message_id: data.message_id ?? null }
  if (data.type === 'content_block') {
    return { ...message, content: message.content + (data.content ?? data.text ?? '') }
  }
  return {
    ...message,
    message_id: data.message_id ?? message.message_id,
    completed: true,
    navigate_to: data.navigate_to ?? null,
  }
}
