/** The subset of JSON schema that the description uses. */
export type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
} & { [bound in Bound]?: number }

type Bound = keyof typeof bounds
const bounds = {
  ...{ minLength: 1, minItems: 1, minimum: 1, exclusiveMinimum: 1 },
  ...{ maxLength: -1, maxItems: -1, maximum: -1, exclusiveMaximum: -1 },
}

/**
 * Returns where a value of `inner` would not fit `outer`, or null. A request must accept at least its earlier values, so its old
 * schema must fit the new one exactly. An answer must stay as it was, but may add one word to a list of words or one variant to
 * several.
 */
export function findOutside(inner: Schema, outer: Schema, of: 'question' | 'answer', at = ''): string | null {
  if (Object.keys(outer).length === 0 || JSON.stringify(inner) === JSON.stringify(outer)) return null
  const kinds = kindsOf(inner)
  if (kinds) return firstOf(kinds.map((kind) => () => outsideOne(kind, outer, of, at, kinds.length)))
  return outsideOne(inner, outer, of, at, 1)
}

function outsideOne(inner: Schema, outer: Schema, of: 'question' | 'answer', at: string, among: number) {
  const choices = kindsOf(outer)
  if (!choices) return outsidePlain(inner, outer, of, at)
  const found = choices.map((choice) => findOutside(inner, choice, of, at))
  if (found.includes(null)) return null
  const isOneMore =
    of === 'answer' && among > 1 && inner.type === 'object' && choices.filter(isObject).length > 1
  return isOneMore ? null : (found[0] ?? `${at}: nothing is taken`)
}

const isObject = ({ type }: Schema) => type === 'object'

function outsidePlain(inner: Schema, outer: Schema, of: 'question' | 'answer', at: string): string | null {
  if (outer.allOf) return firstOf(outer.allOf.map((part) => () => findOutside(inner, part, of, at)))
  const words = wordsOf(outer)
  const own = wordsOf(inner)
  if (words && !own) return `${at}: only some words are left`
  if (words && own && of === 'question' && !own.every((word) => words.includes(word)))
    return `${at}: a word is gone`
  const [type, outerType] = [typeOf(inner), typeOf(outer)]
  if (outerType && type !== outerType && !(type === 'integer' && outerType === 'number'))
    return `${at}: ${type ?? 'anything'} in place of ${outerType}`
  if (of === 'question') {
    for (const name of ['format', 'pattern'] as const)
      if (outer[name] && inner[name] !== outer[name]) return `${at}: another ${name}`
    for (const [name, sign] of Object.entries(bounds) as [Bound, number][])
      if (
        outer[name] !== undefined &&
        !((inner[name] ?? -sign * Number.POSITIVE_INFINITY) * sign >= outer[name] * sign)
      )
        return `${at}: ${name} is ${outer[name]}`
  }
  if (outer.items) return findOutside(inner.items ?? {}, outer.items, of, `${at}[]`)
  return outsideObject(inner, outer, of, at)
}

function outsideObject(inner: Schema, outer: Schema, of: 'question' | 'answer', at: string): string | null {
  const { properties = {}, required = [] } = outer
  const missing = required.find((name) => !inner.required?.includes(name))
  if (missing !== undefined)
    return `${at}.${missing}: ${of === 'answer' ? 'no longer always there' : 'must be sent'}`
  if (of === 'answer') {
    const gone = Object.keys(properties).find((name) => !(name in (inner.properties ?? {})))
    if (gone !== undefined) return `${at}.${gone}: gone`
  } else {
    const gone = Object.keys(inner.properties ?? {}).find((name) => !(name in properties))
    if (gone !== undefined && outer.type === 'object' && typeof outer.additionalProperties !== 'object')
      return `${at}.${gone}: no longer read`
  }
  const shared = Object.entries(properties).filter(([name]) => inner.properties?.[name])
  const more = typeof outer.additionalProperties === 'object' ? outer.additionalProperties : null
  return (
    firstOf(
      shared.map(
        ([name, one]) =>
          () =>
            findOutside(inner.properties![name]!, one, of, `${at}.${name}`),
      ),
    ) ??
    (more && typeof inner.additionalProperties === 'object'
      ? findOutside(inner.additionalProperties, more, of, `${at}.*`)
      : null)
  )
}

function kindsOf(schema: Schema): Schema[] | null {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap((one) => kindsOf(one) ?? [one])
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : null
}

const wordsOf = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum)

function typeOf(schema: Schema): string | undefined {
  const [word] = wordsOf(schema) ?? []
  return (
    (schema.type as string | undefined) ??
    (word === undefined ? undefined : word === null ? 'null' : typeof word)
  )
}

function firstOf(looks: (() => string | null)[]): string | null {
  for (const look of looks) {
    const found = look()
    if (found) return found
  }
  return null
}
