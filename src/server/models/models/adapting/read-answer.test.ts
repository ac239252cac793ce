import { expect, it } from 'vitest'
import type { ModelCall, ModelPart } from '../port.ts'
import { createAnswerReader } from './read-answer.ts'
import { fitTools } from './tool-schemas/fit-tools.ts'

const number = { type: 'number' }
const tools = [
  { name: 'add', description: '', input_schema: { type: 'object', properties: { a: number, b: number } } },
]
const written = '{"name":"add","arguments":{"a":6,"b":7}}'

function read(text: string, more: Partial<ModelCall> = {}) {
  const given: ModelPart[] = []
  const call: Pick<ModelCall, 'tool_choice' | 'tools' | 'output'> = { tools, tool_choice: 'auto', ...more }
  const reader = createAnswerReader(
    call,
    fitTools(tools, 'compatible', []),
    { startsInThought: false },
    (part) => given.push(part),
  )
  const started = performance.now()
  for (let at = 0; at < text.length; at += 4) reader.take({ type: 'text', text: text.slice(at, at + 4) })
  reader.end()
  const said = given.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return {
    said,
    calls: given.filter(({ type }) => type === 'tool-call').length,
    ms: performance.now() - started,
  }
}

it('reads bare JSON as a call', () => {
  expect(read(written)).toMatchObject({ said: '', calls: 1 })
})

it('keeps JSON in the form that the caller asked for', () => {
  const output = { name: 'step', schema: { type: 'object' } }
  expect(read(written, { output })).toMatchObject({ said: written, calls: 0 })
})

it.each([
  ['an answer in words', 'Some words, `code` and a < b. '],
  ['a mark that begins no call', '<tool_call> some words '],
  ['an unclosed call', `<tool_call>{"name":"add","arguments":{"a":`],
  ['Python', 'add(a=1, '],
  ['an action', 'Action: add\nAction Input: words '],
  ['JSON', `{"name":"add","text":"`],
])('reads %s in time that grows with its length', (_, start) => {
  const text = start + ' and then more'.repeat(5_000)
  read(text)
  expect(read(text).ms).toBeLessThan(1_000)
})
