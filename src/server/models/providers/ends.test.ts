import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelCall, ModelError, ModelPart } from '../models/port.ts'
import type { Dialect } from '../models/wire/dialect.ts'
import { streamOverWire } from '../models/wire/stream.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const patience = { firstMs: 20_000, quietMs: 20_000, idleMs: 20_000, attempts: 1, backoffMs: 1 }
const call: ModelCall = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}

let server: Server
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)

/** Serves one answer per request. */
async function serve(...answers: ((response: ServerResponse) => void)[]): Promise<string> {
  server = createServer((request, response) => {
    request.resume()
    answers.shift()?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** Returns the text, the calls, and the finish or the kind of the error. */
async function ask(dialect: Dialect, base_url: string): Promise<string> {
  const stream = streamOverWire(dialect, { provider: 'x', base_url, api_key: null }, patience)
  const said: string[] = []
  const write = (part: ModelPart) => {
    if (part.type === 'text') said.push(part.text)
    if (part.type === 'tool-call') said.push(`${part.name}${part.input}`)
    if (part.type === 'finish') said.push(part.reason)
  }
  await stream(call, new AbortController().signal, write).catch(({ kind }: ModelError) => said.push(kind))
  return said.join(' ')
}

const events = (list: unknown[]) => list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const headers = { 'content-type': 'text/event-stream' }
const closes = (body: string) => (response: ServerResponse) => response.writeHead(200, headers).end(body)
const resets = (body: string) => (response: ServerResponse) => {
  response.writeHead(200, headers).write(body, () => setTimeout(() => response.destroy(), 50))
}
/** Ends a body of unknown length by closing the connection, as a server does that is killed. */
const hangsUp = (body: string) => (response: ServerResponse) => {
  response.useChunkedEncodingByDefault = false
  response.writeHead(200, { ...headers, connection: 'close' }).end(body)
}

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const fragment = (args: string) =>
  choice({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: args } }] })
const block = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const stopped = (index: number) => ({ type: 'content_block_stop', index })
const textBlock = [
  block(0, { type: 'text', text: '' }),
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
]
const toolBlock = [
  block(1, { type: 'tool_use', id: 'c', name: 'add', input: {} }),
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
]
const candidate = (part: object) => ({ candidates: [{ content: { parts: [part] } }] })
const item = { type: 'function_call', call_id: 'c', name: 'add', arguments: '{"a":1}' }
const delta = { type: 'response.output_text.delta', delta: 'Hi' }

/** Texts without a finish, then what makes each of them open, then what ends it. */
const dialects: [string, Dialect, { text: unknown[]; open: unknown[]; called: unknown[]; end: unknown[] }][] =
  [
    [
      'chat completions',
      openaiChat,
      {
        text: [choice({ content: 'Hi' })],
        open: [fragment('{"a":')],
        called: [fragment('{"a":1}')],
        end: [choice({}, 'stop')],
      },
    ],
    [
      'responses',
      openaiResponses,
      {
        text: [delta],
        open: [{ type: 'response.output_item.added', item: { ...item, arguments: '' } }],
        called: [
          { type: 'response.output_item.added', item: { ...item, arguments: '' } },
          { type: 'response.output_item.done', item },
        ],
        end: [{ type: 'response.completed', response: { status: 'completed' } }],
      },
    ],
    [
      'messages',
      anthropicMessages,
      {
        text: [...textBlock, stopped(0)],
        open: toolBlock,
        called: [...toolBlock, stopped(1)],
        end: [{ type: 'message_stop' }],
      },
    ],
    [
      'Gemini',
      googleGenerate,
      {
        text: [candidate({ text: 'Hi' })],
        open: [
          candidate({ functionCall: { name: 'add', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] } }),
        ],
        called: [candidate({ functionCall: { name: 'add', args: { a: 1 } } })],
        end: [{ candidates: [{ finishReason: 'STOP' }] }],
      },
    ],
  ]

describe.each(dialects)('an answer without a finish: %s', (_, dialect, { text, open, called, end }) => {
  it('is complete when the server closed it after its text', async () => {
    expect(await ask(dialect, await serve(closes(events(text))))).toBe('Hi stop')
  })

  it('is complete with a whole call', async () => {
    const said = await ask(dialect, await serve(closes(events([...text, ...called]))))
    expect(said).toBe('Hi add{"a":1} tool-calls')
  })

  it.each<[string, (body: string) => (response: ServerResponse) => void, unknown[], string]>([
    ['the connection is reset', resets, [], ''],
    ['only the end of the connection ends it', hangsUp, [], ''],
    ['a call is open', closes, open, ''],
    ['its last event is torn', closes, [], 'data: {"choi'],
    ['the name of its last event is torn', closes, [], 'event: content_bl'],
  ])('is cut when %s', async (_, close, rest, torn) => {
    expect(await ask(dialect, await serve(close(events([...text, ...rest]) + torn)))).toBe('Hi interrupted')
  })

  it('is cut when the same model marked the end of an earlier answer', async () => {
    const url = await serve(closes(events([...text, ...end])), closes(events(text)))
    expect(await ask(dialect, url)).toBe('Hi stop')
    expect(await ask(dialect, url)).toBe('Hi interrupted')
  })
})

describe('an answer without a finish', () => {
  it('is cut before its first word', async () => {
    expect(await ask(openaiChat, await serve(closes(events([choice({ reasoning: 'Hm' })]))))).toBe(
      'interrupted',
    )
  })

  it('is cut while a block of the Messages API is open', async () => {
    expect(await ask(anthropicMessages, await serve(closes(events(textBlock))))).toBe('Hi interrupted')
  })

  it.each([
    ['chat completions', openaiChat, { choices: [{ message: { content: 'Hi' } }] }],
    ['the Messages API', anthropicMessages, { type: 'message', content: [{ type: 'text', text: 'Hi' }] }],
    ['Gemini', googleGenerate, [candidate({ text: 'Hi' })]],
  ])('is complete as one document of %s', async (_, dialect, document) => {
    expect(await ask(dialect, await serve(hangsUp(JSON.stringify(document))))).toBe('Hi stop')
  })
})
