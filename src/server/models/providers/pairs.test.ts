import { describe, expect, it } from 'vitest'
import { prepareCall } from '../models/adapting/prepare-call.ts'
import type { ModelCall, ToolCallPart } from '../models/port.ts'
import type { Dialect } from '../models/wire/dialect.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

type Body = Record<string, unknown>
const find = (body: Body, key: string): unknown[] => {
  const found: unknown[] = []
  JSON.stringify(body, (name, value) => {
    if (name === key) found.push(value)
    return value
  })
  return found
}

/** Ids as each kind of server gives them, two calls of one answer and one that repeats an id of the answer before. */
const givenBy: Record<string, string[]> = {
  compatible: ['functions.calculator:0', 'functions.calculator:1', 'functions.calculator:0'],
  mistral: ['D681PevKs', 'D681PevKs_1', 'a1B2c3D4e'],
  anthropic: ['toolu_01A', 'toolu_01B', 'toolu_01C'],
  google: ['call_1', 'call_2', 'call_1'],
  openai: ['call_abc', 'call_def', 'call_ghi'],
}

const targets: [string, string, Dialect, string, RegExp][] = [
  ['anthropic', 'anthropic', anthropicMessages, 'claude', /^[a-zA-Z0-9_-]+$/],
  ['google', 'google', googleGenerate, 'gemini-3-pro', /./],
  ['openai', 'openai', openaiResponses, 'gpt-5', /^.{1,64}$/],
  ['mistral', 'compatible', openaiChat, 'mistral-large', /^[a-zA-Z0-9]{9}$/],
]
const pairs = Object.keys(givenBy).flatMap((from) =>
  targets.filter(([to]) => to !== from).map((target) => [from, ...target] as const),
)

const callsOf = (ids: string[]): ToolCallPart[] =>
  ids.map((id) => ({ type: 'tool-call', id, name: 'calculator', input: '{"a":6}' }))
const results = (ids: string[]) =>
  ids.map((id) => ({ type: 'tool-result' as const, id, name: 'calculator', output: '42', is_error: false }))

describe('the history of one provider, told to another', () => {
  it.each(pairs)('goes from %s to %s', async (from, _to, kind, dialect, model, pattern) => {
    const [first = '', second = '', third = ''] = givenBy[from] ?? []
    const call: ModelCall = {
      model,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is 6*7?' }] },
        { role: 'assistant', content: callsOf([first, second]) },
        { role: 'tool', content: results([first, second]) },
        { role: 'assistant', content: callsOf([third]) },
        { role: 'tool', content: results([third]) },
      ],
      tools: [
        {
          name: 'calculator',
          description: 'Calculates',
          input_schema: { type: 'object', properties: { a: {} } },
        },
      ],
      tool_choice: 'auto',
    }
    const facts = { kind, base_url: 'http://127.0.0.1', context_tokens: null, count: async () => 0 }
    const prepared = await prepareCall(call, [], facts)
    const { body } = dialect.request(prepared.call, {
      provider: 'x',
      base_url: 'http://127.0.0.1',
      api_key: null,
    })
    if (kind === 'google') {
      const turns = (body.contents as { role: string; parts: Body[] }[]).filter(
        ({ role }) => role === 'model',
      )
      for (const { parts } of turns)
        expect(parts.find((part) => part.functionCall)).toHaveProperty('thoughtSignature')
      return
    }
    const asked = kind === 'openai' ? find(body, 'call_id').filter((_, at) => [0, 1, 4].includes(at)) : null
    const ids = (asked ?? find(body, 'id')) as string[]
    const answered =
      kind === 'openai'
        ? null
        : (find(body, kind === 'anthropic' ? 'tool_use_id' : 'tool_call_id') as string[])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(pattern)
    if (answered) expect(answered).toEqual(ids)
  })
})
