import { describe, expect, it } from 'vitest'
import { events, readInShort } from '#tests/providers/read-in-short.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const completed = (more: object = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', output: [], ...more },
})
const opened = (call_id: string, output_index: number) => ({
  type: 'response.output_item.added',
  output_index,
  item: { type: 'function_call', call_id, name: 'add', arguments: '' },
})
const piece = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
})
const whole = (output_index: number, written: string) => ({
  type: 'response.function_call_arguments.done',
  output_index,
  arguments: written,
})
const ended = (call_id: string, written: string) => ({
  type: 'response.output_item.done',
  item: { type: 'function_call', call_id, name: 'add', arguments: written },
})
const text = { type: 'response.output_text.delta', delta: 'Hi' }
const first = '{"a":6,"b":7}'
const second = '{"a":1,"b":2}'

describe('an answer of the Responses API', () => {
  it.each<[string, object[], string]>([
    [
      'a call without its end',
      [opened('a', 0), piece(0, '{"a":6,'), piece(0, '"b":7}'), completed()],
      `add${first} tool-calls`,
    ],
    [
      'two calls without their ends',
      [opened('a', 0), whole(0, first), opened('b', 1), whole(1, second), completed()],
      `add${first} add${second} tool-calls`,
    ],
    [
      'two interleaved calls, one with its end',
      [opened('a', 0), opened('b', 1), piece(1, second), piece(0, first), ended('a', first), completed()],
      `add${first} add${second} tool-calls`,
    ],
    ['a message of plain text', [completed({ output: [{ type: 'message', content: 'Hi' }] })], 'Hi stop'],
    ['its text alone', [completed({ output_text: 'Hi' })], 'Hi stop'],
    ['its text again', [text, completed({ output_text: 'Hi' })], 'Hi stop'],
    [
      'thoughts of a gateway',
      [{ type: 'response.reasoning.delta', delta: 'Hm' }, text, completed()],
      '(Hm) Hi stop',
    ],
    ['pieces as objects', [{ ...text, delta: { text: 'Hi' } }, completed()], 'Hi stop'],
  ])('is read with %s', async (_, list, said) => {
    expect(await readInShort(openaiResponses, events(...list))).toBe(said)
  })
})

it('reads a whole answer of the Messages API without its type', async () => {
  const answer = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 2 },
  }
  expect(await readInShort(anthropicMessages, JSON.stringify(answer))).toBe('Hi 3+2 stop')
})
