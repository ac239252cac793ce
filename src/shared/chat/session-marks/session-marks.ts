import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { MAX_PINS, MAX_TAGS, SessionMarks, Tag } from './marks.ts'

export { MAX_PINS, MAX_TAG, MAX_TAGS } from './marks.ts'

/** Maximum chats changed with one call. */
export const MAX_MARKED = 200
/** Maximum tags in the list of a person's tags; the most used ones. */
export const MAX_LISTED_TAGS = 200

const Tags = z.array(Tag).check(z.maxLength(MAX_TAGS))

/** New values for one chat. Absent fields stay. */
const MarkChange = z.object({
  session_id: Id,
  /** A new pin comes last. */
  is_pinned: z.optional(z.boolean()),
  /** An archived chat loses its pin. */
  is_archived: z.optional(z.boolean()),
  is_unread: z.optional(z.boolean()),
  /** Tags to add and to remove, so that concurrent changes of one chat add up. A tag in both is added. */
  add_tags: z.optional(Tags),
  remove_tags: z.optional(Tags),
})
export type MarkChange = z.infer<typeof MarkChange>

const MarkedSession = z.object({ session_id: Id, ...SessionMarks.shape })
export type MarkedSession = z.infer<typeof MarkedSession>

export const markSessions = route({
  method: 'PUT',
  path: '/session-marks',
  access: 'user',
  scope: 'chats',
  fails: ['not_found', 'conflict'],
  summary:
    'Pin, archive, tag or mark chats as read, for the caller alone. Chats that are gone are left out of the answer; without any left it is 404. More than 32 pins, or 20 tags of one chat, are a conflict',
  body: z.object({ items: z.array(MarkChange).check(z.minLength(1), z.maxLength(MAX_MARKED)) }),
  answer: z.object({ items: z.array(MarkedSession).check(z.maxLength(MAX_MARKED)) }),
})

export const orderPins = route({
  method: 'PUT',
  path: '/session-marks/pins',
  access: 'user',
  scope: 'chats',
  summary: 'Reorder the pinned chats. Pins that are not named come after the named ones',
  body: z.object({ session_ids: z.array(Id).check(z.maxLength(MAX_PINS)) }),
  answer: z.object({ session_ids: z.array(Id).check(z.maxLength(MAX_PINS)) }),
})

const UsedTag = z.object({ tag: z.string(), count: z.int() })
export type UsedTag = z.infer<typeof UsedTag>

export const listTags = route({
  method: 'GET',
  path: '/session-marks/tags',
  access: 'user',
  scope: 'chats',
  summary:
    'The tags of the caller’s chats that are not archived, with the number of chats; at most 200, the most used first',
  answer: z.object({ items: z.array(UsedTag).check(z.maxLength(MAX_LISTED_TAGS)) }),
})
