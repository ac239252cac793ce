import type { JsonSchema } from '../../port.ts'
import { type RefWalk, resolveRef } from './resolve-ref.ts'
import { list, record, strings, typesOf } from './schema-parts.ts'

/** Returns whether values of a schema are objects, according to the schema itself or one of its variants. */
export function isObjectLike(schema: JsonSchema, walk: RefWalk): boolean {
  const { schema: own, leave } = resolveRef(schema, walk)
  const variants = [...list(own.anyOf), ...list(own.oneOf), ...list(own.allOf)]
  const types = typesOf(own)
  const isLike =
    own.properties !== undefined ||
    types.includes('object') ||
    (types.length === 0 && variants.length === 0 && own.enum === undefined && own.const === undefined) ||
    variants.some((one) => isObjectLike(one, walk))
  leave()
  return isLike
}

/** Merges a choice at the top into one object with the properties of all variants, because providers refuse it there. */
export function mergeTop(schema: JsonSchema, walk: RefWalk): JsonSchema {
  const { anyOf, oneOf, allOf, not: _, if: __, then: ___, else: ____, ...rest } = schema
  const choices = [...list(anyOf), ...list(oneOf)].map((one) => mergeTop(resolveRef(one, walk).schema, walk))
  const parts = list(allOf).map((one) => mergeTop(resolveRef(one, walk).schema, walk))
  if (choices.length + parts.length === 0) return rest
  const objects = [...parts, ...choices].filter(
    (one) => one.properties !== undefined || one.type === 'object',
  )
  const properties: Record<string, unknown> = { ...record(rest.properties) }
  for (const one of objects)
    for (const [name, value] of Object.entries(record(one.properties)))
      properties[name] = either(properties[name], value)
  const always = [...strings(rest.required), ...parts.flatMap((one) => strings(one.required))]
  const inAll =
    choices.length === 0
      ? []
      : strings(choices[0]?.required).filter((name) =>
          choices.every((one) => strings(one.required).includes(name)),
        )
  const told = describeChoices(choices)
  const description = [rest.description, told].filter(Boolean).join(' ')
  return {
    ...rest,
    ...(description && { description }),
    ...{ type: 'object', properties, required: [...new Set([...always, ...inAll])] },
  }
}

function describeChoices(choices: JsonSchema[]): string {
  const needed = choices.map((one) => strings(one.required).join(', ')).filter(Boolean)
  return needed.length > 1 ? `Give one of: ${[...new Set(needed)].join('; or ')}.` : ''
}

function either(before: unknown, value: unknown): unknown {
  if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return value
  return { anyOf: [before, value] }
}
