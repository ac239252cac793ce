import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../models/port.ts'
import { providerOf } from '../models/provider/providers.ts'
import type { Dialect } from '../models/wire/dialect.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const endpoint = { provider: 'test', base_url: 'http://127.0.0.1/v1', api_key: 'key' }
const sampling: ModelCall['sampling'] = {
  ...{ top_p: 0.5, top_k: 40, stop: ['END'], seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2 },
  effort: 'high',
}
const bodyOf = (dialect: Dialect, model: string, given: Partial<ModelCall> = {}) => {
  const call: ModelCall = { model, messages: [], tools: [], tool_choice: 'auto', sampling, ...given }
  return dialect.request(call, endpoint).body as Record<string, unknown>
}

describe('how an answer is chosen', () => {
  it('reaches each dialect under its own names, as far as it takes it', () => {
    expect(bodyOf(openaiChat, 'gpt-oss')).toMatchObject({
      ...{ top_p: 0.5, top_k: 40, stop: ['END'], seed: 7, presence_penalty: 0.1, frequency_penalty: 0.2 },
      reasoning_effort: 'high',
    })
    expect(bodyOf(openaiResponses, 'gpt-4o')).toMatchObject({ top_p: 0.5 })
    const thinking = bodyOf(openaiResponses, 'gpt-5')
    expect(thinking).toMatchObject({ reasoning: { effort: 'high' } })
    for (const refused of ['top_p', 'stop', 'seed', 'presence_penalty'])
      expect(thinking).not.toHaveProperty(refused)
    expect(bodyOf(anthropicMessages, 'claude-opus-4-6')).toMatchObject({
      ...{ top_p: 0.5, top_k: 40, stop_sequences: ['END'], output_config: { effort: 'high' } },
    })
    expect(bodyOf(anthropicMessages, 'claude-opus-4-6', { temperature: 0.3 })).not.toHaveProperty('top_p')
    expect(bodyOf(googleGenerate, 'gemini-3-pro').generationConfig).toMatchObject({
      ...{ topP: 0.5, topK: 40, stopSequences: ['END'], seed: 7 },
      ...{ presencePenalty: 0.1, frequencyPenalty: 0.2, thinkingConfig: { thinkingLevel: 'high' } },
    })
    expect(bodyOf(googleGenerate, 'gemini-2.5-pro').generationConfig).toMatchObject({
      thinkingConfig: { thinkingBudget: 24_576 },
    })
  })

  it.each([
    ['chat completions', openaiChat, 'gpt-oss'],
    ['responses', openaiResponses, 'gpt-5'],
    ['messages', anthropicMessages, 'claude-opus-4-6'],
    ['generateContent', googleGenerate, 'gemini-3-pro'],
  ] as const)('is left to the provider when nothing is asked for: %s', (_, dialect, model) => {
    const body = bodyOf(dialect, model, { sampling: {} })
    expect(JSON.stringify(body)).not.toMatch(/top_?[pk]|stop|seed|penalty|effort|thinking/i)
  })
})

it.each([
  ['openai', 'gpt-5-mini', ['effort']],
  ['openai', 'gpt-5-chat-latest', ['temperature']],
  ['openai', 'gpt-4o', ['temperature']],
  ['compatible', 'openai/o3', ['effort']],
  ['compatible', 'openai/gpt-oss-20b', ['effort', 'temperature']],
  ['compatible', 'llama3.2', ['temperature']],
  ['anthropic', 'claude-opus-4-6', ['effort', 'temperature']],
  ['anthropic', 'claude-3-5-haiku-latest', ['temperature']],
  ['google', 'gemini-2.5-flash', ['effort', 'temperature']],
  ['google', 'gemini-2.0-flash', ['temperature']],
] as const)('knows what can be set for %s %s', (kind, name, tuning) => {
  expect(providerOf(kind).tuning?.(name)).toEqual(tuning)
})
