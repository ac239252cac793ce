import { describe, expect, it } from 'vitest'
import { defineTool } from './definition.ts'

const schemaOf = (input_schema: Record<string, unknown>) =>
  defineTool({ name: 'probe', input_schema, claim: 'silent', repeats: false, ui: null } as never).input_schema

describe('the schema of a tool that a server lists', () => {
  it('keeps a recursive definition to its second level, and the values of enumerations whole', () => {
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

  it('keeps lists, tuples and what is true beside each other', () => {
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

  it('keeps the other properties when one of them is not understood', () => {
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

describe('the inputs of a tool that go into headers', () => {
  const headersOf = (input_schema: Record<string, unknown>) =>
    defineTool({ name: 'probe', input_schema, claim: 'silent', repeats: false, ui: null } as never).headers

  it('are those the schema names, also inside of objects', () => {
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

  it('are none for a schema that names none', () => {
    expect(headersOf({ type: 'object', properties: { q: { type: 'string' } } })).toBeUndefined()
  })
})
