import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toJson } from './json.ts'

it('removes characters that PostgreSQL refuses from values and names', () => {
  const value = { 'a\0': ['\0b', { '\ud800': '\udc00' }], ['__proto__']: { c: '\0' } }
  expect(toJson(value)).toBe('{"a":["b",{"\ufffd":"\ufffd"}],"__proto__":{"c":""}}')
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), text, (inside, name) => {
      const json = toJson({ [name]: inside, '\0': inside })
      expect(json).not.toMatch(/[^\\](\\\\)*\\u(0000|d[89a-f])/)
      expect(JSON.stringify(JSON.parse(json))).toBe(json)
    }),
  )
})

it('leaves clean values unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
