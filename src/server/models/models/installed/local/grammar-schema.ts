import { list, record, strings, typesOf } from '../../adapting/tool-schemas/schema-parts.ts'
import type { JsonSchema } from '../../port.ts'
import type { GrammarSchema } from './llama.ts'

/** Limits on string characters and array items, because a small model may repeat itself endlessly. */
const MAX_STRING = 300
const MAX_ITEMS = 6
/** Nesting levels of a schema. Deeper levels become short strings, as do schemas without a type. */
const MAX_DEPTH = 6
/** Largest range of integers that is enumerated; the grammar has no minimum and maximum. */
const MAX_LISTED = 60

const short: GrammarSchema = { type: 'string', maxLength: MAX_STRING }
const nothing: GrammarSchema = { type: 'null' }

/**
 * Converts a JSON schema for the engine's grammar: strings and arrays are bounded, references are left out. The grammar requires every
 * property, so optional ones become nullable; `dropNulls` removes their nulls.
 */
export function grammarSchema(schema: JsonSchema, depth = 0): GrammarSchema {
  const { anyOf, oneOf, allOf, description, enum: values, const: value } = schema
  if (value !== undefined && isPlain(value)) return { const: value }
  const plain = Array.isArray(values) ? values.filter(isPlain) : []
  if (plain.length > 0) return { enum: plain }
  if (depth >= MAX_DEPTH) return short
  const choices = list(anyOf ?? oneOf).map(record)
  if (choices.length > 0) return { oneOf: choices.map((one) => grammarSchema(one, depth + 1)) }
  const [first] = list(allOf).map(record)
  if (first) return grammarSchema({ ...first, ...without(schema, 'allOf') }, depth + 1)
  const types = typesOf(schema)
  if (types.length > 1) return { oneOf: types.map((type) => grammarSchema({ ...schema, type }, depth + 1)) }
  const about = typeof description === 'string' ? { description } : {}
  return { ...ofType(types[0], schema, depth), ...about }
}

function ofType(type: string | undefined, schema: JsonSchema, depth: number): GrammarSchema {
  if (type === 'object' || schema.properties) return objectSchema(schema, depth)
  if (type === 'array') {
    const minItems = Math.min(numberOf(schema.minItems) ?? 0, 50)
    const maxItems = Math.max(minItems, Math.min(numberOf(schema.maxItems) ?? MAX_ITEMS, MAX_ITEMS))
    return { type, items: grammarSchema(record(schema.items), depth + 1), minItems, maxItems }
  }
  if (type === 'integer') return integerSchema(schema)
  if (type === 'number' || type === 'boolean' || type === 'null') return { type }
  const { format } = schema
  if (format === 'date' || format === 'date-time' || format === 'time') return { type: 'string', format }
  const minLength = Math.min(numberOf(schema.minLength) ?? 0, MAX_STRING)
  const maxLength = Math.max(minLength, Math.min(numberOf(schema.maxLength) ?? MAX_STRING, MAX_STRING))
  return { type: 'string', minLength, maxLength }
}

function objectSchema({ properties, required }: JsonSchema, depth: number): GrammarSchema {
  const needed = strings(required)
  const fields = Object.entries(record(properties)).map(([name, field]) => {
    const schema = grammarSchema(record(field), depth + 1)
    return [name, needed.includes(name) ? schema : { oneOf: [nothing, schema] }]
  })
  return { type: 'object', properties: Object.fromEntries(fields) }
}

function integerSchema({ minimum, maximum }: JsonSchema): GrammarSchema {
  const from = numberOf(minimum)
  const to = numberOf(maximum)
  if (from === null || to === null || to < from || to - from >= MAX_LISTED) return { type: 'integer' }
  const start = Math.ceil(from)
  return { enum: Array.from({ length: Math.floor(to) - start + 1 }, (_, at) => start + at) }
}

/** Removes nulls of optional properties, which the model writes to omit them. */
export function dropNulls(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => dropNulls(one, record(schema.items)))
  if (typeof value !== 'object' || value === null) return value
  const fields = record(schema.properties)
  const needed = strings(schema.required)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => one !== null || needed.includes(name))
      .map(([name, one]) => [name, dropNulls(one, record(fields[name]))]),
  )
}

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function without(schema: JsonSchema, name: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))
}
