import { describe, expect, it } from 'vitest'
import { tidyPart } from './tidy-part.ts'

const tidy = (part: unknown) => tidyPart(part, { characters: 1_000 })
const png = 'iVBORw0KGgo='
const picture = { type: 'image', data: png, mimeType: 'image/png' }

describe('tidyPart', () => {
  it.each<[string, unknown, string]>([
    ['a plain text', 'Hello', 'Hello'],
    ['a text without a type', { text: 'Hello' }, 'Hello'],
    ['a number', { type: 'text', text: 42 }, '42'],
    ['a flag', { type: 'text', text: true }, 'true'],
    ['an object', { type: 'text', text: { a: 1 } }, '{"a":1}'],
    ['an unknown kind', { type: 'json', json: { a: 1 } }, '{"type":"json","json":{"a":1}}'],
    ['a damaged picture', { ...picture, data: 'not base64!' }, '[The image is damaged.]'],
  ])('returns %s as text', (_, part, text) => {
    expect(tidy(part)).toEqual({ type: 'text', text })
  })

  it.each<[string, object]>([
    ['without its format', { type: 'image', data: png }],
    ['with the format under another name', { type: 'image', data: png, mime_type: 'image/png' }],
    ['as a data address', { type: 'image', data: `data:image/png;base64,${png}` }],
    ['with line breaks', { ...picture, data: 'iVBORw\n0KGgo=\n' }],
    ['without padding', { ...picture, data: 'iVBORw0KGgo' }],
  ])('returns a picture %s', (_, part) => {
    expect(tidy(part)).toEqual(picture)
  })

  it.each<[string, object, object]>([
    [
      'with null for its data',
      { uri: 'a', text: 'Hello', blob: null, mimeType: null },
      { uri: 'a', text: 'Hello' },
    ],
    ['without an address', { text: 'Hello' }, { uri: '', text: 'Hello' }],
  ])('returns a resource %s', (_, resource, tidied) => {
    expect(tidy({ type: 'resource', resource })).toEqual({ type: 'resource', resource: tidied })
  })

  it.each([null, { type: 'text' }, { type: 'text', text: null }])('returns null for nothing: %j', (part) => {
    expect(tidy(part)).toBeNull()
  })
})
