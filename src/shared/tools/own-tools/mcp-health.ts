import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Messages of a server that are kept. */
export const MOST_MESSAGES = 50
/** Milliseconds from which on an answer is slow; calls of tools take as long as their work does. */
export const SLOW_MS = 2_000

/** What passed between Atrium and a server: names and times, never what went in or came out. */
export const ServerMessage = z.object({
  at: z.string(),
  what: z.enum(['connect', 'list', 'call', 'read', 'prompt', 'progress', 'asks', 'stopped', 'changed']),
  /** Of a tool, a resource or a prompt; the protocol of a connection, or how far a call came. */
  name: z.string(),
  /** How long the answer took; null where it was none. */
  ms: z.nullable(z.int()),
  /** Why there was no answer, or with `ms` that it was an error; null where all went well. */
  failure: z.nullable(z.string()),
})
export type ServerMessage = z.infer<typeof ServerMessage>

/** How a server has answered; what was not asked is no failure. */
export const ServerHealth = z.object({
  answered_at: z.nullable(z.string()),
  /** Since when it has answered all it was asked; null while it does not. */
  answering_since: z.nullable(z.string()),
  failed_at: z.nullable(z.string()),
  /** What happened then, in a sentence without secrets. */
  failure: z.nullable(z.string()),
  /** Of the last messages; null before the first answer. */
  median_ms: z.nullable(z.int()),
  /** The share of 30 days that was answered, from 0 to 1; null when nothing was asked. */
  answered: z.nullable(z.number()),
  /** The half hours of the last day in which it was asked something, the oldest first. */
  half_hours: z.array(z.object({ at: z.string(), answers: z.int(), slow: z.int(), failures: z.int() })),
  /** The newest first. */
  messages: z.array(ServerMessage),
})
export type ServerHealth = z.infer<typeof ServerHealth>

export const getServerHealth = route({
  method: 'GET',
  path: '/mcp-servers/:toolSetId/health',
  access: 'user',
  fails: ['conflict'],
  may: 'write tool-set',
  summary: 'How an MCP server of one’s own has answered, and what passed last',
  params: z.object({ toolSetId: Id }),
  answer: ServerHealth,
})
