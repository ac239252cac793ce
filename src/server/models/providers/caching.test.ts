import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelMessage } from '../models/port.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'

const endpoint = { provider: 'test', base_url: 'http://127.0.0.1/v1', api_key: 'key' }
const CACHED = { cache_control: { type: 'ephemeral' } }
const said = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const tools = ['a', 'b'].map((name) => ({ name, description: '', input_schema: {} }))

const bodyOf = (given: Partial<ModelCall>) => {
  const messages: ModelMessage[] = [{ role: 'system', content: 'Be brief.' }, said('One'), said('Two')]
  const call: ModelCall = { model: 'claude', messages, tools: [], tool_choice: 'auto', ...given }
  return anthropicMessages.request(call, endpoint).body
}
const usageOf = (dialect: typeof openaiChat, events: object[]) => {
  const call: ModelCall = { model: 'm', messages: [], tools: [], tool_choice: 'auto' }
  const reader = dialect.createReader(call)
  for (const event of events) reader.read(event)
  return reader.end('marked').find(({ type }) => type === 'usage')
}

describe('a request to Anthropic', () => {
  it('marks the last tool, the instructions and the end of the history for the cache', () => {
    expect(bodyOf({ tools })).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.', ...CACHED }],
      tools: [{ name: 'a' }, { name: 'b', ...CACHED }],
      messages: [{ role: 'user', content: [{ text: 'One' }, { text: 'Two', ...CACHED }] }],
    })
    expect(JSON.stringify(bodyOf({ tools })).split('cache_control')).toHaveLength(4)
  })

  it('writes no history to the cache that will not be sent again', () => {
    expect(JSON.stringify(bodyOf({}).messages)).not.toContain('cache_control')
  })

  it('marks no empty text', () => {
    expect(JSON.stringify(bodyOf({ tools, messages: [said('')] }).messages)).not.toContain('cache_control')
  })
})

describe('the usage of an answer', () => {
  it('tells from Anthropic what was read from the cache and what was written to it', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 500, cache_creation_input_tokens: 90 }
    const events = [
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    ]
    expect(usageOf(anthropicMessages, events)).toMatchObject({
      ...{ input_tokens: 600, cached_tokens: 500, cache_write_tokens: 90, output_tokens: 7 },
    })
  })

  it('tells from OpenRouter what the call cost, the provider behind it included', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, cost: 0.5 }
    const details = { prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } }
    const own = { is_byok: true, cost_details: { upstream_inference_cost: 2 } }
    const choices = [{ delta: { content: 'Hi' }, finish_reason: 'stop' }]
    expect(usageOf(openaiChat, [{ choices, usage: { ...usage, ...details } }])).toMatchObject({
      ...{ cost: 0.5, cached_tokens: 4, cache_write_tokens: 3 },
    })
    expect(usageOf(openaiChat, [{ choices, usage: { ...usage, ...own } }])).toMatchObject({ cost: 2.5 })
    expect(usageOf(openaiChat, [{ choices, usage: { ...usage, cost: '1' } }])).not.toHaveProperty('cost')
  })
})

it('asks OpenRouter alone for the cost', () => {
  const call: ModelCall = { model: 'm', messages: [], tools: [], tool_choice: 'auto' }
  const asked = (base_url: string) => openaiChat.request(call, { ...endpoint, base_url }).body.usage
  expect(asked('https://openrouter.ai/api/v1')).toEqual({ include: true })
  expect(asked('https://openrouter.ai.example/api/v1')).toBeUndefined()
})
