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
const withoutPlace = ({ output_index: _, ...event }: Record<string, unknown>) => event
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
    [
      'two calls in the whole answer, one of which had an end before',
      [ended('a', first), completed({ output: [ended('a', first).item, ended('b', second).item] })],
      `add${first} add${second} tool-calls`,
    ],
    [
      'a call without ids next to a message',
      [
        { ...opened('', 1), item: { type: 'function_call', name: 'add' } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
        text,
        { type: 'response.output_item.done', output_index: 0, item: { type: 'message', content: 'Hi' } },
        piece(1, first),
        completed(),
      ],
      `Hi add${first} tool-calls`,
    ],
    [
      'two calls that only their ids tell apart',
      [
        withoutPlace({ ...opened('a', 0), item: { ...opened('a', 0).item, id: 'x' } }),
        withoutPlace({ ...opened('b', 0), item: { ...opened('b', 0).item, id: 'y' } }),
        { ...withoutPlace(piece(0, first)), item_id: 'x' },
        { ...withoutPlace(piece(0, second)), item_id: 'y' },
        completed(),
      ],
      `add${first} add${second} tool-calls`,
    ],
    [
      'new ids in every event',
      [
        { ...opened('a', 0), item: { ...opened('a', 0).item, id: 'x' } },
        { ...opened('b', 1), item: { ...opened('b', 1).item, id: 'y' } },
        { ...piece(0, first), item_id: 'p' },
        { ...piece(1, second), item_id: 'q' },
        completed(),
      ],
      `add${first} add${second} tool-calls`,
    ],
    [
      'an end without the arguments that came before it',
      [opened('a', 0), piece(0, first), { ...ended('a', ''), output_index: 0 }, completed()],
      `add${first} tool-calls`,
    ],
    [
      'a call that has an id of its item only, twice',
      [
        {
          type: 'response.output_item.done',
          item: { type: 'function_call', id: 'x', name: 'add', arguments: first },
        },
        completed({ output: [{ type: 'function_call', id: 'x', name: 'add', arguments: first }] }),
      ],
      `add${first} tool-calls`,
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

it('reads a whole call before the mark of the end', async () => {
  const body = `${events(opened('a', 0), whole(0, first))}data: [DONE]\n\n`
  expect(await readInShort(openaiResponses, body)).toBe(`add${first} tool-calls`)
})

it('does not make a call that was cut', async () => {
  const body = `${events(opened('a', 0), piece(0, '{"a":6'))}data: [DONE]\n\n`
  expect(await readInShort(openaiResponses, body)).toMatch(/^interrupted/)
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
