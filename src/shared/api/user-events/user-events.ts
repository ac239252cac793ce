import * as z from 'zod/mini'
import { AgentStatus, SessionStatus } from '../../chat/sessions/sessions.ts'
import { DocumentStatus } from '../../knowledge/documents/status.ts'
import { BudgetMark } from '../../money/budgets/budgets.ts'
import { route } from '../../platform/http.ts'

const session = { session_id: z.string() }
const state = { title: z.string(), status: SessionStatus, agent_status: z.nullable(AgentStatus) }
const document = { document_id: z.string() }
const documentState = { name: z.string(), status: DocumentStatus }
const ofRun = { run_id: z.string(), session_id: z.nullable(z.string()) }

/**
 * What changed for a person, in any tab and on any process. Whoever reads it puts the new state in place of the old, so an
 * event that comes twice does no harm.
 */
export const UserEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('session_created'), ...session, ...state }),
  z.object({ event: z.literal('session_changed'), ...session, ...state }),
  z.object({ event: z.literal('session_deleted'), ...session }),
  z.object({ event: z.literal('request_opened'), ...ofRun }),
  z.object({ event: z.literal('request_answered'), ...ofRun }),
  z.object({ event: z.literal('request_expired'), ...ofRun }),
  /** Nobody waits for its answer any more. */
  z.object({ event: z.literal('request_closed'), ...ofRun }),
  /** A run stands still until the balance is topped up, and does so no more. */
  z.object({ event: z.literal('run_unpaid'), ...ofRun }),
  z.object({ event: z.literal('run_paid'), ...ofRun }),
  z.object({ event: z.literal('balance_changed'), balance: z.number() }),
  /** Four fifths of a budget are spent, told to those who answer for it. */
  z.object({
    event: z.literal('budget_warning'),
    ...BudgetMark.shape,
    /** Of the company, the assistant or the key. */
    name: z.nullable(z.string()),
    amount: z.number(),
    spent: z.number(),
  }),
  z.object({ event: z.literal('document_created'), ...document, ...documentState }),
  z.object({ event: z.literal('document_changed'), ...document, ...documentState }),
  z.object({ event: z.literal('document_deleted'), ...document }),
  /** How far something is that is taken out, and that it is ready or failed. */
  z.object({
    event: z.literal('export_changed'),
    export_id: z.string(),
    session_id: z.nullable(z.string()),
    name: z.string(),
    state: z.enum(['making', 'ready', 'failed']),
  }),
  /** An administrator has access to the person's chats from now on. */
  z.object({ event: z.literal('chats_opened'), access_id: z.string() }),
  /** What is announced to them is other than before. */
  z.object({ event: z.literal('announcements_changed') }),
  /** What is open to them may be other than before. */
  z.object({ event: z.literal('grants_changed') }),
  /** One was made, renamed or deleted. */
  z.object({ event: z.literal('workspaces_changed') }),
])
export type UserEvent = z.infer<typeof UserEvent>

export const userEventNames = UserEvent.def.options.flatMap(({ shape }) => shape.event.def.values)

/**
 * The first event of the stream. `is_resumed`: what follows is all that was missed after the reader's last id; otherwise
 * it has to read everything anew.
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
