import { describe, expect, it } from 'vitest'
import type { InputField } from '#shared/runs/runs/request.ts'
import { aRequest } from '#tests/web/request-builder.ts'
import { checkDraft, type DraftFile, fieldsFor, jsonProblem, toAnswer } from './answer-draft.ts'
import { argumentsOf, readArgument, showArgument } from './tool-arguments.ts'

const file = (media_type: string): DraftFile => ({
  ...{ key: media_type, name: 'x', size: 1, state: 'uploaded', reason: '' },
  stored: { id: `id-${media_type}`, name: 'x', media_type, size: 1 },
})
const field = (name: string, type: InputField['type'], required = false): InputField => {
  return { name, label: name, type, required }
}

describe('fields of a request', () => {
  it('default to one per input type; multi and composite accept text, JSON and documents [CK-13]', () => {
    const typesOf = (...input_types: string[]) =>
      fieldsFor(aRequest({ input_types }))?.map(({ type }) => type) ?? null
    expect(typesOf('text')).toEqual(['text'])
    expect(typesOf('file', 'boolean')).toEqual(['document', 'boolean'])
    expect(typesOf('multi')).toEqual(['text', 'json', 'document'])
    expect(typesOf('composite')).toEqual(['text', 'json', 'document'])
    expect(typesOf('text', 'location')).toBeNull()
  })

  it('are the named ones if the request has some [CK-13]', () => {
    const fields = [field('sites', 'text')]
    expect(fieldsFor(aRequest({ input_types: ['composite'], fields }))).toEqual(fields)
  })
})

describe('draft', () => {
  const fields = [field('text', 'text'), field('json', 'json', true)]

  it('is empty until one field is filled [CK-14]', () => {
    expect(checkDraft(fields, { text: '  ' }).isEmpty).toBe(true)
    expect(checkDraft(fields, { text: 'a' }).isEmpty).toBe(false)
    expect(checkDraft([field('b', 'boolean')], { b: false }).isEmpty).toBe(false)
  })

  it('reports where JSON becomes invalid, and what is missing [CK-15]', () => {
    expect(checkDraft(fields, { text: 'a' }).problems.get('json')).toEqual({ kind: 'required' })
    expect(checkDraft(fields, { json: '{"a": 1,\n "b": 2, }' }).problems.get('json')).toEqual({
      kind: 'json',
      line: 2,
    })
    expect(jsonProblem('{"a": [1')).toEqual({ kind: 'json', line: 1 })
    expect(checkDraft(fields, { json: '[1]' }).problems.size).toBe(0)
  })

  it('waits for uploads, and is not sent with a failed file [CK-13]', () => {
    const files = [field('f', 'document')]
    const problem = (state: DraftFile['state']) =>
      checkDraft(files, { f: [{ ...file('text/plain'), state }, file('text/plain')] }).problems.get('f')
    expect(problem('uploading')).toEqual({ kind: 'uploading' })
    expect(problem('failed')).toEqual({ kind: 'failed' })
    expect(problem('uploaded')).toBeUndefined()
  })
})

describe('answer', () => {
  const answer = (input_types: string[], draft: Parameters<typeof toAnswer>[2]) => {
    const request = aRequest({ input_types })
    return toAnswer(request, fieldsFor(request) ?? [], draft)
  }

  it('sends a single value as itself, and a boolean as json [CK-16, CK-17, G-23]', () => {
    expect(answer(['text'], { text: 'blue' })).toEqual({ input: 'blue', input_type: 'text' })
    expect(answer(['json'], { json: '{"a":1}' })).toEqual({ input: { a: 1 }, input_type: 'json' })
    expect(answer(['boolean'], { boolean: false })).toEqual({ input: false, input_type: 'json' })
    expect(answer(['text', 'json'], { json: '1' })).toEqual({ input: 1, input_type: 'json' })
  })

  it('sends a document by the type of its file [CK-17, G-23]', () => {
    const sent = (...types: string[]) => answer(['document'], { document: types.map(file) }).input_type
    expect(sent('image/png')).toBe('image')
    expect(sent('audio/webm')).toBe('audio')
    expect(sent('video/mp4', 'video/mp4')).toBe('video')
    expect(sent('application/pdf')).toBe('file')
    expect(sent('image/png', 'application/pdf')).toBe('file')
  })

  it('sends several values as composite, with named fields under their names [CK-16]', () => {
    expect(answer(['text', 'boolean'], { text: 'a', boolean: true })).toEqual({
      ...{ input: { text: 'a', boolean: true }, input_type: 'composite' },
    })
    const fields = [field('sites', 'text'), field('ok', 'boolean')]
    const request = aRequest({ input_types: ['composite'], fields })
    expect(toAnswer(request, fields, { sites: 'Paris' })).toEqual({
      input: { sites: 'Paris' },
      input_type: 'composite',
    })
  })
})

describe('arguments of a call', () => {
  const schema = {
    properties: {
      to: { type: 'string' },
      count: { type: 'integer' },
      kind: { enum: ['a', 'b'] },
      urgent: { type: 'boolean' },
      more: { type: 'object' },
      body: { type: 'string' },
    },
  }

  it("are edited by the tool's schema [SV-96]", () => {
    const controls = argumentsOf(schema, { body: 'two\nlines', extra: [1] }).map(({ name, control }) => [
      name,
      control,
    ])
    expect(controls).toEqual([
      ...[
        ['to', 'line'],
        ['count', 'number'],
        ['kind', 'choice'],
        ['urgent', 'boolean'],
      ],
      ...[
        ['more', 'json'],
        ['body', 'area'],
        ['extra', 'json'],
      ],
    ])
  })

  it('keep their type, and stay as they were if untouched [SV-96]', () => {
    const one = (control: 'line' | 'number' | 'boolean' | 'json') => ({ name: 'x', control, options: [] })
    expect(readArgument(one('line'), '2', '2')).toBe('2')
    expect(readArgument(one('line'), '3', 2)).toBe(3)
    expect(readArgument(one('line'), 'many', 2)).toBe('many')
    expect(readArgument(one('number'), '7', undefined)).toBe(7)
    expect(readArgument(one('boolean'), 'false', true)).toBe(false)
    expect(readArgument(one('json'), '{"a":1}', null)).toEqual({ a: 1 })
    expect(readArgument(one('line'), '', 'x')).toBeUndefined()
    expect(showArgument(one('json'), { a: 1 })).toBe('{\n  "a": 1\n}')
  })
})
