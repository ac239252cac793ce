import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelPart, ReasoningPart } from '../models/port.ts'
import type { Dialect } from '../models/wire/dialect.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const call: ModelCall = {
  model: 'gpt-5',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  tool_choice: 'auto',
}
const endpoint = { provider: 'test', base_url: 'http://127.0.0.1/v1', api_key: 'key' }

function readAll(dialect: Dialect, events: object[], given: ModelCall = call, isMarked = false): ModelPart[] {
  const reader = dialect.createReader(given)
  return [...events.flatMap((event) => reader.read(event)), ...reader.end(isMarked ? 'marked' : 'unknown')]
}

/** Returns the body of the request that follows an answer. Adjacent thoughts are joined, as agents store them. */
function sendBack(dialect: Dialect, parts: ModelPart[]) {
  const thoughts = parts.filter((part): part is ReasoningPart => part.type === 'reasoning')
  const thought: ReasoningPart = {
    type: 'reasoning',
    text: thoughts.map((part) => part.text).join(''),
    metadata: Object.assign({}, ...thoughts.map((part) => part.metadata ?? {})),
  }
  const calls = parts.filter((part) => part.type === 'tool-call')
  const messages: ModelCall['messages'] = [
    ...call.messages,
    { role: 'assistant', content: [thought, ...calls] },
  ]
  return JSON.stringify(dialect.request({ ...call, messages }, endpoint).body)
}

const chatCall = (fragment: object) => ({ choices: [{ delta: { tool_calls: [fragment] } }] })
const callsOf = (parts: ModelPart[]) =>
  parts.flatMap((part) => (part.type === 'tool-call' ? [`${part.name} ${part.input}`] : []))

describe('thoughts go back as the provider gave them', () => {
  it('Anthropic: signed and redacted blocks, whole', () => {
    const parts = readAll(anthropicMessages, [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'So it ' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'is.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'xyz' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'c', name: 'f' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    ])
    const body = sendBack(anthropicMessages, parts)
    expect(body).toContain('{"type":"thinking","thinking":"So it is.","signature":"sig"}')
    expect(body).toContain('{"type":"redacted_thinking","data":"xyz"}')
  })

  it('OpenAI: the encrypted item, asked for only where the model thinks', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'enc' }
    const parts = readAll(openaiResponses, [
      { type: 'response.output_item.done', item },
      {
        type: 'response.output_item.done',
        item: { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      },
      { type: 'response.completed', response: {} },
    ])
    expect(sendBack(openaiResponses, parts)).toContain(JSON.stringify(item))
    const include = (model: string) => openaiResponses.request({ ...call, model }, endpoint).body.include
    expect(include('gpt-5')).toEqual(['reasoning.encrypted_content'])
    expect(include('gpt-4o')).toBeUndefined()
  })

  it('Google: the signature of a tool call', () => {
    const part = { functionCall: { name: 'f', args: { x: 1 } }, thoughtSignature: 'sig' }
    const parts = readAll(googleGenerate, [
      { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] },
    ])
    expect(sendBack(googleGenerate, parts)).toContain('"thoughtSignature":"sig"')
  })

  it('compatible servers: in the field they came in, next to the calls', () => {
    const tool = chatCall({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } })
    const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }
    const plain = [{ choices: [{ delta: { reasoning_content: 'Hm' } }] }, tool, end]
    expect(sendBack(openaiChat, readAll(openaiChat, plain))).toContain('"reasoning_content":"Hm"')
    const detail = (text: string) => ({ type: 'reasoning.text', index: 0, text })
    const details = ['So ', 'it is'].map((text) => ({
      choices: [{ delta: { reasoning: text, reasoning_details: [detail(text)] } }],
    }))
    expect(sendBack(openaiChat, readAll(openaiChat, [...details, tool, end]))).toContain(
      `"reasoning_details":[${JSON.stringify(detail('So it is'))}]`,
    )
  })
})

describe('an answer of a given schema', () => {
  const output = { name: 'plan', schema: { type: 'object' } }

  it('comes from Anthropic as the arguments of a tool, and is given as text', () => {
    const asked = { ...call, output }
    const parts = readAll(
      anthropicMessages,
      [
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'plan' } },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
        },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ],
      asked,
    )
    expect(parts[0]).toEqual({ type: 'text', text: '{"a":1}' })
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(anthropicMessages.request(asked, endpoint).body.tool_choice).toEqual({
      type: 'tool',
      name: 'plan',
    })
  })

  it.each([
    ['OpenAI chat', openaiChat, 'response_format'],
    ['OpenAI responses', openaiResponses, 'text'],
    ['Google', googleGenerate, 'generationConfig'],
  ] as const)('is asked of %s in its own words', (_, dialect, field) => {
    const { body } = dialect.request({ ...call, output }, endpoint)
    expect(JSON.stringify(body[field])).toContain('{"type":"object"}')
  })
})

describe('compatible servers', () => {
  it('may send parallel calls under one index, or without index and id', () => {
    const whole = (id: string, x: number) =>
      chatCall({ index: 0, id, function: { name: 'f', arguments: `{"x":${x}}` } })
    const bare = (x: number) => chatCall({ function: { name: 'f', arguments: `{"x":${x}}` } })
    const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }
    for (const events of [
      [whole('a', 1), whole('b', 2), end],
      [bare(1), bare(2), end],
    ])
      expect(callsOf(readAll(openaiChat, events))).toEqual(['f {"x":1}', 'f {"x":2}'])
  })

  it('may end by the mark alone, but half a tool call is no end', () => {
    const said = { choices: [{ delta: { content: 'Done' } }] }
    expect(readAll(openaiChat, [said], call, true).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    const half = chatCall({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } })
    expect(() => readAll(openaiChat, [said, half], call, true)).toThrow('cut off')
    expect(() => readAll(openaiChat, [said])).toThrow('cut off')
  })

  it('may answer chat completions where responses were asked for', () => {
    const events = [
      { choices: [{ delta: { content: 'Hi' } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    ]
    expect(readAll(openaiResponses, events)[0]).toEqual({ type: 'text', text: 'Hi' })
  })
})

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
  'arguments that are written into %s change nothing',
  (name) => {
    const partialArgs = ['$.NAME.bad', '$.NAME[0]', '$.a.NAME.bad', "$['NAME'].bad", '$.a[4000000000]'].map(
      (jsonPath) => ({ jsonPath: jsonPath.replace('NAME', name), stringValue: 'x' }),
    )
    const parts = readAll(googleGenerate, [
      {
        candidates: [
          { content: { parts: [{ functionCall: { name: 'f', partialArgs } }] }, finishReason: 'STOP' },
        ],
      },
    ])
    const everywhere = [{}, [], () => 0].map((one) => (one as Record<string, unknown>)[name])
    for (const inherited of everywhere) expect(inherited).not.toHaveProperty('bad')
    expect(callsOf(parts)).toEqual(['f {}'])
  },
)

it.each(['constructor', '__proto__', 'toString'])('a finish named %s is one of another kind', (reason) => {
  const chat = [{ choices: [{ delta: { content: 'Hi' }, finish_reason: reason }] }]
  expect(readAll(openaiChat, chat).at(-1)).toEqual({ type: 'finish', reason: 'other' })
  const message = { type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: reason }
  expect(readAll(anthropicMessages, [message]).at(-1)).toEqual({ type: 'finish', reason: 'other' })
})
