import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../port.ts'
import { fitSchema } from './fit-schema.ts'
import { fitTools } from './fit-tools.ts'

const schemaFor = (schema: JsonSchema) => fitSchema(schema, { isPlain: false, isGoogle: false }).schema
const tool = (input_schema: JsonSchema, name = 'probe', description = '') => ({
  name,
  description,
  input_schema,
})

describe('fitSchema', () => {
  it('turns a choice into an object and describes what each variant requires', () => {
    const variant = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    })
    expect(schemaFor({ anyOf: [variant('id'), variant('name')] })).toEqual({
      type: 'object',
      description: 'Give one of: id; or name.',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    })
  })

  it('adds missing items to a list and describes the order of a tuple', () => {
    const { properties } = schemaFor({
      properties: {
        list: { type: 'array' },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      },
    })
    expect(properties).toMatchObject({
      list: { type: 'array', items: {} },
      pair: {
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        description: 'In this order: 1. string, 2. number.',
      },
    })
  })

  it('expands references and cuts recursion', () => {
    const text = JSON.stringify(
      schemaFor({
        properties: { a: { $ref: '#/$defs/N' } },
        $defs: { N: { type: 'object', properties: { next: { $ref: '#/$defs/N' }, v: { enum: ['x'] } } } },
      }),
    )
    expect(text).not.toContain('$ref')
    expect(text).toContain('"enum":["x"]')
  })

  it('states exclusive bounds that older schemas mark', () => {
    const properties = {
      a: { type: 'number', minimum: 0, exclusiveMinimum: true },
      b: { type: 'number', maximum: 9, exclusiveMaximum: false },
    }
    expect(schemaFor({ type: 'object', properties }).properties).toEqual({
      a: { type: 'number', exclusiveMinimum: 0 },
      b: { type: 'number', maximum: 9 },
    })
  })

  it('keeps only required names that exist', () => {
    expect(schemaFor({ properties: { a: {} }, required: ['a', 'gone'] }).required).toEqual(['a'])
  })
})

describe('fitTools', () => {
  it('gives a tool plain names and restores the original names in its calls', () => {
    const given = tool(
      { properties: { 'weird key!': { type: 'object', properties: { ü: {} } } }, required: ['weird key!'] },
      'files.search/all',
    )
    const fitted = fitTools([given], 'anthropic', [])
    expect(fitted.tools[0]).toMatchObject({
      name: 'files_search_all',
      input_schema: { required: ['weird_key_'] },
    })
    const keys = Object.keys(fitted.tools[0]?.input_schema.properties as object)
    for (const key of keys) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
    const own = {
      type: 'tool-call' as const,
      id: '1',
      name: 'files.search/all',
      input: '{"weird key!":{"ü":1}}',
    }
    const sent = fitted.forth(own)
    expect(sent.name).toBe('files_search_all')
    expect(fitted.back(sent)).toEqual(own)
  })

  it('unwraps arguments that are not an object', () => {
    const fitted = fitTools([tool({ anyOf: [{ type: 'string' }, { type: 'integer' }] })], 'openai', [])
    const call = { type: 'tool-call' as const, id: '1', name: 'probe', input: '{"value":7}' }
    expect(fitted.back(call).input).toBe('7')
  })

  it('drops a tool that a refusal named twice and limits descriptions to 1,024 characters', () => {
    const tools = [tool({}, 'good', 'long '.repeat(500)), tool({}, 'bad')]
    const fitted = fitTools(tools, 'openai', [{ name: 'left_out_tool', about: 'bad' }])
    expect(fitted.tools.map(({ name }) => name)).toEqual(['good'])
    expect(fitted.tools[0]?.description.length).toBe(1024)
  })
})
