import * as z from 'zod/mini'
import { MAX_MODEL_NAME } from '../../models/connections/model-name.ts'
import { AnswerWords, ChosenEffort, Temperature } from '../../models/connections/tuning.ts'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { AgentType } from '../../runs/runs/agent-type.ts'
import { ProjectColour, ProjectIcon } from '../projects/looks.ts'
import { MAX_PINS, SessionMarks, TagList } from '../session-marks/marks.ts'

/** Agent types that lead a task. Assistants of these types never work on a part for another assistant. */
export const leadingTypes: readonly AgentType[] = ['orchestrator', 'deep_research']

export const SessionStatus = z.enum(['active', 'NEW', 'GENERATING', 'COMPLETED', 'FAILED'])
export type SessionStatus = z.infer<typeof SessionStatus>

export const AgentStatus = z.enum(['processing', 'paused', 'completed', 'error'])
export type AgentStatus = z.infer<typeof AgentStatus>

/** Maximum number of assistants in a team. */
export const MAX_TEAM = 12
/** Assistants that an orchestrator may give work. Empty: the built-in assistants and the person's own. */
export const Team = z.array(Id).check(z.maxLength(MAX_TEAM))

const MAX_SESSION_TOOLS = 1_000

export const SessionMetadata = z.object({
  assistant_id: z.nullish(text(0, 100)),
  agent_type: z.optional(AgentType),
  /** Ids of the tools offered to the model; empty for none, absent for the assistant's or all. */
  session_tools: z.optional(z.array(text(0, 100)).check(z.maxLength(MAX_SESSION_TOOLS))),
  session_assistants: z.optional(Team),
  /** How long the model may think, how freely it words, and the most words of an answer; null or absent for the assistant's or the model's own. */
  effort: z.nullish(ChosenEffort),
  temperature: z.nullish(Temperature),
  max_words: z.nullish(AnswerWords),
})
export type SessionMetadata = z.infer<typeof SessionMetadata>

export const SessionDocument = z.object({
  id: Id,
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})

/** A waiting request of the session's run, as an input-request block for the composer. */
export const PendingInput = z.nullable(z.record(z.string(), z.unknown()))

/** The project of a session, and what it means for the caller. */
export const SessionProject = z.object({
  id: Id,
  name: z.string(),
  colour: ProjectColour,
  icon: ProjectIcon,
  /** True when members of the project may read the session. */
  is_shared: z.boolean(),
  /** Name of the owner; null for the caller's own session. */
  author: z.nullable(z.string()),
  /** True when the caller may reply in it. */
  may_write: z.boolean(),
  /** True for a project that is read-only for everyone. */
  is_archived: z.optional(z.boolean()),
})
export type SessionProject = z.infer<typeof SessionProject>

export const Session = z.object({
  id: Id,
  title: z.string(),
  status: SessionStatus,
  created_at: z.string(),
  updated_at: z.string(),
  model_name: z.nullable(z.string()),
  documents: z.array(SessionDocument),
  session_metadata: SessionMetadata,
  agent_status: z.nullable(AgentStatus),
  /** True when the last reply was stopped; it then ends where it was stopped. */
  is_stopped: z.boolean(),
  processing_task_id: z.nullable(Id),
  pending_input: PendingInput,
  /** Beginning of the newest message, for the history. */
  preview: z.nullable(z.string()),
  ...SessionMarks.shape,
  /** True for a chat that is deleted when it is closed. */
  is_temporary: z.optional(z.boolean()),
  /** Null outside of projects, and for a project the caller may not read. */
  project: z.nullish(SessionProject),
  /** Search results only: the matching passage; U+E000 and U+E001 enclose the match. */
  match: z.nullish(z.string()),
  /** Search results only: the message of the passage; null when the title matched. */
  match_message_id: z.nullish(Id),
})
export type Session = z.infer<typeof Session>

const SessionParams = z.object({ sessionId: Id })

export const listSessions = route({
  method: 'GET',
  path: '/sessions',
  access: 'user',
  fails: ['search_too_long', 'not_found'],
  scope: 'chats',
  summary:
    'The caller’s sessions, newest first, without archived ones; `q` searches titles and messages, those of archived ones too',
  query: z.object({
    skip: queryInt({ min: 0, max: 1_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: 200, fallback: 50 }),
    q: z.optional(trimmed(0, 200)),
    /** Only archived sessions. */
    archived: z.optional(z.literal('true')),
    /** Only sessions with all of these tags, separated by commas. */
    tags: z.optional(TagList),
    /** Only sessions of this project: the caller's own, and those shared with it. */
    workspace_id: z.optional(Id),
  }),
  answer: z.object({
    items: z.array(Session),
    total: z.int(),
    /** The pinned sessions in their order, with the first page of the whole list; otherwise empty. */
    pinned: z.array(Session).check(z.maxLength(MAX_PINS)),
  }),
})

