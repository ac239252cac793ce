import { describe, expect, it } from 'vitest'
import type { ModelCall, StreamModel } from '../port.ts'
import { failureOf } from '../wire/failures.ts'
import { adaptToRefusals } from './adaptive.ts'
import { learnInMemory } from './learned.ts'

const call: ModelCall = {
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 'weather', description: '', input_schema: { type: 'object', properties: {} } }],
  tool_choice: 'auto',
}
const facts = { kind: 'compatible', base_url: '', context_tokens: null, count: async () => 10 }

/** Creates a model that refuses calls with a status and a sentence. */
function aModel(refusalOf: (call: ModelCall) => [number, string] | null) {
  const sent: ModelCall[] = []
  const learned = learnInMemory()
  const stream: StreamModel = async (one, _, give) => {
    sent.push(one)
    const refusal = refusalOf(one)
    if (refusal) throw failureOf(refusal[0], JSON.stringify({ error: { message: refusal[1] } }), {})
    give({ type: 'text', text: 'Hi' })
    give({ type: 'finish', reason: 'stop' })
  }
  const ask = (more: Partial<ModelCall> = {}) =>
    adaptToRefusals(stream, learned, facts)(
      { ...call, ...more },
      new AbortController().signal,
      () => undefined,
    )
  return { sent, learned, ask }
}

describe('adaptToRefusals', () => {
  it('remembers a refusal, so that the next call needs no retry', async () => {
    const { sent, learned, ask } = aModel(({ tools }) =>
      tools.length > 0 ? [400, 'm does not support tools'] : null,
    )
    await ask()
    await ask()
    expect(sent.map(({ tools }) => tools.length)).toEqual([1, 0, 0])
    expect(await learned.known()).toEqual([{ name: 'no_tools' }])
  })

  it('applies a limit of the remaining credit to one call only', async () => {
    const { sent, learned, ask } = aModel(({ max_output_tokens }) =>
      max_output_tokens === undefined ? [402, 'More credits are needed: you can only afford 1234.'] : null,
    )
    await ask()
    await ask()
    expect(sent.map(({ max_output_tokens }) => max_output_tokens)).toEqual([undefined, 1234, undefined, 1234])
    expect(await learned.known()).toEqual([])
  })

  it('names a result without a text, which providers refuse', async () => {
    const { sent, ask } = aModel(() => null)
    await ask({
      messages: [
        ...call.messages,
        { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'weather', input: '{}' }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', id: 'a', name: 'weather', output: '', is_error: true }],
        },
      ],
    })
    expect(sent[0]?.messages.at(-1)).toMatchObject({ content: [{ output: '(nothing)' }] })
  })

  it('leaves out sampling that providers without a dialect of ours refuse', async () => {
    const { sent, learned, ask } = aModel(({ temperature }) =>
      temperature === undefined ? null : [400, '`temperature` is deprecated for this model.'],
    )
    await ask({ temperature: 0.2, sampling: { top_p: 0.5 } })
    expect(sent.map(({ temperature, sampling }) => [temperature, sampling])).toEqual([
      [0.2, { top_p: 0.5 }],
      [undefined, { top_p: 0.5 }],
    ])
    expect(await learned.known()).toEqual([{ name: 'parameter', about: 'temperature' }])
  })
})
