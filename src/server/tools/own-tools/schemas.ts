import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { cleanProse } from '#shared/platform/labels.ts'
import type { JsonSchema } from '../../models/models/port.ts'

const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** Supported keywords of JSON Schema, by how they are checked. Other keywords are not needed by models or checks. */
const texts = new Set(['description', 'title', 'format', 'pattern', 'contentEncoding', 'contentMediaType'])
/** Keywords that people and models read. */
const SHOWN = new Set(['description', 'title'])
const numbers = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
])
const values = new Set(['default', 'const', 'example'])
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const schemas = ['items', 'additionalProperties']

/** Maximum depth. Deeper parts accept anything. */
const MAX_DEPTH = 12
/** Maximum characters of a whole schema. */
const MAX_CHARACTERS = 60_000
const MAX_NAMES = 500

/**
 * Returns a JSON Schema reduced to supported keywords with short texts.
 * @throws AppError `invalid` if it is not a schema; `where` begins the sentence
 */
export function checkSchema(schema: unknown, where: string): JsonSchema {
  const kept = keepSchema(schema, where, 0)
  if (JSON.stringify(kept).length > MAX_CHARACTERS)
    throw new AppError('invalid', `${where} is a schema longer than ${MAX_CHARACTERS} characters.`)
  // A schema that cannot be compiled is invalid too.
  compileSchema(kept, where)
  return kept
}

function keepSchema(schema: unknown, where: string, depth: number): JsonSchema {
  if (schema === true) return {}
  if (!isRecord(schema)) throw none(where, 'it is not an object')
  if (depth > MAX_DEPTH) return {}
  const kept: JsonSchema = {}
  for (const [name, value] of Object.entries(schema)) keepWord(kept, name, value, where)
  for (const name of schemas) {
    const value = schema[name]
    if (value === undefined) continue
    if (name === 'additionalProperties' && typeof value === 'boolean') kept[name] = value
    else kept[name] = keepSchema(value, `${where}.${name}`, depth + 1)
  }
  for (const name of lists) {
    const value = schema[name]
    if (value === undefined) continue
    if (!Array.isArray(value) || value.length === 0) throw none(where, `${name} is not a list of schemas`)
    kept[name] = value
      .slice(0, MAX_NAMES)
      .map((one, index) => keepSchema(one, `${where}.${name}.${index}`, depth + 1))
  }
  if (schema.properties !== undefined) kept.properties = keepProperties(schema.properties, where, depth)
  return kept
}

function keepWord(kept: JsonSchema, name: string, value: unknown, where: string): void {
  if (name === '$ref') throw none(where, `the reference ${String(value).slice(0, 100)} is not resolved`)
  if (name === 'type') kept.type = keepType(value, where)
  else if (texts.has(name) && typeof value === 'string')
    kept[name] = SHOWN.has(name) ? cleanProse(value.slice(0, 2_000)) : value.slice(0, 2_000).toWellFormed()
  else if (numbers.has(name) && typeof value === 'number' && Number.isFinite(value)) kept[name] = value
  else if (numbers.has(name) && !name.startsWith('exclusive')) throw none(where, `${name} is not a number`)
  else if (values.has(name)) kept[name] = value
  else if (name === 'enum') {
    if (!Array.isArray(value) || value.length === 0) throw none(where, 'enum is not a list of values')
    kept.enum = value.slice(0, 1_000)
  } else if (name === 'required' && Array.isArray(value))
    kept.required = value.filter((one): one is string => typeof one === 'string')
  else if (name === 'nullable' && value === true) kept.nullable = true
}

function keepType(type: unknown, where: string): unknown {
  const named = Array.isArray(type) ? type : [type]
  const wrong = named.find((one) => typeof one !== 'string' || !types.has(one))
  if (named.length === 0 || wrong !== undefined)
    throw none(where, `there is no type ${JSON.stringify(wrong ?? type)?.slice(0, 50)}`)
  return type
}

function keepProperties(properties: unknown, where: string, depth: number): Record<string, JsonSchema> {
  if (!isRecord(properties)) throw none(where, 'properties is not an object')
  const entries = Object.entries(properties).slice(0, MAX_NAMES)
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, keepSchema(schema, `${where}.properties.${name}`, depth + 1)]),
  )
}

/**
 * Compiles a stored schema to a validator. Patterns and formats are shown to models but not checked, because a hostile
 * expression could take forever and the API validates its input anyway. Defaults are left to the API.
 * @throws AppError `invalid` if it cannot be compiled
 */
export function compileSchema(schema: JsonSchema, where: string): z.ZodType {
  try {
    return z.fromJSONSchema(checkable(schema) as Parameters<typeof z.fromJSONSchema>[0])
  } catch (cause) {
    throw none(where, cause instanceof Error ? cause.message : 'it is not supported')
  }
}

const unchecked = new Set([
  ...['pattern', 'format', 'default', 'example', 'contentEncoding', 'contentMediaType', 'nullable'],
])

function checkable(schema: JsonSchema): JsonSchema {
  const plain: JsonSchema = {}
  for (const [name, value] of Object.entries(schema)) {
    if (unchecked.has(name)) continue
    if (name === 'properties')
      plain.properties = Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([key, one]) => [key, checkable(one)]),
      )
    // Real descriptions use “one of” even if several match.
    else if (name === 'oneOf') plain.anyOf = (value as JsonSchema[]).map(checkable)
    else if (lists.includes(name)) plain[name] = (value as JsonSchema[]).map(checkable)
    else if (schemas.includes(name) && isRecord(value)) plain[name] = checkable(value)
    else plain[name] = value
  }
  return schema.nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

function none(where: string, why: string): AppError {
  return new AppError('invalid', `${where} is not a valid JSON schema: ${why}.`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
