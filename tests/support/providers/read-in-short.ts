import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { adaptToRefusals } from '../../../src/server/models/models/adapting/adaptive.ts'
import { learnInMemory } from '../../../src/server/models/models/adapting/learned.ts'
import type { ModelCall, ModelError, ModelPart } from '../../../src/server/models/models/port.ts'
import type { Dialect } from '../../../src/server/models/models/wire/dialect.ts'
import { streamOverWire } from '../../../src/server/models/models/wire/stream.ts'

let server: Server
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)

const patience = { firstMs: 5_000, quietMs: 5_000, idleMs: 5_000, attempts: 1, backoffMs: 1 }
const sum = { a: { type: 'number' }, b: { type: 'number' } }
const call: ModelCall = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 'add', description: '', input_schema: { type: 'object', properties: sum } }],
  tool_choice: 'auto',
}

/** Returns the answer to a body in short: thoughts, text, calls, usage, and the finish or the error. */
export async function readInShort(dialect: Dialect, body: string): Promise<string> {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const facts = { kind: 'compatible', base_url, context_tokens: null, count: async () => 100 }
  const wire = streamOverWire(dialect, { provider: 'x', base_url, api_key: null }, patience)
  const said: string[] = []
  try {
    const stream = adaptToRefusals(wire, learnInMemory(), facts)
    await stream(call, new AbortController().signal, (part) => said.push(write(part)))
  } catch (error) {
    const { kind, message } = error as ModelError
    said.push(`${kind}: ${message.split(': ').slice(1).join(': ')}`)
  }
  return said.filter(Boolean).join(' ')
}

function write(part: ModelPart): string {
  if (part.type === 'text') return part.text
  if (part.type === 'reasoning') return part.text && `(${part.text})`
  if (part.type === 'tool-call') return `${part.name}${part.input}`
  if (part.type === 'usage') return `${part.input_tokens}+${part.output_tokens}`
  return part.type === 'finish' ? part.reason : ''
}

/** Writes an event stream. */
export const events = (...list: unknown[]) => list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
/** A chunk of chat completions. */
export const delta = (given: unknown, finish_reason: unknown = null) => ({
  choices: [{ index: 0, delta: given, finish_reason }],
})
