import { describe, expect, it } from 'vitest'
import { dropNulls, grammarSchema } from './grammar-schema.ts'

describe('a schema for the grammar of a local model', () => {
  it('bounds strings and arrays, and enumerates the integers of a small range', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 1, maximum: 3 },
        tags: { type: 'array', items: { type: 'string', maxLength: 5 } },
        unit: { enum: ['c', 'f'] },
      },
      required: ['city', 'days', 'tags', 'unit'],
    }
    expect(grammarSchema(schema)).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 0, maxLength: 300 },
        days: { enum: [1, 2, 3] },
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 0, maxLength: 5 },
          minItems: 0,
          maxItems: 6,
        },
        unit: { enum: ['c', 'f'] },
      },
    })
  })

  it('makes optional properties nullable, and removes their nulls afterwards', () => {
    const schema = {
      type: 'object',
      properties: { city: { type: ['string', 'null'] }, note: { type: 'boolean' } },
      required: ['city'],
    }
    expect(grammarSchema(schema)).toMatchObject({
      properties: { note: { oneOf: [{ type: 'null' }, { type: 'boolean' }] } },
    })
    expect(dropNulls({ city: null, note: null }, schema)).toEqual({ city: null })
  })

  it('accepts anyOf, allOf and schemas without a type, and limits nesting', () => {
    expect(grammarSchema({ anyOf: [{ type: 'null' }, { const: 7 }] })).toEqual({
      oneOf: [{ type: 'null' }, { const: 7 }],
    })
    expect(grammarSchema({ allOf: [{ type: 'boolean' }], description: 'Whether' })).toEqual({
      ...{ type: 'boolean', description: 'Whether' },
    })
    expect(grammarSchema({})).toMatchObject({ type: 'string' })
    const endless: Record<string, unknown> = { type: 'array' }
    endless.items = endless
    expect(JSON.stringify(grammarSchema(endless))).toContain('"maxLength":300')
  })
})
