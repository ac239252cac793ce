import * as z from 'zod/mini'
import { ProjectColour, ProjectIcon } from '../../chat/projects/looks.ts'
import { SlotState } from '../../chat/schedules/slots.ts'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'
import { InputRequest } from '../../runs/input-requests/input-requests.ts'

/** Maximum items of each list of the home page. `total` has the number of all, up to `MAX_COUNTED`. */
export const MAX_HOME_ITEMS = 5
/** Pinned projects on the home page. */
export const MAX_HOME_PROJECTS = 12
/** Highest total that is counted. */
export const MAX_COUNTED = 1000
/** A call after this time without one begins a new visit, in minutes. */
export const VISIT_MINUTES = 30

/** A reply or a document that was finished. */
export const FinishedItem = z.object({
  kind: z.enum(['reply', 'schedule', 'document']),
  /** Id of the chat, or of the document. */
  id: Id,
  /** Title of the chat, or name of the document or of the schedule. */
  name: z.string(),
  outcome: z.enum(['completed', 'failed', 'stopped']),
  is_unread: z.boolean(),
  at: z.string(),
})
export type FinishedItem = z.infer<typeof FinishedItem>

/** One time of a schedule that is due today. */
export const DueToday = z.object({
  id: Id,
  schedule_id: Id,
  name: z.string(),
  kind: z.enum(['prompt', 'reminder']),
  due_at: z.string(),
  state: SlotState,
  /** Chat of the result; null without one that the caller may read. */
  session_id: z.nullable(Id),
})
export type DueToday = z.infer<typeof DueToday>

/** A chat with news that the caller has not opened. */
export const UnreadChat = z.object({
  id: Id,
  title: z.string(),
  preview: z.nullable(z.string()),
  updated_at: z.string(),
})
export type UnreadChat = z.infer<typeof UnreadChat>

export const PinnedProject = z.object({
  id: Id,
  name: z.string(),
  colour: ProjectColour,
  icon: ProjectIcon,
  unread_count: z.int(),
})
export type PinnedProject = z.infer<typeof PinnedProject>

const listOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item).check(z.maxLength(MAX_HOME_ITEMS)), total: z.int() })

export const HomePage = z.object({
  /** True for a person who has not written a message and for whom there is nothing else to show. */
  is_new: z.boolean(),
  /** End of the previous visit; `finished` begins there. */
  since: z.string(),
  waiting: listOf(InputRequest),
  finished: listOf(FinishedItem),
  today: listOf(DueToday),
  /** Without the chats among `waiting.items` and `finished.items`. */
  unread: listOf(UnreadChat),
  projects: z.array(PinnedProject).check(z.maxLength(MAX_HOME_PROJECTS)),
})
export type HomePage = z.infer<typeof HomePage>

export const getHome = route({
  method: 'GET',
  path: '/home',
  access: 'user',
  scope: 'chats',
  summary:
    'What waits for the caller, what finished since the last visit, today’s schedules in the caller’s time zone, unread chats and pinned projects. A call by a browser after 30 minutes without one begins a new visit',
  answer: HomePage,
})
