import { describe, expect, it } from 'vitest'
import type { ModelCall, ModelMessage, ToolCallPart } from '../../models/port.ts'
import { openaiChat } from './openai-chat.ts'
import { createChatReader } from './read-chat.ts'

const endpoint = { provider: 'x', base_url: 'https://example.com/v1', api_key: null }
const aCall = (id: string): ToolCallPart => ({ type: 'tool-call', id, name: 'add', input: '{}' })

/** Returns what is sent with each call of the history. */
function sentWith(model: string, calls: ToolCallPart[]): unknown[] {
  const messages: ModelMessage[] = [{ role: 'assistant', content: calls }]
  const call: ModelCall = { model, messages, tools: [], tool_choice: 'none' }
  const [message] = openaiChat.request(call, endpoint).body.messages as { tool_calls: object[] }[]
  return (message?.tool_calls ?? []).map((one) => ('extra_content' in one ? one.extra_content : null))
}

describe('signatures of calls in chat completions', () => {
  it('are returned as the server gave them', () => {
    const extra_content = { google: { thought_signature: 'abc' } }
    const reader = createChatReader()
    const tool_calls = [{ index: 0, id: 'a', extra_content, function: { name: 'add', arguments: '{}' } }]
    reader.read({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }] })
    const calls = reader.end('marked').filter((part) => part.type === 'tool-call')
    expect(sentWith('gemini-3-pro', [...calls, aCall('b')])).toEqual([extra_content, null])
  })

  it('are replaced for calls of another model, for the first of several', () => {
    const placeholder = { google: { thought_signature: 'skip_thought_signature_validator' } }
    expect(sentWith('google/gemini-3-pro', [aCall('a'), aCall('b')])).toEqual([placeholder, null])
  })

  it.each(['gpt-5', 'gemini-2.5-pro', 'gemma-3'])('are not sent to %s', (model) => {
    expect(sentWith(model, [aCall('a')])).toEqual([null])
  })
})
