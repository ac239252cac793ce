import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldType } from '#shared/runs/runs/request.ts'
import { readQuestion } from './question.ts'

/** Property names that every object has, and values that are not text. */
const odd: unknown[] = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'],
  ...[{}, { toString: 1 }, Object.create(null), [[]], 7, null],
]

describe('a question written by a model', () => {
  it.each(odd.map((type) => [type]))('gets a text field when the type is %j', (type) => {
    const question = readQuestion({ prompt: 'Which?', fields: [{ name: 'site', label: 'Site', type }] })
    expect(question).toMatchObject({ input_types: ['text'], fields: [{ name: 'site', type: 'text' }] })
    expect(readQuestion({ prompt: 'Which?', input_types: [type] })).toMatchObject({ input_types: ['text'] })
    expect(readQuestion({ prompt: 'Which?', input_types: type })).toMatchObject({ input_types: ['text'] })
  })

  it('drops a field whose name an answer cannot contain', () => {
    const question = readQuestion({
      prompt: 'Which?',
      fields: [{ name: '__proto__', label: 'Site' }, 'Year'],
    })
    expect(question?.fields?.map(({ name }) => name)).toEqual(['Year'])
  })

  it('parses to a valid question or to none, in every form', () => {
    const anything = fc.anything({ withNullPrototype: true, withMap: true, maxDepth: 3 })
    const fields = fc.array(
      fc.oneof(anything, fc.record({ name: anything, type: anything, label: anything })),
    )
    fc.assert(
      fc.property(fc.record({ prompt: fc.string(), fields, input_types: anything }), (value) => {
        const question = readQuestion(value)
        if (!question) return
        expect(question.prompt).not.toBe('')
        expect(question.input_types?.length).toBeGreaterThan(0)
        for (const { type, name } of question.fields ?? []) {
          expect(FieldType.options).toContain(type)
          expect(typeof name).toBe('string')
        }
      }),
    )
  })
})
