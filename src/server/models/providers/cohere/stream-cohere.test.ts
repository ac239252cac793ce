import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type ModelCall, ModelError, type ModelPart } from '../../models/port.ts'
import { defaultLimits } from '../../models/wire/allowance.ts'
import { openGate } from '../../models/wire/gate.ts'
import { streamCohere } from './stream-cohere.ts'

const patience = { firstMs: 5_000, quietMs: 5_000, idleMs: 5_000, attempts: 1, backoffMs: 1 }
const call: ModelCall = {
  model: 'command',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 'weather', description: '', input_schema: { type: 'object', properties: {} } }],
  tool_choice: 'auto',
}
const whole = {
  id: '1',
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'It is 15°C.' },
    ],
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"at":"Berlin"}' } }],
    citations: [{ start: 6, end: 11, text: '15°C.', sources: [], type: 'TEXT_CONTENT' }],
  },
  finish_reason: 'TOOL_CALL',
  usage: { tokens: { input_tokens: 7, output_tokens: 3 }, cached_tokens: 2 },
}
const events = [
  { type: 'message-start', id: '1' },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'It is ' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: '15°C.' } } } },
  { type: 'content-end', index: 0 },
  {
    type: 'message-end',
    delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 7, output_tokens: 3 } } },
  },
]

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

/** Asks a server that answers with these pieces, whatever it is asked. */
async function ask(pieces: (string | Uint8Array)[]): Promise<ModelPart[] | ModelError> {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const piece of pieces) response.write(piece)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parts: ModelPart[] = []
  try {
    const endpoint = { provider: 'cohere', base_url, api_key: 'key' }
    const stream = await streamCohere(endpoint, patience, defaultLimits, openGate(endpoint))
    await stream(call, new AbortController().signal, (part) => parts.push(part))
    return parts
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
}

describe('a server that is asked to stream', () => {
  it('is read event by event', async () => {
    const parts = await ask(events.map((event) => `data: ${JSON.stringify(event)}\n\n`))
    expect(parts).toEqual([
      { type: 'text', text: 'It is ' },
      { type: 'text', text: '15°C.' },
      expect.objectContaining({ type: 'usage', input_tokens: 7, output_tokens: 3, estimated: false }),
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('is understood when it answers with one JSON document', async () => {
    const bytes = new TextEncoder().encode(` \n${JSON.stringify(whole)}`)
    const place = bytes.indexOf(0xc2) + 1
    // The break is inside the degree sign.
    expect(await ask([bytes.slice(0, 1), bytes.slice(1, place), bytes.slice(place)])).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'It is 15°C.' },
      expect.objectContaining({ type: 'usage', input_tokens: 7, output_tokens: 3 }),
      { type: 'tool-call', id: 'c1', name: 'weather', input: '{"at":"Berlin"}' },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  it('is interrupted when the document breaks off, and when nothing comes', async () => {
    const document = JSON.stringify(whole)
    expect(await ask([document.slice(0, 80)])).toMatchObject({ kind: 'interrupted' })
    server.close()
    expect(await ask([])).toMatchObject({ kind: 'interrupted' })
  })
})
