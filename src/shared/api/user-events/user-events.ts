import * as z from 'zod/mini'
import { SessionMarks } from '../../chat/session-marks/marks.ts'
import { AgentStatus, SessionStatus } from '../../chat/sessions/sessions.ts'
import { DocumentStatus } from '../../knowledge/documents/status.ts'
import { BudgetMark } from '../../money/budgets/budget-kinds.ts'
import { route } from '../../platform/http.ts'

const session = { session_id: z.string() }
const state = {
  title: z.string(),
  status: SessionStatus,
  agent_status: z.nullable(AgentStatus),
  is_unread: z.boolean(),
}
const document = { document_id: z.string() }
const documentState = { name: z.string(), status: DocumentStatus }
const ofRun = { run_id: z.string(), session_id: z.nullable(z.string()) }

/**
 * A change for a person, sent to all tabs and processes. Each event carries the full new state, so a duplicate
 * does no harm.
 */
export const UserEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('session_created'), ...session, ...state }),
  z.object({ event: z.literal('session_changed'), ...session, ...state }),
  z.object({ event: z.literal('session_deleted'), ...session }),
  /** The person pinned, archived, tagged or visited a chat. */
  z.object({ event: z.literal('session_marked'), ...session, ...SessionMarks.shape }),
  z.object({ event: z.literal('request_opened'), ...ofRun }),
  z.object({ event: z.literal('request_answered'), ...ofRun }),
  z.object({ event: z.literal('request_expired'), ...ofRun }),
  /** A request no longer waits for an answer. */
  z.object({ event: z.literal('request_closed'), ...ofRun }),
  /** A run waits for a top-up, or no longer does. */
  z.object({ event: z.literal('run_unpaid'), ...ofRun }),
  z.object({ event: z.literal('run_paid'), ...ofRun }),
  z.object({ event: z.literal('balance_changed'), balance: z.number() }),
  /** 80 % of a budget is spent; sent to the people responsible for it. */
  z.object({
    event: z.literal('budget_warning'),
    ...BudgetMark.shape,
    /** Name of the company, assistant or key. */
    name: z.nullable(z.string()),
    amount: z.number(),
    spent: z.number(),
  }),
  z.object({ event: z.literal('document_created'), ...document, ...documentState }),
  z.object({ event: z.literal('document_changed'), ...document, ...documentState }),
  z.object({ event: z.literal('document_deleted'), ...document }),
  /** Progress of an export, and its success or failure. */
  z.object({
    event: z.literal('export_changed'),
    export_id: z.string(),
    session_id: z.nullable(z.string()),
    name: z.string(),
    state: z.enum(['making', 'ready', 'failed']),
  }),
  /** An administrator now has access to the person's chats. */
  z.object({ event: z.literal('chats_opened'), access_id: z.string() }),
  /** The announcements for the person changed. */
  z.object({ event: z.literal('announcements_changed') }),
  /** The person has a new notification, or one was read. */
  z.object({ event: z.literal('notifications_changed') }),
  /** The grants of the person may have changed. */
  z.object({ event: z.literal('grants_changed') }),
  /** Messages of a chat wait for its run, or no longer do. */
  z.object({ event: z.literal('queue_changed'), ...session }),
  /** A workspace, its members, settings or chats, or its place in the sidebar changed. */
  z.object({ event: z.literal('workspaces_changed') }),
])
export type UserEvent = z.infer<typeof UserEvent>

export const userEventNames = UserEvent.def.options.flatMap(({ shape }) => shape.event.def.values)

/**
 * The first event of the stream. `is_resumed`: all events after the reader's last id follow; otherwise the reader
 * must reload its data.
 */
export const UserStreamInit = z.object({ last_event_id: z.string(), is_resumed: z.boolean() })
export const USER_STREAM_INIT = 'user_stream_init'

export const streamUserEvents = route({
  method: 'GET',
  path: '/users/me/events',
  access: 'user',
  kind: 'stream',
  summary:
    'What changes for the signed-in person: chats, requests, runs without balance, the balance, documents, workspaces, what is taken out',
})
