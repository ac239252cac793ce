import type { JsonSchema } from '../../port.ts'
import { isObjectLike, mergeTop } from './merge-top.ts'
import { addNames, hasNames, type NameTree, noNames } from './names.ts'
import { type RefWalk, resolveRef } from './resolve-ref.ts'
import { list, record, strings, typesOf } from './schema-parts.ts'

/** Schema rules of a provider. */
export type SchemaRules = {
  /** Keywords beyond type, properties, items and the like are dropped. */
  isPlain: boolean
  /** Enumerations hold strings only, and conditions are unknown. */
  isGoogle: boolean
}

/** Property names that the strictest provider (Anthropic) accepts. */
const KEY = /^[a-zA-Z0-9_.-]{1,64}$/
const MAX_DEPTH = 14
/** Parts of a schema after its references are expanded. */
const MAX_PARTS = 4_000

const PLAIN = ['description', 'title']
const FULL = [
  ...['description', 'title', 'default', 'format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'nullable', 'const', 'examples'],
]
const GOOGLE = [
  ...[
    'description',
    'title',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'nullable',
  ],
]

/** A fitted schema, with the property names that had to change. */
export type FittedSchema = { schema: JsonSchema; names: NameTree }
type Walk = RefWalk & { rules: SchemaRules; parts: { left: number } }

/** Fits a schema of tool arguments to every provider: an object without references, with plain names. */
export function fitSchema(schema: JsonSchema, rules: SchemaRules): FittedSchema {
  const walk: Walk = { root: schema, rules, refs: new Map(), parts: { left: MAX_PARTS } }
  const isObject = isObjectLike(schema, walk)
  const given = isObject
    ? mergeTop(resolveRef(schema, walk).schema, walk)
    : { properties: { value: schema }, required: ['value'] }
  const { schema: fitted, names } = fitPart({ ...given, type: 'object' }, walk, 0)
  const { nullable: _, const: __, enum: ___, default: ____, ...top } = fitted
  return {
    schema: { ...top, type: 'object', properties: top.properties ?? {} },
    names: isObject ? names : { ...names, wrapped: 'value' },
  }
}

function fitPart(given: unknown, walk: Walk, depth: number): FittedSchema {
  const names = noNames()
  walk.parts.left -= 1
  if (
    typeof given !== 'object' ||
    given === null ||
    Array.isArray(given) ||
    depth > MAX_DEPTH ||
    walk.parts.left < 0
  )
    return { schema: {}, names }
  const { schema, leave } = resolveRef(given as JsonSchema, walk)
  const fitted = keepWords(schema, walk.rules)
  const types = typesOf(schema)
  if (types.length > 0) fitted.type = types.length === 1 ? types[0] : types
  if (!walk.rules.isPlain) fitChoices(fitted, schema, names, walk, depth)
  else if (types.length === 0) Object.assign(fitted, firstChoice(schema, walk, depth))
  if (schema.properties !== undefined || types.includes('object'))
    fitProperties(fitted, schema, names, walk, depth)
  if (types.includes('array') || schema.items !== undefined || schema.prefixItems !== undefined) {
    const items = fitItems(fitted, schema, walk, depth)
    names.items = items.names
    fitted.items = items.schema
    fitted.type ??= 'array'
  }
  leave()
  return { schema: fitted, names }
}

function keepWords(schema: JsonSchema, { isPlain, isGoogle }: SchemaRules): JsonSchema {
  const words = isPlain ? PLAIN : isGoogle ? GOOGLE : FULL
  const kept = Object.fromEntries(
    words.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])),
  )
  for (const bound of ['Minimum', 'Maximum']) fitBound(kept, `exclusive${bound}`, bound.toLowerCase())
  if (isGoogle && schema.const !== undefined) return { ...kept, ...fitEnum([schema.const], true) }
  return { ...kept, ...fitEnum(schema.enum, isGoogle || isPlain) }
}

/** The fourth draft of JSON Schema marks a bound as exclusive; later ones state it. */
function fitBound(kept: JsonSchema, exclusive: string, inclusive: string): void {
  const flag = kept[exclusive]
  if (typeof flag !== 'boolean') return
  delete kept[exclusive]
  if (!flag || typeof kept[inclusive] !== 'number') return
  kept[exclusive] = kept[inclusive]
  delete kept[inclusive]
}

