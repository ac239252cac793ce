import { describe, expect, it } from 'vitest'
import { defineTool } from './definition.ts'

const schemaOf = (input_schema: Record<string, unknown>) =>
  defineTool({ name: 'probe', input_schema, claim: 'silent', repeats: false, ui: null } as never).input_schema

describe('schema of a listed tool', () => {
  it('expands a recursive definition to its second level, and preserves enumeration values', () => {
    const node = {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['leaf', 'branch'] },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
    }
    const schema = schemaOf({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      $defs: { Node: node },
    })
    expect(schema).toMatchObject({
      properties: {
        tree: {
          properties: {
            kind: { enum: ['leaf', 'branch'] },
            children: { items: { properties: { kind: { enum: ['leaf', 'branch'] } } } },
          },
        },
      },
    })
    expect(JSON.stringify(schema)).not.toContain('{},{}')
  })

  it('preserves lists, tuples and schemas that are `true`', () => {
    const schema = schemaOf({
      type: 'object',
      properties: {
        list: { type: 'array' },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
        anything: true,
      },
    })
    expect(schema.properties).toEqual({
      list: { type: 'array' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      anything: {},
    })
  })

  it('preserves the other properties if one is not supported', () => {
    const schema = schemaOf({
      type: 'object',
      properties: { good: { type: 'integer' }, odd: { type: 'file', description: 'A file' } },
      required: ['good'],
    })
    expect(schema).toEqual({
      type: 'object',
      required: ['good'],
      properties: { good: { type: 'integer' }, odd: { description: 'A file' } },
    })
  })
})

describe('inputs sent as headers', () => {
  const headersOf = (input_schema: Record<string, unknown>) =>
    defineTool({ name: 'probe', input_schema, claim: 'silent', repeats: false, ui: null } as never).headers

  it('are those named by the schema, including nested ones', () => {
    const region = { type: 'string', 'x-mcp-header': 'Region', description: 'Where.' }
    const place = { type: 'object', properties: { region, other: { type: 'string' } } }
    expect(headersOf({ type: 'object', properties: { region, place, q: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        place: {
          type: 'object',
          properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        },
      },
    })
  })

  it('are empty for a schema that names none', () => {
    expect(headersOf({ type: 'object', properties: { q: { type: 'string' } } })).toBeUndefined()
  })
})
