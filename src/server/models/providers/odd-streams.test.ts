import { describe, expect, it } from 'vitest'
import { delta, events, readInShort as read } from '#tests/providers/read-in-short.ts'
import { anthropicMessages } from './anthropic/anthropic-messages.ts'
import { openaiChat } from './compatible/openai-chat.ts'
import { googleGenerate } from './google/google-generate.ts'
import { openaiResponses } from './openai/openai-responses.ts'

const hi = delta({ content: 'Hi' })
const stop = delta({}, 'stop')
const piece = (fragment: unknown) => delta({ tool_calls: [fragment] })
const called = delta({}, 'tool_calls')
const written = '{"a":6,"b":7}'
const added = `add${written} tool-calls`

describe('chat completions', () => {
  it.each<[string, string, string]>([
    ['null choices', events({ choices: null }, { choices: [null] }, hi, stop), 'Hi stop'],
    ['null deltas', events(delta(null), hi, delta(null, 'stop')), 'Hi stop'],
    ['events that hold nothing', events(null, {}, '', hi, stop), 'Hi stop'],
    ['a byte order mark', `\ufeff${events(hi, stop)}`, 'Hi stop'],
    ['carriage returns only', events(hi, stop).replaceAll('\n', '\r'), 'Hi stop'],
    ['blanks after the mark of the end', `${events(hi)}data: [DONE] \n\n`, 'Hi stop'],
    ['usage as the only end', events(hi, { choices: [], usage: { prompt_tokens: 1 } }), 'Hi 1+0 stop'],
    ['a prefix that is written twice', events(hi, stop).replaceAll('data:', 'data: data:'), 'Hi stop'],
    ['a document per line', [hi, stop].map((one) => JSON.stringify(one)).join('\n'), 'Hi stop'],
    [
      'comments before JSON',
      `: wait\n\n: wait\n\n${JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })}`,
      'Hi stop',
    ],
    ['another choice', events(hi, { choices: [{ index: 1, delta: { content: 'No' } }] }, stop), 'Hi stop'],
    ['empty errors', events({ ...hi, error: {} }, { ...stop, error: '' }), 'Hi stop'],
    ['the shape of text completions', events({ choices: [{ text: 'Hi' }] }, stop), 'Hi stop'],
  ])('are read with %s', async (_, body, said) => {
    expect(await read(openaiChat, body)).toBe(said)
  })

  it.each([
    ['STOP', 'stop'],
    ['eos', 'stop'],
    [{ type: 'stop' }, 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['sensitive', 'content-filter'],
    ['guardrail_intervened', 'content-filter'],
    ['something', 'other'],
    ['abort', 'interrupted: '],
    ['network_error', 'interrupted: '],
    ['insufficient_system_resource', 'interrupted: '],
  ])('may end with %j', async (word, reason) => {
    expect(await read(openaiChat, events(hi, delta({}, word)))).toBe(`Hi ${reason}`)
  })

  it.each<[string, unknown, string]>([
    ['an object', { content: { type: 'text', text: 'Hi' } }, 'Hi'],
    ['a list of texts', { content: ['H', 'i'] }, 'H i'],
    ['a list with nulls', { content: [null, { type: 'text', text: 'Hi' }] }, 'Hi'],
    ['thoughts of a list', { content: [{ type: 'thinking', thinking: [{ text: 'Hm' }] }, 'Hi'] }, '(Hm) Hi'],
  ])('may have content that is %s', async (_, given, said) => {
    expect(await read(openaiChat, events(delta(given), stop))).toBe(`${said} stop`)
  })

  it.each<[string, unknown]>([
    ['reasoning_content', 'Hm'],
    ['reasoning', 'Hm'],
    ['reasoning_text', 'Hm'],
    ['thinking', 'Hm'],
    ['reasoning_content', [{ type: 'text', text: 'Hm' }]],
    ['reasoning', { content: 'Hm' }],
    ['reasoning_details', [{ type: 'reasoning.text', text: 'Hm', index: 0 }]],
    ['reasoning_details', [{ type: 'reasoning.summary', summary: 'Hm', index: 0 }]],
  ])('may have thoughts in %s as %j', async (field, thoughts) => {
    expect(await read(openaiChat, events(delta({ [field]: thoughts }), hi, stop))).toBe('(Hm) Hi stop')
  })

  it.each<[string, unknown[], string]>([
    [
      'without index and id',
      [{ function: { name: 'add', arguments: '' } }, { function: { arguments: written } }],
      added,
    ],
    [
      'with an index as text',
      [
        { index: '0', function: { name: 'add', arguments: '' } },
        { index: 0, function: { arguments: written } },
      ],
      added,
    ],
    [
      'whose arguments have an index of their own',
      [
        { index: 0, id: 'a', function: { name: 'add', arguments: written } },
        { index: 0, id: 'b', function: { name: 'add', arguments: '' } },
        { index: 1, function: { arguments: written } },
      ],
      `add${written} ${added}`,
    ],
    [
      'with a null function first',
      [
        { index: 0, id: 'a', function: null },
        { index: 0, function: { name: 'add', arguments: written } },
      ],
      added,
    ],
    [
      'whose arguments come before their name',
      [
        { index: 0, function: { arguments: '{"a":6,' } },
        { index: 0, function: { name: 'add', arguments: '"b":7}' } },
      ],
      added,
    ],
    [
      'with arguments as an object',
      [{ index: 0, function: { name: 'add', arguments: { a: 6, b: 7 } } }],
      added,
    ],
    ['with null arguments', [{ index: 0, function: { name: 'add', arguments: null } }], 'add{} tool-calls'],
    [
      'with empty arguments before the whole ones',
      [
        { index: 0, function: { name: 'add', arguments: '{}' } },
        { index: 0, function: { arguments: written } },
      ],
      added,
    ],
    [
      'that repeat all arguments so far',
      ['{', '{"a":6', written].map((text) => ({
        index: 0,
        id: 'a',
        function: { name: 'add', arguments: text },
      })),
      added,
    ],
    ['with a number as id', [{ index: 0, id: 7, function: { name: 'add', arguments: written } }], added],
    ['without `function`', [{ index: 0, id: 'a', name: 'add', arguments: written }], added],
    ['with a null among them', [null, { index: 0, function: { name: 'add', arguments: written } }], added],
  ])('may have calls %s', async (_, fragments, said) => {
    expect(await read(openaiChat, events(...fragments.map(piece), called))).toBe(said)
  })

  it.each([
    ['one alone', { id: 'a', function: { name: 'add', arguments: written } }],
    ['by place', { '0': { id: 'a', function: { name: 'add', arguments: written } } }],
  ])('may have calls that are no list but %s', async (_, tool_calls) => {
    expect(await read(openaiChat, events(delta({ tool_calls }), called))).toBe(added)
  })

  it.each<[string, object, string]>([
    ['other words', { input_tokens: 12, output_tokens: 3 }, '12+3'],
    ['nulls', { prompt_tokens: null, completion_tokens: null }, ''],
  ])('may report usage in %s', async (_, usage, said) => {
    const body = events(hi, stop, { choices: [], usage })
    expect(await read(openaiChat, body)).toBe(['Hi', said, 'stop'].filter(Boolean).join(' '))
  })
})

describe('responses', () => {
  const message = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }
  const toolCall = { type: 'function_call', call_id: 'c', name: 'add', arguments: written }
  const completed = (output: unknown[]) => ({
    type: 'response.completed',
    response: { status: 'completed', output },
  })
  const text = { type: 'response.output_text.delta', delta: 'Hi' }
  it.each<[string, string, string]>([
    ['with their text only at the end', events(completed([message])), 'Hi stop'],
    ['with their calls only at the end', events(completed([toolCall])), added],
    ['with their text twice', events(text, completed([message])), 'Hi stop'],
    ['with whole texts', events({ type: 'response.output_text.done', text: 'Hi' }, completed([])), 'Hi stop'],
    [
      'with whole items',
      events({ type: 'response.output_item.done', item: message }, completed([])),
      'Hi stop',
    ],
    [
      'with calls twice',
      events({ type: 'response.output_item.done', item: toolCall }, completed([toolCall])),
      added,
    ],
    ['with another word for the end', events(text, { type: 'response.done', response: {} }), 'Hi stop'],
    ['with the end mark of chat completions', `${events(text)}data: [DONE]\n\n`, 'Hi stop'],
    [
      'that a filter stopped',
      events(text, {
        type: 'response.completed',
        response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      }),
      'Hi content-filter',
    ],
  ])('are read %s', async (_, body, said) => {
    expect(await read(openaiResponses, body)).toBe(said)
  })
})

