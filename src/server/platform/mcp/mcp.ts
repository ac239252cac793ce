import type { Outbound } from '../outbound/outbound.ts'
import type { McpServer } from './address.ts'
import { askOptions } from './connection.ts'
import { type Exchange, type McpCall, startExchange } from './exchange.ts'
import { createLend, type Hear, type Heard } from './hearing.ts'
import { type Listing, readListing } from './listing.ts'
import { createPool } from './pool.ts'

export type { McpServer } from './address.ts'
export { bounds as mcpBounds } from './bounds.ts'
export type { Elicitation, ElicitationAnswer } from './connection.ts'
export type { Exchange, Happened, McpCall, McpResult } from './exchange.ts'
export type { Heard } from './hearing.ts'
export { plainIssues } from './issues-in-words.ts'
export type { ListedTool, Listing } from './listing.ts'
export { PROGRAM_FOLDERS } from './program.ts'
export { SignInNeeded } from './web-server.ts'

/** One part of a resource's content. */
export type ResourcePart = {
  uri: string
  media_type: string | null
  text?: string
  /** Encoded as base64. */
  blob?: string
  meta: Record<string, unknown>
}

/** Client for servers of the Model Context Protocol. Every error says what to do. A failing server affects no other. */
export type Mcp = {
  /** @throws AppError `unavailable`; an abort unchanged */
  list: (server: McpServer, signal?: AbortSignal) => Promise<Listing>
  /** Starts a tool call. */
  call: (server: McpServer, call: McpCall) => Exchange
  /** @throws AppError `unavailable` */
  readResource: (server: McpServer, uri: string) => Promise<ResourcePart[]>
  /** Returns a prompt as messages. @throws AppError `unavailable` */
  getPrompt: (server: McpServer, name: string, given: Record<string, string>) => Promise<PromptMessage[]>
  /** Registers a listener for servers whose offer has changed. */
  onChanged: (listener: (serverId: string) => void) => void
  /** Registers a listener for exchanges with servers. */
  onHeard: (listener: Hear) => void
  /** Ends idle connections of servers whose ids have this prefix. */
  forget: (start: string) => Promise<void>
  close: () => Promise<void>
}
export type PromptMessage = { role: 'user' | 'assistant'; content: unknown }

export function createMcp(outbound: Outbound, trusted: readonly string[]): Mcp {
  const listeners: ((serverId: string) => void)[] = []
  const hearers: Hear[] = []
  const hear = (serverId: string, heard: Heard) => {
    for (const hearer of hearers) hearer(serverId, heard)
  }
  const pool = createPool({
    ...{ outbound, trusted },
    onConnected: (serverId, protocol, ms) =>
      hear(serverId, { what: 'connect', name: protocol, ms, failure: null }),
    onChanged: (serverId) => {
      hear(serverId, { what: 'changed', name: '', ms: null, failure: null })
      for (const listener of listeners) listener(serverId)
    },
  })
  const lend = createLend(pool, hear)
  return {
    list: (server, signal) =>
      lend(server, { what: 'list', name: '' }, (connection) => readListing(connection, signal), signal),
    call: (server, call) => startExchange(lend, hear, server, call),
    readResource: (server, uri) =>
      lend(server, { what: 'read', name: plainUri(uri) }, async ({ client }) => {
        const { contents } = await client.readResource({ uri }, askOptions())
        return contents.map((part) => ({
          ...{ uri: part.uri, media_type: part.mimeType ?? null, meta: part._meta ?? {} },
          ...('text' in part ? { text: part.text } : { blob: part.blob }),
        }))
      }),
    getPrompt: (server, name, given) =>
      lend(server, { what: 'prompt', name }, async ({ client }) => {
        const { messages } = await client.getPrompt({ name, arguments: given }, askOptions())
        return messages.map(({ role, content }) => ({ role, content }))
      }),
    onHeard: (listener) => hearers.push(listener),
    onChanged: (listener) => listeners.push(listener),
    forget: pool.forget,
    close: pool.close,
  }
}

/** Removes parts that may contain secrets. */
const plainUri = (uri: string): string => uri.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
