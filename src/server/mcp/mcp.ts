import type { Outbound } from '../outbound/outbound.ts'
import type { McpServer } from './address.ts'
import { askOptions } from './connection.ts'
import { type Exchange, type McpCall, startExchange } from './exchange.ts'
import { type Listing, readListing } from './listing.ts'
import { createPool } from './pool.ts'

export type { McpServer } from './address.ts'
export { bounds as mcpBounds } from './bounds.ts'
export type { Elicitation, ElicitationAnswer } from './connection.ts'
export type { Exchange, Happened, McpResult } from './exchange.ts'
export type { ListedTool, Listing } from './listing.ts'

/** A part of what a resource holds. */
export type ResourcePart = {
  uri: string
  media_type: string | null
  text?: string
  /** As base64. */
  blob?: string
  meta: Record<string, unknown>
}

/** Servers that speak the Model Context Protocol. Everything that fails says what to do, and touches no other server. */
export type Mcp = {
  /** @throws AppError `unavailable`; an abort as it is */
  list: (server: McpServer, signal?: AbortSignal) => Promise<Listing>
  /** Begins a call of a tool. */
  call: (server: McpServer, call: McpCall) => Exchange
  /** @throws AppError `unavailable` */
  readResource: (server: McpServer, uri: string) => Promise<ResourcePart[]>
  /** A prompt as messages. @throws AppError `unavailable` */
  getPrompt: (server: McpServer, name: string, given: Record<string, string>) => Promise<PromptMessage[]>
  /** Hears when a server says that what it offers has changed. */
  onChanged: (listener: (serverId: string) => void) => void
  /** Connections of a server end once nobody uses them. */
  forget: (serverId: string) => Promise<void>
  close: () => Promise<void>
}
export type PromptMessage = { role: 'user' | 'assistant'; content: unknown }

export function createMcp(outbound: Outbound, trusted: readonly string[]): Mcp {
  const listeners: ((serverId: string) => void)[] = []
  const pool = createPool({
    ...{ outbound, trusted },
    onChanged: (serverId) => {
      for (const listener of listeners) listener(serverId)
    },
  })
  return {
    list: (server, signal) => pool.lend(server, (connection) => readListing(connection, signal), signal),
    call: (server, call) => startExchange(pool, server, call),
    readResource: (server, uri) =>
      pool.lend(server, async ({ client }) => {
        const { contents } = await client.readResource({ uri }, askOptions())
        return contents.map((part) => ({
          ...{ uri: part.uri, media_type: part.mimeType ?? null, meta: part._meta ?? {} },
          ...('text' in part ? { text: part.text } : { blob: part.blob }),
        }))
      }),
    getPrompt: (server, name, given) =>
      pool.lend(server, async ({ client }) => {
        const { messages } = await client.getPrompt({ name, arguments: given }, askOptions())
        return messages.map(({ role, content }) => ({ role, content }))
      }),
    onChanged: (listener) => listeners.push(listener),
    forget: pool.forget,
    close: pool.close,
  }
}
