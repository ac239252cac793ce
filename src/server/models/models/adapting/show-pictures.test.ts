import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../providers/anthropic/anthropic-messages.ts'
import { openaiChat } from '../../providers/compatible/openai-chat.ts'
import { googleGenerate } from '../../providers/google/google-generate.ts'
import { openaiResponses } from '../../providers/openai/openai-responses.ts'
import type { FilePart, ModelCall } from '../port.ts'
import type { Dialect } from '../wire/dialect.ts'
import { prepareCall } from './prepare-call.ts'

const picture = (name: string, data_base64: string): FilePart => ({
  ...{ type: 'file', media_type: 'image/jpeg', name, data_base64 },
})
const ATTACHED = 'QVRUQUNIRUQ='
const RETURNED = 'UkVUVVJORUQ='

const call: ModelCall = {
  model: 'm',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Compare them.' }, picture('a.jpg', ATTACHED)] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'call_1', name: 'camera', input: '{}' }] },
    {
      role: 'tool',
      content: [
        {
          ...{ type: 'tool-result', id: 'call_1', name: 'camera', output: '[b.jpg]', is_error: false },
          pictures: [picture('b.jpg', RETURNED)],
        },
      ],
    },
  ],
  tools: [
    { name: 'camera', description: 'Takes a picture.', input_schema: { type: 'object', properties: {} } },
  ],
  tool_choice: 'auto',
}

const dialects: [kind: string, dialect: Dialect, written: (data: string) => object][] = [
  [
    'openai',
    openaiResponses,
    (data) => ({ type: 'input_image', image_url: `data:image/jpeg;base64,${data}` }),
  ],
  [
    'anthropic',
    anthropicMessages,
    (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data } }),
  ],
  ['google', googleGenerate, (data) => ({ inlineData: { mimeType: 'image/jpeg', data } })],
  [
    'compatible',
    openaiChat,
    (data) => ({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${data}` } }),
  ],
]

async function send(kind: string, dialect: Dialect, known: Parameters<typeof prepareCall>[1] = []) {
  const facts = { kind, base_url: 'http://127.0.0.1', context_tokens: null, count: async () => 100 }
  const prepared = await prepareCall(call, known, facts)
  const endpoint = { provider: kind, base_url: 'http://127.0.0.1', api_key: null }
  const { body } = dialect.request(prepared.call, endpoint)
  return { text: JSON.stringify(body), made: prepared.made }
}

describe('pictures', () => {
  it.each(dialects)(
    'sends pictures in the form of %s, those of a tool after its result',
    async (kind, dialect, written) => {
      const { text } = await send(kind, dialect)
      const attached = text.indexOf(JSON.stringify(written(ATTACHED)))
      const result = text.indexOf('[b.jpg]')
      // The end of the history may carry a cache mark.
      const returned = text.indexOf(JSON.stringify(written(RETURNED)).slice(0, -1))
      expect(attached).toBeGreaterThan(0)
      expect(result).toBeGreaterThan(attached)
      expect(returned).toBeGreaterThan(result)
    },
  )

  it.each(dialects)(
    'replaces pictures with notes for a model of %s that takes none',
    async (kind, dialect) => {
      const { text, made } = await send(kind, dialect, [{ name: 'no_images' }])
      expect(text).not.toContain(ATTACHED)
      expect(text).not.toContain(RETURNED)
      expect(text).toContain('[a.jpg cannot be shown to this model.]')
      expect(text).toContain('[b.jpg cannot be shown to this model.]')
      expect(made).toContainEqual({ name: 'no_images' })
    },
  )

  it('drops pictures that do not fit the window and reports it', async () => {
    const facts = {
      kind: 'compatible',
      base_url: 'http://127.0.0.1',
      context_tokens: 2_048,
      count: async () => 3_400,
    }
    const { call: sent, made } = await prepareCall(call, [], facts)
    expect(JSON.stringify(sent)).not.toContain(ATTACHED)
    expect(JSON.stringify(sent)).toContain('[a.jpg is left out here: it does not fit.]')
    expect(made).toContainEqual({ name: 'shortened', about: 'pictures' })
  })
})