/** Keeps the plain values of an enumeration. Returns no enumeration when none remain, or when others than strings remain but are refused. */
function fitEnum(given: unknown, textsOnly: boolean): JsonSchema {
  if (!Array.isArray(given)) return {}
  const plain = given.filter(
    (value) => ['string', 'number', 'boolean'].includes(typeof value) || value === null,
  )
  if (plain.length === 0) return {}
  if (!textsOnly || plain.every((value) => typeof value === 'string')) return { enum: [...new Set(plain)] }
  return {}
}

function fitChoices(
  fitted: JsonSchema,
  schema: JsonSchema,
  names: NameTree,
  walk: Walk,
  depth: number,
): void {
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    const variants = list(schema[word]).map((one) => fitPart(one, walk, depth + 1))
    for (const variant of variants) addNames(names, variant.names)
    const parts = variants.map((one) => one.schema)
    if (parts.length === 0) continue
    if (word === 'allOf') for (const part of parts) addPart(fitted, part)
    else fitted.anyOf = [...list(fitted.anyOf), ...parts]
  }
}

function addPart(fitted: JsonSchema, part: JsonSchema): void {
  const properties = { ...record(fitted.properties), ...record(part.properties) }
  const required = [...new Set([...strings(fitted.required), ...strings(part.required)])]
  Object.assign(fitted, { ...part, ...fitted })
  if (Object.keys(properties).length > 0) Object.assign(fitted, { properties, type: 'object' })
  if (required.length > 0) fitted.required = required
}

function firstChoice(schema: JsonSchema, walk: Walk, depth: number): JsonSchema {
  const choices = [...list(schema.anyOf), ...list(schema.oneOf), ...list(schema.allOf)]
  const chosen = choices.find((one) => record(one).type !== 'null')
  return chosen ? fitPart(chosen, walk, depth + 1).schema : {}
}

function fitProperties(
  fitted: JsonSchema,
  schema: JsonSchema,
  names: NameTree,
  walk: Walk,
  depth: number,
): void {
  fitted.type ??= 'object'
  const properties: Record<string, JsonSchema> = {}
  for (const [name, value] of Object.entries(record(schema.properties))) {
    const inner = fitPart(value === true ? {} : value, walk, depth + 1)
    const fitting = fitName(name, properties)
    if (fitting !== name) {
      names.renamed.set(name, fitting)
      inner.schema.description ??= name
    }
    if (hasNames(inner.names)) names.properties.set(name, inner.names)
    properties[fitting] = inner.schema
  }
  const required = strings(schema.required).map((name) => names.renamed.get(name) ?? name)
  const known = [...new Set(required)].filter((name) => name in properties)
  fitted.properties = properties
  if (known.length > 0) fitted.required = known
  const more = schema.additionalProperties
  if (walk.rules.isGoogle || walk.rules.isPlain) return
  if (typeof more === 'boolean') fitted.additionalProperties = more
  else if (typeof more === 'object' && more !== null)
    fitted.additionalProperties = fitPart(more, walk, depth + 1).schema
}

/** Gives every list `items`. A tuple becomes a list of any of its members. */
function fitItems(fitted: JsonSchema, schema: JsonSchema, walk: Walk, depth: number): FittedSchema {
  const tuple = Array.isArray(schema.items) ? schema.items : schema.prefixItems
  if (!Array.isArray(tuple)) {
    const items = schema.items
    if (typeof items === 'object' && items !== null) return fitPart(items, walk, depth + 1)
    return fitPart(walk.rules.isGoogle || walk.rules.isPlain ? { type: 'string' } : {}, walk, depth + 1)
  }
  const members = tuple.map((one) => fitPart(one, walk, depth + 1).schema)
  const told = members
    .map((one, at) => `${at + 1}. ${String(one.description ?? one.title ?? one.type ?? 'any')}`)
    .join(', ')
  fitted.description = [fitted.description, `In this order: ${told}.`].filter(Boolean).join(' ')
  const kinds = [...new Map(members.map((one) => [JSON.stringify(one), one])).values()]
  const [first = {}] = kinds
  const schemaOf = kinds.length <= 1 || walk.rules.isPlain ? first : { anyOf: kinds }
  return { schema: schemaOf, names: noNames() }
}

/** Returns a unique name that the strictest provider accepts. */
function fitName(name: string, others: Record<string, unknown>): string {
  if (KEY.test(name) && !Object.hasOwn(others, name)) return name
  const plain =
    name
      .normalize('NFKD')
      .replaceAll(/[^a-zA-Z0-9_.-]+/g, '_')
      .slice(0, 60) || 'property'
  let fitting = plain
  for (let count = 2; Object.hasOwn(others, fitting); count++) fitting = `${plain}_${count}`
  return fitting
}
