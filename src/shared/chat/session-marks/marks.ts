import * as z from 'zod/mini'
import { label, trimmed } from '../../platform/primitives.ts'

/** Maximum pinned chats of a person. */
export const MAX_PINS = 32
/** Maximum tags of a chat. */
export const MAX_TAGS = 20

/** Maximum characters of a tag. */
export const MAX_TAG = 30
/** A tag has no comma, because commas separate tags in an address. */
export const Tag = label(1, MAX_TAG).check(z.refine((tag) => !tag.includes(','), 'A tag has no comma.'))
/** Tags in a query string, separated by commas. */
export const TagList = trimmed(0, MAX_TAGS * (MAX_TAG + 1))

/** How a person organizes a chat. */
export const SessionMarks = z.object({
  /** Place among the pinned chats, ascending; null for a chat that is not pinned. */
  pin_position: z.nullable(z.int()),
  is_archived: z.boolean(),
  /** True after a reply, a question or a pause since the last visit. */
  is_unread: z.boolean(),
  tags: z.array(z.string()).check(z.maxLength(MAX_TAGS)),
})
export type SessionMarks = z.infer<typeof SessionMarks>
