import i18next from 'i18next'
import { expect, it } from 'vitest'
import type { Block } from '#shared/runs/runs/blocks.ts'
import { aMessage } from '#tests/web/message-builder.ts'
import { startTexts } from '#tests/web/render-page.tsx'
import { noteOf } from './reply-note.ts'

const usage = {
  ...{ seconds: 42, calls: 2, input_tokens: 1000, output_tokens: 240, amount: 0.04 },
  ...{ unpriced: false, estimated: false },
}

it.each([
  ['en', usage, 'gpt-4o · 42 s · 1,240 tokens · $0.04'],
  ['fr', { ...usage, seconds: 84 }, 'gpt-4o · 1 min 24 s · 1 240 jetons · 0,04 $'],
  ['en', { ...usage, amount: 0.0012, seconds: 0.4 }, 'gpt-4o · 0.4 s · 1,240 tokens · $0.0012'],
  [
    'en',
    { ...usage, amount: 0, unpriced: true, estimated: true },
    'gpt-4o · 42 s · ≈ 1,240 tokens · unpriced',
  ],
  ['fr', { ...usage, amount: 0, unpriced: true }, 'gpt-4o · 42 s · 1 240 jetons · sans tarif'],
  ['en', { ...usage, amount: 0 }, 'gpt-4o · 42 s · 1,240 tokens · free'],
  ['en', { ...usage, unpriced: true }, 'gpt-4o · 42 s · 1,240 tokens · at least $0.04'],
  ['en', { ...usage, calls: 0, amount: 0 }, 'gpt-4o · 42 s'],
  ['en', undefined, 'gpt-4o'],
])('says in %s what a reply took: %o', async (language, given, note) => {
  await startTexts(language)
  const metadata = given ? { usage: given } : {}
  const message = { ...aMessage({ role: 'assistant', model_name: 'openai/gpt-4o', metadata }), key: 'a' }
  const said = noteOf(message, i18next.t).replace(/[\u00a0\u202f]/g, ' ')
  expect(said).toBe(note)
})

it('names the model that answered, and both if both did [AD-17]', async () => {
  await startTexts('en')
  const line: Block = {
    ...{ type: 'fallback', id: 'fallback-1', reason: 'timeout' },
    ...{ asked: { id: 'openai/gpt-4o', name: 'gpt-4o' }, answered: { id: 'vllm/qwen3', name: 'qwen3' } },
  }
  const text: Block = { type: 'text', id: 'text-0', text: 'Hello' }
  const noteWith = (...blocks: Block[]) =>
    noteOf({ ...aMessage({ role: 'assistant', model_name: 'openai/gpt-4o', blocks }), key: 'a' }, i18next.t)
  expect(noteWith(line, text)).toBe('qwen3')
  expect(noteWith(text, line, text)).toBe('gpt-4o, qwen3')
})