describe('the Messages API', () => {
  const text = { index: 0, delta: { type: 'text_delta', text: 'Hi' } }
  const ends = (stop_reason: string) =>
    events({ type: 'content_block_delta', ...text }, { type: 'message_delta', delta: { stop_reason } })
  it('is read when only the names of events have the type', async () => {
    const named = [
      ['content_block_delta', text],
      ['message_delta', { delta: { stop_reason: 'end_turn' } }],
    ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    expect(await read(anthropicMessages, named.join(''))).toBe('Hi 0+0 stop')
  })

  it.each([
    ['refusal', 'content-filter'],
    ['content_filtered', 'content-filter'],
    ['model_context_window_exceeded', 'length'],
  ])('may end with %s', async (word, reason) => {
    expect(await read(anthropicMessages, ends(word))).toBe(`Hi 0+0 ${reason}`)
  })
})

describe('Gemini', () => {
  const ends = (finishReason: string) =>
    events({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason }] })
  it.each([
    ['RECITATION', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['MODEL_ARMOR', 'content-filter'],
    ['MAX_TOKENS', 'length'],
    ['OTHER', 'other'],
  ])('may end with %s', async (word, reason) => {
    expect(await read(googleGenerate, ends(word))).toBe(`Hi ${reason}`)
  })

  it('reports a blocked prompt as filtered', async () => {
    const body = events({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    expect(await read(googleGenerate, body)).toBe('content-filter')
  })

  it.each(['MALFORMED_FUNCTION_CALL', 'MISSING_THOUGHT_SIGNATURE', 'TOO_MANY_TOOL_CALLS'])(
    'may fail with a call that is malformed: %s',
    async (finishReason) => {
      expect(await read(googleGenerate, events({ candidates: [{ finishReason }] }))).toBe(
        'invalid_answer: the tool call was malformed',
      )
    },
  )

  it('returns the call that the provider could not parse when the message contains it', async () => {
    const finishMessage = 'Malformed function call: print(default_api.add(a=6, b=7))'
    const body = events({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }] })
    expect(await read(googleGenerate, body)).toBe('add{"a":6,"b":7} tool-calls')
  })

  it('is read with the keys of the Python SDK, arguments unchanged', async () => {
    const part = { function_call: { name: 'add', args: { a_b: 6, nested: { c_d: 7 } } } }
    const body = events({
      candidates: [{ content: { parts: [part] }, finish_reason: 'STOP' }],
      usage_metadata: { prompt_token_count: 3, candidates_token_count: 2 },
    })
    expect(await read(googleGenerate, body)).toBe('add{"a_b":6,"nested":{"c_d":7}} 3+2 tool-calls')
  })

  it('is asked again when it gives no candidate', async () => {
    expect(await read(googleGenerate, events({ usageMetadata: { promptTokenCount: 3 } }))).toBe('6+0 other')
  })
})

