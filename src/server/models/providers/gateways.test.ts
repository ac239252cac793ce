import { describe, expect, it } from 'vitest'
import { delta, events, readInShort as read } from '#tests/providers/read-in-short.ts'
import type { Dialect } from '../models/wire/dialect.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const hi = delta({ content: 'Hi' })
const stop = delta({}, 'stop')
const written = '{"a":6,"b":7}'
const piece = (fragment: unknown, finish: string | null = null) => delta({ tool_calls: [fragment] }, finish)
const call = (id: string, args: unknown = written) => ({
  index: 0,
  id,
  function: { name: 'add', arguments: args },
})
const added = `add${written} tool-calls`
const candidate = (content: unknown, finishReason?: string) => ({ candidates: [{ content, finishReason }] })
const ended = candidate({ parts: [{ text: 'Hi' }] }, 'STOP')
const toolBlock = (id: string) => [
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: 'add', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: written } },
  { type: 'content_block_stop', index: 0 },
]
const item = { type: 'function_call', id: 'f', call_id: 'c', name: 'add' }
const completed = { type: 'response.completed', response: { status: 'completed', output: [] } }

describe('an answer through a gateway', () => {
  it.each<[string, Dialect, string, string]>([
    ['calls that are null', openaiChat, events(delta({ content: 'Hi', tool_calls: null }), stop), 'Hi stop'],
    ['an empty role', openaiChat, events(delta({ role: '', content: 'Hi' }), stop), 'Hi stop'],
    [
      'a reason in every chunk',
      openaiChat,
      events(delta({ content: 'H' }, 'stop'), delta({ content: 'i' }, 'stop')),
      'H i stop',
    ],
    ['an empty reason', openaiChat, events(delta({ content: 'Hi' }, ''), stop), 'Hi stop'],
    [
      'usage without choices',
      openaiChat,
      events(hi, stop, { usage: { prompt_tokens: 2, completion_tokens: 3 } }),
      'Hi 2+3 stop',
    ],
    [
      'usage as text',
      openaiChat,
      events(hi, stop, { choices: [], usage: { prompt_tokens: '12', completion_tokens: '3' } }),
      'Hi 12+3 stop',
    ],
    ['events that are lists', openaiChat, events([hi, stop]), 'Hi stop'],
    ['single line breaks', openaiChat, events(hi, stop).replaceAll('\n\n', '\n'), 'Hi stop'],
    [
      'the whole message again at its end',
      openaiChat,
      events(hi, { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      'Hi stop',
    ],
    [
      'the whole message beside a null delta',
      openaiChat,
      events(hi, { choices: [{ delta: null, message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      'Hi stop',
    ],
    [
      'the whole call again in a message',
      openaiChat,
      events(piece(call('a')), {
        choices: [{ message: { tool_calls: [call('a')] }, finish_reason: 'tool_calls' }],
      }),
      added,
    ],
    [
      'the whole call again in a delta',
      openaiChat,
      events(
        piece(call('a', '{"a":6,')),
        piece({ index: 0, function: { arguments: '"b":7}' } }),
        piece(call('a'), 'tool_calls'),
      ),
      added,
    ],
    [
      'one index for two calls',
      openaiChat,
      events(piece(call('a')), piece(call('b'), 'tool_calls')),
      `add${written} ${added}`,
    ],
    [
      'another id in each piece of a call',
      openaiChat,
      events(
        piece(call('a', '{"a":6,')),
        piece({ index: 0, id: 'b', function: { name: null, arguments: '"b":7}' } }, 'tool_calls'),
      ),
      added,
    ],
    ['calls as reason without a call', openaiChat, events(hi, delta({}, 'tool_calls')), 'Hi stop'],
    [
      'the whole message beside an empty delta',
      openaiChat,
      JSON.stringify({ choices: [{ delta: {}, message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      'Hi stop',
    ],
    [
      'texts with annotations of their own',
      openaiChat,
      events(delta({ content: [{ type: 'text', text: { value: 'Hi', annotations: [] } }] }), stop),
      'Hi stop',
    ],
    ['a number as text', openaiChat, events(delta({ content: 7 }), stop), '7 stop'],
    [
      'a null among annotations',
      openaiChat,
      events(delta({ content: 'Hi', annotations: [null] }), stop),
      'Hi stop',
    ],
    ['one annotation alone', openaiChat, events(delta({ content: 'Hi', annotations: {} }), stop), 'Hi stop'],
    ['a refusal as an object', openaiChat, events(delta({ refusal: { text: 'No' } }), stop), 'No stop'],
    [
      'one detail of thoughts alone',
      openaiChat,
      events(delta({ reasoning_details: { type: 'reasoning.text', text: 'Hm' } }), hi, stop),
      '(Hm) Hi stop',
    ],
    ['a null among thoughts', openaiChat, events(delta({ reasoning_details: [null] }), hi, stop), 'Hi stop'],
    [
      'an index as text',
      openaiChat,
      events({ choices: [{ ...hi.choices[0], index: '0' }] }, stop),
      'Hi stop',
    ],
    [
      'calls packed as text',
      openaiChat,
      events(delta({ tool_calls: JSON.stringify([call('a')]) }, 'tool_calls')),
      added,
    ],
    [
      'a function packed as text',
      openaiChat,
      events(piece({ index: 0, id: 'a', function: JSON.stringify(call('a').function) }, 'tool_calls')),
      added,
    ],
    [
      'a call that never comes',
      openaiChat,
      events(hi, piece({ index: 0, id: 'a', function: { name: '', arguments: '' } }, 'tool_calls')),
      'Hi stop',
    ],
    ['events packed as text', openaiChat, events(JSON.stringify(hi), JSON.stringify(stop)), 'Hi stop'],
    [
      'constants of Python',
      openaiChat,
      `data: {'choices': [{'index': 0, 'delta': {'content': 'Hi'}, 'finish_reason': None}]}\n\ndata: [DONE]\n\n`,
      'Hi stop',
    ],
    ['numbers that are none', openaiChat, events(hi, stop).replaceAll('"index":0', '"p":NaN'), 'Hi stop'],
    [
      'control characters',
      openaiChat,
      events(delta({ content: 'H_i' }), stop).replace('_', '\t'),
      'H\ti stop',
    ],
    ['documents in a row', openaiChat, JSON.stringify(hi) + JSON.stringify(stop), 'Hi stop'],
    [
      'documents on several lines',
      openaiChat,
      [hi, stop].map((one) => JSON.stringify(one, null, 1)).join('\n'),
      'Hi stop',
    ],
    ['an end mark after documents', openaiChat, `${JSON.stringify(hi)}\n[DONE]`, 'Hi stop'],
    [
      'an end mark of events after a document',
      openaiChat,
      `${JSON.stringify(hi)}\n\ndata: [DONE]\n\n`,
      'Hi stop',
    ],
    ['one event that cannot be read', openaiChat, events({ choices: 7 }, hi, stop), 'Hi stop'],
    ['a finish before the text', googleGenerate, events(candidate({ parts: [] }, 'STOP'), ended), 'Hi stop'],
    [
      'a call without a name',
      googleGenerate,
      events(candidate({ parts: [{ text: 'Hi' }, { functionCall: { name: '', args: {} } }] }, 'STOP')),
      'Hi stop',
    ],
    ['lists of candidates', googleGenerate, events([ended]), 'Hi stop'],
    ['wrapped candidates', googleGenerate, events({ response: ended }), 'Hi stop'],
    [
      'null parts',
      googleGenerate,
      events(
        candidate({ parts: null }),
        candidate(null),
        { candidates: [null] },
        candidate({ parts: [null] }),
        ended,
      ),
      'Hi stop',
    ],
    [
      'one index for all blocks',
      anthropicMessages,
      events(...toolBlock('a'), ...toolBlock('b'), {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use' },
      }),
      `add${written} add${written} 0+0 tool-calls`,
    ],
    [
      'calls as reason without a call',
      anthropicMessages,
      events(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ),
      'Hi 0+0 stop',
    ],
    [
      'a block that begins again',
      anthropicMessages,
      events(
        ...toolBlock('a').slice(0, 1),
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
        { type: 'message_start', message: {} },
        ...toolBlock('a'),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ),
      `add${written} 0+0 tool-calls`,
    ],
    [
      'usage after the reason',
      anthropicMessages,
      events(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_delta', usage: { input_tokens: 2, output_tokens: 3 } },
      ),
      'Hi 2+3 stop',
    ],
    [
      'null blocks',
      anthropicMessages,
      events(
        { type: 'message_start', message: null },
        { type: 'content_block_start', index: 0, content_block: null },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'message_stop' },
      ),
      'Hi 0+0 stop',
    ],
    [
      'its text alone',
      anthropicMessages,
      JSON.stringify({ type: 'message', content: 'Hi', stop_reason: 'end_turn' }),
      'Hi 0+0 stop',
    ],
    [
      'arguments without the end of their item',
      openaiResponses,
      events(
        { type: 'response.output_item.added', item: { ...item, arguments: '' } },
        { type: 'response.function_call_arguments.done', item_id: 'f', arguments: written },
        completed,
      ),
      added,
    ],
    [
      'arguments as an object',
      openaiResponses,
      events({ type: 'response.output_item.done', item: { ...item, arguments: { a: 6, b: 7 } } }, completed),
      added,
    ],
    [
      'text only at the end of its part',
      openaiResponses,
      events({ type: 'response.content_part.done', part: { type: 'output_text', text: 'Hi' } }, completed),
      'Hi stop',
    ],
    [
      'thoughts at the end of their part',
      openaiResponses,
      events(
        { type: 'response.content_part.done', part: { type: 'reasoning_text', text: 'Hm' } },
        { type: 'response.output_text.delta', delta: 'Hi' },
        completed,
      ),
      'Hi stop',
    ],
    [
      'an end that was cancelled',
      openaiResponses,
      events({ type: 'response.output_text.delta', delta: 'Hi' }, { type: 'response.cancelled' }),
      'Hi interrupted: ',
    ],
    [
      'an end without a response',
      openaiResponses,
      events({ type: 'response.output_text.delta', delta: 'Hi' }, { type: 'response.completed' }),
      'Hi stop',
    ],
  ])('may have %s', async (_, dialect, body, said) => {
    expect(await read(dialect, body)).toBe(said)
  })

  it.each([
    ['of MiniMax', '<mm:think>So.</mm:think>Hi'],
    ['that are empty first', '<think></think>\n<think>So.</think>Hi'],
  ])('may have thoughts %s', async (_, text) => {
    expect(await read(openaiChat, events(delta({ content: text }), stop))).toBe('(So.) Hi stop')
  })

  it('may have thoughts and a call of gpt-oss whose special tokens were removed', async () => {
    const text = `analysisI add.assistantcommentary to=functions.add json${written}`
    expect(await read(openaiChat, events(delta({ content: text }), stop))).toMatch(
      /\) add\{"a":6,"b":7\} tool-calls$/,
    )
  })

  it.each([
    [
      'in their own field',
      { reasoning_content: `So. <tool_call>{"name":"add","arguments":${written}}</tool_call>` },
    ],
    [
      'without their end',
      { content: `<think>So. <tool_call>{"name":"add","arguments":${written}}</tool_call>` },
    ],
  ])('may have a call within thoughts %s', async (_, given) => {
    expect(await read(openaiChat, events(delta(given), stop))).toMatch(/\) add\{"a":6,"b":7\} tool-calls$/)
  })
})

describe('a text', () => {
  it('is passed on in its own pieces when only a word in it may begin a call', async () => {
    const pieces = ['Best', ' of', ' A', ' functools', ' and', ' Action'].map((content) => delta({ content }))
    expect(await read(openaiChat, events(...pieces, stop))).toBe('Best  of  A  functools  and  Action stop')
  })

  it('may be a call after a line break', async () => {
    const pieces = ['Yes.', '\nfunc', 'tools[', `{"name":"add","arguments":${written}}]`]
    expect(await read(openaiChat, events(...pieces.map((content) => delta({ content })), stop))).toBe(
      `Yes. \n ${added}`,
    )
  })
})

describe('a call in Python', () => {
  const say = (...pieces: string[]) =>
    read(openaiChat, events(...pieces.map((content) => delta({ content })), stop))
  it('is read while it arrives in pieces', async () => {
    expect(await say(...'[add(a=6, b=7)]')).toBe(added)
    // Longer than what is looked at of an answer in JSON.
    expect(await say('[add(a=6,', ' '.repeat(200), 'b=7)]')).toBe(added)
  })

  it.each(['[add] is a tool.', '[6, 7]', '[other(a=6)]', 'add(6, 7)', '[add(a=6, b=seven)]'])(
    'is text when it is none: %s',
    async (text) => {
      expect(await say(text)).toBe(`${text} stop`)
    },
  )

  it('is read without brackets, also in pieces, when it is the whole answer', async () => {
    expect(await say('add(a=6, b=7)')).toBe(added)
    expect(await say(...'add(a=6, b=7)')).toBe(added)
    expect(await say('a', 'dding is', ' easy')).toBe('adding is  easy stop')
    expect(await say('Use add(a=6, b=7).')).toBe('Use add(a=6, b=7). stop')
  })
})

describe('a call in the form of ReAct', () => {
  const say = (...pieces: string[]) =>
    read(openaiChat, events(...pieces.map((content) => delta({ content })), stop))
  const action = `Action: add\nAction Input: ${written}\nObservation: 13`
  it('is read after other words, without the result that the model invents', async () => {
    expect(await say('I add.\n', action)).toBe(`I add.\n ${added}`)
    expect(await say(...action)).toBe(added)
  })

  it('is text when it names no tool, and streams from there', async () => {
    expect(await say('Action: ', 'call [the ', 'supplier].')).toBe('Action:  call [the  supplier]. stop')
    expect(await say('Action: ', 'call the ', 'supplier.')).toBe('Action:  call the  supplier. stop')
    expect(await say('Action: other\n', 'And ', 'so on')).toBe('Action:  other\nAnd  so on stop')
  })
})
