import fc from 'fast-check'
import type { Schema } from './routes.ts'

/** Possible values of a field with this name in addition to its schema: names of existing rows. */
export type Known = (name: string) => readonly unknown[]

/** Generates values that match a schema, as far as JSON Schema describes them. Fields that name rows mostly name real ones. */
export function fitting(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const rows = known(name)
  const plain = fittingSchema(schema, known, name)
  if (rows.length === 0) return plain
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...rows) }, { weight: 1, arbitrary: plain })
}

function fittingSchema(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((one) => fitting(one, known, name)))
  if (schema.allOf) return fc.tuple(...schema.allOf.map((one) => fitting(one, known, name))).map(merge)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return fittingText(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: bounded(schema.minimum, -1000), max: bounded(schema.maximum, 1000) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const [minLength, maxLength] = [schema.minItems ?? 0, Math.min(schema.maxItems ?? 4, 6)]
      return fc.array(fitting(schema.items ?? {}, known, name), { minLength, maxLength })
    }
    case 'object':
      return fittingObject(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

function fittingText({ format, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.uuid().map((id) => `${id}@example.com`)
  if (format === 'uri')
    return fc.constantFrom('http://127.0.0.1:9/v1', 'http://localhost:9/', 'https://[::1]:9/x')
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
}

function fittingObject(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, fitting(one, known, name)]),
  )
  const record = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  if (typeof additionalProperties !== 'object') return record
  const more = fc.dictionary(fc.string({ maxLength: 20 }), fitting(additionalProperties, known), {
    maxKeys: 3,
  })
  return fc.tuple(more, record).map(merge)
}

const merge = (parts: unknown[]) => Object.assign({}, ...(parts as object[]))
const bounded = (given: number | undefined, fallback: number) =>
  Math.max(-1e6, Math.min(1e6, given ?? fallback))

/** Placeholders for lists and objects nested too deeply to be built as values. */
const DEEP_LIST = '@@lists'
const DEEP_OBJECT = '@@objects'

/** Returns a value as JSON text, with its placeholders replaced. */
export function writeJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null')
    .replaceAll(`"${DEEP_LIST}"`, '['.repeat(5_000) + ']'.repeat(5_000))
    .replaceAll(`"${DEEP_OBJECT}"`, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
}

/** Values that no schema expects. */
export const hostile: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1e308,
    -1e308,
    2 ** 53,
    1.5,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff x',
    '\u202e',
    '😀',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '../../etc/passwd',
    '%00',
    "x' or 1=1--",
  ],
  ...[
    '<script>',
    'atrium/offline',
    'Infinity',
    '1e999',
    '0x10',
    '[]',
    '{"a":1}',
    'undefined',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[[], {}, [[]], [null], { toString: 1 }, { valueOf: null, toString: null }, { length: 1e9 }],
  ...[
    JSON.parse('{"__proto__":{"admin":true}}'),
    { constructor: { prototype: { admin: true } } },
    { toJSON: 1 },
  ],
  ...[{ id: { toString: 1 } }, { $ne: null }, { 'a\0': 1 }, { '': 1 }, { '\ud800': 1 }],
  ...[
    'x'.repeat(101),
    'x'.repeat(201),
    'x'.repeat(1_001),
    'é'.repeat(10_001),
    ' '.repeat(20_000),
    '\n'.repeat(20_000),
  ],
  DEEP_LIST,
  DEEP_OBJECT,
  Array(3_000).fill(0),
  Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, n])),
]

const odd = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.jsonValue(),
)
const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'id',
  'user_id',
  'role',
  '',
  '\0',
  'a.b',
  '0',
)

type Change = {
  at: number
  how: 'replace' | 'remove' | 'add' | 'wrap' | 'double'
  value: unknown
  name: string
}
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 1_000 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'double'),
  value: odd,
  name: oddName,
})

/** Generates a valid value with one to three places made invalid. */
export function nearly(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  return fc.tuple(values, changes).map(([value, all]) => all.reduce(applyChange, value))
}

/** Odd texts for addresses. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostile.filter((one): one is string => typeof one === 'string' && one.length < 1_100)),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number }

function applyChange(given: unknown, { at, how, value, name }: Change): unknown {
  const root = { value: structuredClone(given) }
  const places = placesOf(root)
  const { holder, key } = places[at % places.length] as Place
  const slots = holder as Record<string | number, unknown>
  const inner = slots[key]
  if (how === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (how === 'remove' && places.length > 1) delete slots[key]
  else if (how === 'wrap') slots[key] = at % 2 ? [inner] : { value: inner }
  else if (how === 'double' && Array.isArray(inner)) inner.push(...inner)
  else if (how === 'add' && typeof inner === 'object' && inner !== null && !Array.isArray(inner))
    Object.defineProperty(inner, name, { value, enumerable: true, configurable: true, writable: true })
  else slots[key] = value
  return root.value
}

/** Returns every place of a value, itself first; only the first ones of a large value. */
function placesOf(root: { value: unknown }): Place[] {
  const places: Place[] = []
  const visit = (holder: Place['holder']) => {
    for (const key of Object.keys(holder)) {
      if (places.length > 200) return
      places.push({ holder, key })
      const inner = (holder as Record<string, unknown>)[key]
      if (typeof inner === 'object' && inner !== null) visit(inner as Place['holder'])
    }
  }
  visit(root)
  return places
}
