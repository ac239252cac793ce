import type { JsonSchema } from '../../../models/models/port.ts'
import { isRecord } from '../schemas.ts'
import { type Description, follow } from './description.ts'

/** Maximum parts of one schema after resolving references. */
const MAX_PARTS = 1_500

/**
 * Returns a schema with its references resolved up to a depth, because schemas may be recursive and a model reads all of
 * it. Deeper parts accept anything.
 */
export function resolveSchema(description: Description, schema: unknown, depth: number): JsonSchema {
  let parts = 0
  const resolve = (part: unknown, left: number): JsonSchema => {
    parts += 1
    if (left < 0 || parts > MAX_PARTS) return {}
    const found = follow(description, part)
    if (!isRecord(found)) return {}
    const own = { ...found }
    for (const name of ['items', 'additionalProperties'])
      if (isRecord(own[name])) own[name] = resolve(own[name], left - 1)
    for (const name of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
      if (Array.isArray(own[name])) own[name] = own[name].map((one) => resolve(one, left - 1))
    if (isRecord(own.properties)) own.properties = resolveProperties(own.properties, left)
    return joinAll(own)
  }
  const resolveProperties = (properties: Record<string, unknown>, left: number) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([, property]) => !isReadOnly(description, property))
        .map(([name, property]) => [name, resolve(property, left - 1)]),
    )
  return resolve(schema, depth)
}

/** Returns whether a property occurs only in answers. */
function isReadOnly(description: Description, property: unknown): boolean {
  const found = follow(description, property)
  return isRecord(found) && found.readOnly === true
}

/** Merges `allOf` of objects into one object, for people and models. */
function joinAll(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf)) return schema
  const parts = allOf.filter(isRecord)
  if (parts.length === 1 && Object.keys(own).every((name) => name === 'description' || name === 'nullable'))
    return { ...parts[0], ...own }
  if (!parts.every((part) => isRecord(part.properties) && !part.anyOf && !part.oneOf)) return schema
  const all = [...parts, own]
  return {
    ...own,
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})),
    required: [...new Set(all.flatMap(({ required }) => (Array.isArray(required) ? required : [])))],
  }
}