describe('an error inside a stream', () => {
  it.each<[string, string]>([
    ['event: error\ndata: {"message":"boom","code":500}\n\n', 'overloaded: boom'],
    ['event: error\ndata: upstream connect error\n\n', 'overloaded: upstream connect error'],
    [events({ object: 'error', message: 'boom', type: 'BadRequestError', code: 400 }), 'bad_request: boom'],
    [events({ error: true, message: 'boom' }), 'bad_request: boom'],
    [events({ success: false, errors: [{ code: 7003, message: 'boom' }] }), 'bad_request: boom'],
    [
      events({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
      'rate_limited: insufficient balance',
    ],
    [events({ code: 'InvalidParameter', message: 'boom', request_id: 'x' }), 'bad_request: boom'],
    [events({ error_code: 336003, error_msg: 'boom' }), 'bad_request: boom'],
    ['{"error":"model \\"x\\" not found"}', 'not_found: model "x" not found'],
    ['{"message":"Too many requests"}', 'rate_limited: Too many requests'],
    ['{"status":"error","message":"boom"}', 'bad_request: boom'],
    [
      'upstream connect error or reset before headers',
      'overloaded: upstream connect error or reset before headers',
    ],
    ['data: Internal Server Error\n\n', 'overloaded: Internal Server Error'],
    ['<!doctype html><title>Sign in</title>', 'invalid_answer: it was a web page: Sign in'],
    [events({ error: { message: '{"error":{"message":"packed"}}', code: 502 } }), 'overloaded: packed'],
    [
      events({
        error: { message: 'Provider returned error', code: 429, metadata: { raw: '{"error":"too busy"}' } },
      }),
      'rate_limited: too busy',
    ],
  ])('is understood as %s', async (body, said) => {
    expect(await read(openaiChat, body)).toBe(said)
  })

  it.each([
    ['the Messages API', anthropicMessages],
    ['Gemini', googleGenerate],
  ])('is understood from %s as one document', async (_, dialect) => {
    expect(await read(dialect, '{"error":{"message":"boom"}}')).toBe('bad_request: boom')
    expect(await read(dialect, '{"message":"boom"}')).toBe('bad_request: boom')
  })

  it('is understood from the Messages API without its type', async () => {
    const body = 'event: error\ndata: {"message":"Overloaded","code":529}\n\n'
    expect(await read(anthropicMessages, body)).toBe('overloaded: Overloaded')
  })
})
