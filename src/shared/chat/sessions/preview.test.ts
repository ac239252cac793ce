import { expect, it } from 'vitest'
import type { Block } from '../../runs/runs/blocks.ts'
import { previewOf, previewOfReply } from './preview.ts'

it.each([
  ['21 × 2 = **42**.', '21 × 2 = 42.'],
  ['# Title\n\nSome `code` and a [link](https://example.com).', 'Title Some code and a link.'],
  ['- one\n- two\n\n> quoted', 'one two quoted'],
  ['```ts\nconst a = 1\n```', 'const a = 1'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['2 * 3 * 4 and a_b_c', '2 * 3 * 4 and a_b_c'],
  ['x'.repeat(1000), 'x'.repeat(160)],
])('strips the Markdown of %j in the history [SE-04]', (content, line) => {
  expect(previewOf(content)).toBe(line)
})

const step = (number: number): Block => ({
  ...{ type: 'step', id: `step-${number}`, number, description: 'A', single_step: false },
  ...{ completed: true, progress: null, message: null },
})
const text = (words: string, of?: number): Block => ({
  ...{ type: 'text', id: words, text: words },
  ...(of === undefined ? {} : { step: of }),
})

it.each<[string, Block[], string]>([
  [
    'the answer behind the steps',
    [step(1), text('21', 1), step(2), text('42', 2), text('\n\nIt is **42**.')],
    'It is 42.',
  ],
  ['the newest step without an answer', [step(1), text('21', 1), step(2), text('\n\n42', 2)], '42'],
  ['nothing yet', [step(1), text('21', 1), step(2)], ''],
  ['all of a reply without steps', [text('Let me see. '), text('42')], 'Let me see. 42'],
])('previews a reply: %s [SE-04, SE-14]', (_, blocks, line) => {
  const content = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
  expect(previewOfReply({ content, blocks })).toBe(line)
})
