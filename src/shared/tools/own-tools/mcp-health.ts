import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id } from '../../platform/primitives.ts'

/** Messages stored per server. */
export const MAX_STORED_MESSAGES = 50
/** Milliseconds above which an answer counts as slow. Does not apply to tool calls, which take as long as their work. */
export const SLOW_MS = 2_000

/** A message between Atrium and a server: names and times, never its content. */
export const ServerMessage = z.object({
  at: z.string(),
  what: z.enum(['connect', 'list', 'call', 'read', 'prompt', 'progress', 'asks', 'stopped', 'changed']),
  /** Name of a tool, resource or prompt; for a connection the protocol; for a call its progress. */
  name: z.string(),
  /** Milliseconds until the answer; null without one. */
  ms: z.nullable(z.int()),
  /** Reason for a missing answer, or with `ms` for an error answer; null on success. */
  failure: z.nullable(z.string()),
})
export type ServerMessage = z.infer<typeof ServerMessage>

/** Availability of a server, based only on requests that were made. */
export const ServerHealth = z.object({
  answered_at: z.nullable(z.string()),
  /** Start of the current period without failures; null while requests fail. */
  answering_since: z.nullable(z.string()),
  failed_at: z.nullable(z.string()),
  /** Description of the failure, in one sentence without secrets. */
  failure: z.nullable(z.string()),
  /** Median over the last messages; null before the first answer. */
  median_ms: z.nullable(z.int()),
  /** Share of answered requests over 30 days, 0 to 1; null without requests. */
  answered: z.nullable(z.number()),
  /** Half hours of the last day with requests, oldest first. */
  half_hours: z.array(z.object({ at: z.string(), answers: z.int(), slow: z.int(), failures: z.int() })),
  /** Newest first. */
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
