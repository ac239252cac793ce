import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt, text } from '../../platform/primitives.ts'

/** Maximum mentions of a message. */
export const MAX_MENTIONS = 10

export const MentionKind = z.enum(['assistant', 'document', 'workspace', 'session', 'tool', 'person'])
export type MentionKind = z.infer<typeof MentionKind>

/**
 * Something that a message names with `@`, for its reply alone: the assistant that answers, documents and projects that are searched instead of
 * those of the chat, another chat as context, a tool. A person of the project
 * of a shared chat is notified.
 */
export const Mention = z.object({ kind: MentionKind, id: text(1, 100) })
export type Mention = z.infer<typeof Mention>

export const Mentions = z.array(Mention).check(z.maxLength(MAX_MENTIONS))

/** A mention with its name at that time, as it is stored with the message. */
export type NamedMention = Mention & { name: string }

/** Returns the mentions of a message as stored by the server. */
export function mentionsOf(metadata: Record<string, unknown>): NamedMention[] {
  return Array.isArray(metadata.mentions) ? metadata.mentions : []
}

export const listMentionable = route({
  method: 'GET',
  path: '/sessions/:sessionId/people',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'The other people of the project that a chat is shared with, whom a message may mention',
  params: z.object({ sessionId: Id }),
  query: z.object({
    q: z.optional(text(0, 200)),
    limit: queryInt({ min: 1, max: 50, fallback: 10 }),
  }),
  answer: z.object({ items: z.array(z.object({ id: Id, name: z.string() })) }),
})
