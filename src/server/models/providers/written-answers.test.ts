import { describe, expect, it } from 'vitest'
import { delta, events, readInShort } from '#tests/providers/read-in-short.ts'
import { openaiChat } from './compatible/openai-chat.ts'

/** Returns the answer to a text that arrives in pieces of three characters. */
const readPieces = (text: string) =>
  readInShort(
    openaiChat,
    events(...(text.match(/[\s\S]{1,3}/g) ?? []).map((content) => delta({ content })), delta({}, 'stop')),
  )
const added = 'add{"a":6,"b":7} tool-calls'

describe('a call that arrives in pieces', () => {
  it.each([
    ['in a fence', '```json\n{"name": "add", "arguments": {"a":6,"b":7}}\n```'],
    ['after its name', 'add\n{"a":6,"b":7}'],
    [
      'with the recipient first',
      ' to=functions.add<|channel|>commentary json<|message|>{"a":6,"b":7}<|call|>',
    ],
  ])('is read %s', async (_, text) => {
    expect(await readPieces(text)).toBe(added)
  })
})

describe('an answer that begins like a call', () => {
  const rows = JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, city: 'Paris' })))

  it.each([
    ['JSON', rows],
    ['JSON in a fence', `\`\`\`json\n${rows}\n\`\`\``],
    ['code', '```python\nprint("Hi")\n```\nThis prints.'],
    ['the name of a tool', 'add {x} to the list'],
  ])('is text: %s', async (_, text) => {
    const said = await readPieces(text)
    expect(said.replaceAll(' ', '')).toBe(`${text.replaceAll(' ', '')}stop`)
  })

  it('is shown while it arrives as soon as it cannot be a call', async () => {
    const pieces = (await readPieces(rows)).split(' ')
    expect(pieces.length).toBeGreaterThan(100)
  })
})

describe('a chunk of Ollama’s own API', () => {
  const lines = (...list: object[]) => list.map((one) => `${JSON.stringify(one)}\n`).join('')
  const end = {
    message: { content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 4,
    eval_count: 3,
  }

  it('is read as text and as a call', async () => {
    const text = lines({ message: { content: 'Hi' }, done: false }, end)
    expect(await readInShort(openaiChat, text)).toBe('Hi 4+3 stop')
    const calls = [{ function: { name: 'add', arguments: { a: 6, b: 7 } } }]
    expect(await readInShort(openaiChat, lines({ message: { tool_calls: calls }, done: false }, end))).toBe(
      'add{"a":6,"b":7} 4+3 tool-calls',
    )
  })
})

describe('a chunk of another API', () => {
  const token = (text: string, special = false) => ({ index: 1, token: { id: 1, text, logprob: 0, special } })
  const unfinished = { generated_text: null, details: null }

  it.each<[string, object[], string]>([
    [
      'Text Generation Inference',
      [
        { ...token('Hi'), ...unfinished },
        { ...token(' you'), ...unfinished },
        { ...token('</s>', true), generated_text: 'Hi you', details: { finish_reason: 'eos_token' } },
      ],
      'Hi  you stop',
    ],
    [
      'Text Generation Inference with a last token',
      [
        { ...token('Hi'), ...unfinished },
        { ...token(' you'), generated_text: 'Hi you', details: { finish_reason: 'length' } },
      ],
      'Hi  you length',
    ],
    ['a whole generation', [{ generated_text: 'Hi you' }], 'Hi you stop'],
    [
      'Ollama without messages',
      [
        { response: 'Hi', done: false },
        { response: '', done: true, done_reason: 'length', prompt_eval_count: 4, eval_count: 1 },
      ],
      'Hi 4+1 length',
    ],
    [
      'llama.cpp',
      [
        { content: 'Hi', stop: false, tokens_predicted: 1, tokens_evaluated: 4 },
        { content: '', stop: true, stop_type: 'eos', tokens_predicted: 2, tokens_evaluated: 4 },
      ],
      'Hi 4+2 stop',
    ],
  ])('is read as text: %s', async (_, chunks, said) => {
    expect(await readInShort(openaiChat, events(...chunks))).toBe(said)
  })
})

it('makes a call once that is parsed and written as text as well', async () => {
  const written = '<tool_call>{"name":"add","arguments":{"a":6,"b":7}}</tool_call>'
  const call = { index: 0, id: 'a', function: { name: 'add', arguments: '{"a":6,"b":7}' } }
  const body = events(delta({ content: written }), delta({ tool_calls: [call] }, 'tool_calls'))
  expect(await readInShort(openaiChat, body)).toBe(added)
})

it('unpacks parallel calls that a model packs in one', async () => {
  const tool_uses = [6, 1].map((a) => ({ recipient_name: 'functions.add', parameters: { a, b: 7 } }))
  const packed = { name: 'multi_tool_use.parallel', arguments: JSON.stringify({ tool_uses }) }
  const body = events(delta({ tool_calls: [{ index: 0, id: 'a', function: packed }] }, 'tool_calls'))
  expect(await readInShort(openaiChat, body)).toBe('add{"a":6,"b":7} add{"a":1,"b":7} tool-calls')
})

it('reads the arguments of a call under other names', async () => {
  const call = (key: string) =>
    events(
      delta({ tool_calls: [{ id: 'a', function: { name: 'add', [key]: { a: 6, b: 7 } } }] }, 'tool_calls'),
    )
  expect(await readInShort(openaiChat, call('parameters'))).toBe(added)
  expect(await readInShort(openaiChat, call('input'))).toBe(added)
})
