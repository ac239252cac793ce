import * as z from 'zod/mini'
import { InterfaceMessage, type PageMessage } from '#shared/tools/tool-interfaces/messages.ts'
import type { Dialect } from './dialect.ts'

/** Supported version of the MCP Apps protocol (SEP-1865). */
const PROTOCOL = '2026-01-26'

const RpcId = z.union([z.string().check(z.maxLength(100)), z.number()])
const Rpc = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(RpcId),
  method: z.string().check(z.maxLength(100)),
  params: z.optional(z.looseObject({})),
})
type Look = { language: 'en' | 'fr'; theme: 'light' | 'dark' }
type Given = {
  /** Returns the current appearance of the page. */
  look: () => Look
  /** Ids of the callable tools, by the names the interface uses. */
  calls: Readonly<Record<string, string>>
}

/** Creates the JSON-RPC dialect of MCP Apps. Requested tool calls are handled like any other. */
export function createAppDialect({ look, calls }: Given): Dialect {
  /** The interface's call ids, by Atrium's ids. */
  const asked = new Map<string, string | number>()
  return {
    read: (data) => {
      const { success, data: rpc } = Rpc.safeParse(data)
      if (!success) return { message: null }
      const { id, method, params = {} } = rpc
      switch (method) {
        case 'ui/initialize':
          return { message: null, reply: answer(id, introduce(look())) }
        case 'ui/notifications/initialized':
          return { message: { type: 'ready' } }
        case 'ui/notifications/size-changed':
          return { message: read({ type: 'resize', height: params.height }) }
        case 'ping':
          return { message: null, reply: answer(id, {}) }
        case 'tools/call': {
          if (id === undefined) return { message: null }
          const name = String(params.name)
          const tool = Object.hasOwn(calls, name) ? calls[name] : undefined
          if (!tool) return { message: null, reply: refuse(id, -32602, 'There is no such tool.') }
          const message = read({ type: 'call', id: String(id), tool, input: params.arguments ?? {} })
          if (!message) return { message: null, reply: refuse(id, -32602, 'The arguments are not valid.') }
          asked.set(String(id), id)
          return { message }
        }
        default:
          // A notification needs no reply.
          if (id === undefined) return { message: null }
          return { message: null, reply: refuse(id, -32601, 'This is not possible here.') }
      }
    },
    write: (message) => write(message, asked),
  }
}

function write(message: PageMessage, asked: Map<string, string | number>): unknown[] {
  switch (message.type) {
    case 'init': {
      const told = [notify('tool-input', { arguments: message.input ?? {} })]
      return message.result === null ? told : [...told, notify('tool-result', toResult(message.result))]
    }
    case 'input':
      return [notify('tool-input', { arguments: message.input ?? {} })]
    case 'result':
      return message.result === null ? [] : [notify('tool-result', toResult(message.result))]
    case 'state':
      return [notify('host-context-changed', contextOf(message))]
    case 'answer': {
      const id = asked.get(message.id)
      asked.delete(message.id)
      if (id === undefined) return []
      if (message.error === null) return [answer(id, toResult(message.result))]
      return [answer(id, { content: [{ type: 'text', text: message.error }], isError: true })]
    }
    default:
      return message satisfies never
  }
}

const read = (wanted: unknown) => InterfaceMessage.safeParse(wanted).data ?? null
const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const refuse = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const notify = (name: string, params: unknown) => ({
  ...{ jsonrpc: '2.0', method: `ui/notifications/${name}`, params },
})
const contextOf = ({ theme, language }: Look) => ({ theme, locale: language, displayMode: 'inline' })

function introduce(look: Look) {
  return {
    protocolVersion: PROTOCOL,
    hostInfo: { name: 'Atrium', version: '1.0.0' },
    hostCapabilities: { serverTools: {} },
    hostContext: { ...contextOf(look), availableDisplayModes: ['inline'], platform: 'web' },
  }
}

/** Converts a result to the MCP format: text, plus structured content where there is any. */
function toResult(result: unknown): unknown {
  if (typeof result === 'object' && result !== null && 'content' in result && Array.isArray(result.content))
    return result
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  const isData = typeof result === 'object' && result !== null && !Array.isArray(result)
  return { content: [{ type: 'text', text }], ...(isData && { structuredContent: result }) }
}