export const createSession = route({
  method: 'POST',
  path: '/sessions',
  access: 'user',
  fails: ['not_available', 'not_found', 'not_granted'],
  scope: 'chats',
  summary: 'Start a conversation',
  status: 201,
  body: z._default(
    z.object({
      /** Id chosen by the client. A repeated request with the same id creates the session once. */
      id: z.optional(Id),
      session_metadata: z.optional(SessionMetadata),
      assistant_id: z.nullish(text(0, 100)),
      model_name: z.nullish(text(0, MAX_MODEL_NAME)),
      /** The project to start in; its assistant and model are used when none are named. */
      workspace_id: z.optional(Id),
      /** Returns the newest empty chat when there is one, instead of a new one. */
      reuse_empty: z.optional(z.boolean()),
      /** The chat is deleted when it is closed, or when its lease is not renewed for five minutes. */
      is_temporary: z.optional(z.boolean()),
    }),
    {},
  ),
  answer: Session,
})

export const getSession = route({
  method: 'GET',
  path: '/sessions/:sessionId',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'One conversation',
  params: SessionParams,
  answer: Session,
})

export const MAX_TITLE = 50

export const renameSession = route({
  method: 'PUT',
  path: '/sessions/:sessionId/rename',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  summary: 'Rename a conversation',
  params: SessionParams,
  body: z.object({ title: label(1, MAX_TITLE) }),
  answer: Session,
})

export const deleteSession = route({
  method: 'DELETE',
  path: '/sessions/:sessionId',
  access: 'user',
  scope: 'chats',
  may: 'manage session',
  fails: ['held'],
  summary: 'Delete a conversation. With `undo` it is hidden first, and can be restored for 20 seconds',
  params: SessionParams,
  query: z.object({ undo: z.optional(z.literal('true')) }),
  answer: Notice,
})

/** How long a deletion can be undone on screen, in milliseconds. */
export const UNDO_MS = 10_000
/** How long a deleted chat can be restored, in milliseconds: the time on screen, and as much for a slow connection. */
export const RESTORABLE_MS = 2 * UNDO_MS

export const restoreSession = route({
  method: 'POST',
  path: '/restored-sessions',
  access: 'user',
  scope: 'chats',
  fails: ['not_found'],
  summary: 'Restore a conversation that was deleted with `undo` less than 20 seconds ago',
  body: z.object({ session_id: Id }),
  answer: Session,
})

export const getSessionModel = route({
  method: 'GET',
  path: '/sessions/:sessionId/model',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'The model of a conversation',
  params: SessionParams,
  answer: z.object({ model_name: z.nullable(z.string()) }),
})

export const setSessionModel = route({
  method: 'PUT',
  path: '/sessions/:sessionId/model',
  alsoMethods: ['PATCH'],
  access: 'user',
  fails: ['not_available'],
  may: 'write session',
  summary: 'Use another model for the next replies',
  params: SessionParams,
  body: z.object({ model_name: text(1, MAX_MODEL_NAME) }),
  answer: z.object({ model_name: z.string() }),
})

export const setSessionAgent = route({
  method: 'PUT',
  path: '/sessions/:sessionId/agent',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  summary: 'Use another type of agent for the next replies',
  params: SessionParams,
  body: z.object({ agent_type: AgentType }),
  answer: z.object({ agent_type: AgentType }),
})

export const tuneSession = route({
  method: 'PUT',
  path: '/sessions/:sessionId/tuning',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  summary: 'Set the effort, the temperature and the length of the next replies; null for the usual ones',
  params: SessionParams,
  body: z.object({
    effort: z.optional(z.nullable(ChosenEffort)),
    temperature: z.optional(z.nullable(Temperature)),
    max_words: z.optional(z.nullable(AnswerWords)),
  }),
  answer: z.object({
    effort: z.optional(z.nullable(ChosenEffort)),
    temperature: z.optional(z.nullable(Temperature)),
    max_words: z.optional(z.nullable(AnswerWords)),
  }),
})

export const setSessionAssistant = route({
  method: 'PUT',
  path: '/sessions/:sessionId/assistant',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  summary: 'Let an assistant write the next replies, in its way of working, or none',
  params: SessionParams,
  body: z.object({ assistant_id: z.nullable(text(1, 100)) }),
  answer: z.object({ assistant_id: z.nullable(Id), agent_type: AgentType }),
})

export const setSessionTeam = route({
  method: 'PUT',
  path: '/sessions/:sessionId/assistants',
  alsoMethods: ['PATCH'],
  access: 'user',
  may: 'write session',
  summary:
    'Say whom an orchestrator may give work in the next replies; none: the built-in assistants and own ones. What the caller may not use is left out',
  params: SessionParams,
  body: z.object({ assistant_ids: Team }),
  answer: z.object({ session_assistants: Team }),
})

const OfferedTools = z.object({ tool_ids: z.array(z.string()) })

export const getSessionTools = route({
  method: 'GET',
  path: '/sessions/:sessionId/tools',
  access: 'user',
  scope: 'chats',
  may: 'read session',
  summary: 'Ids of the tools that a conversation offers to its model',
  params: SessionParams,
  answer: OfferedTools,
})

export const offerSessionTool = route({
  method: 'PUT',
  path: '/sessions/:sessionId/tools',
  alsoMethods: ['PATCH'],
  access: 'user',
  fails: ['not_found'],
  may: 'write session',
  summary: 'Offer a tool to the model of a conversation, or withhold it',
  params: SessionParams,
  body: z.object({ tool_id: text(1, 100), is_offered: z.boolean() }),
  answer: OfferedTools,
})
