import * as z from 'zod'
import { bounds } from '../bounds.ts'

/** An omitted tool: without a usable name, with inputs that are not an object, too large, or beyond the maximum. */
export type RefusedTool = { name: string; why: 'name' | 'inputs' | 'large' | 'many' }

type Fields = Record<string, unknown>

const words = z.optional(z.string().catch(''))
const flag = z.optional(z.boolean()).catch(undefined)
const Hints = z
  .optional(
    z.object({
      title: words,
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    }),
  )
  .catch(undefined)
const Meta = z
  .optional(z.object({ ui: z.optional(z.unknown()), 'ui/resourceUri': z.optional(z.unknown()) }))
  .catch(undefined)

/** Returns a tool reduced to the parts in use, or the reason to omit it. Invalid parts are repaired or dropped. */
export function tidyTool(entry: unknown): { tool: Fields } | { refused: RefusedTool } {
  const { name, title, description, inputSchema, annotations, _meta } = Object(entry) as Fields
  if (typeof name !== 'string' || name.trim() === '' || name.length > bounds.name)
    return { refused: { name: nameOf(entry), why: 'name' } }
  const schema = tidyInputs(inputSchema)
  if (schema === null) return { refused: { name, why: 'inputs' } }
  const hints = Hints.parse(annotations)
  const meta = Meta.parse(_meta)
  if (sizeOf(schema) > bounds.schema || sizeOf(meta) > bounds.description)
    return { refused: { name, why: 'large' } }
  const tool = {
    ...{ name, inputSchema: schema },
    ...(typeof title === 'string' && { title: cutTo(title, bounds.description) }),
    ...(typeof description === 'string' && { description: cutTo(description, bounds.description) }),
    ...(hints && { annotations: hints }),
    ...(meta && { _meta: meta }),
  }
  return { tool }
}

/** Returns the displayable name of an entry; an empty text if there is none. */
export function nameOf(entry: unknown): string {
  const { name } = Object(entry) as Fields
  return typeof name === 'string' ? cutTo(name, bounds.name) : ''
}

/**
 * Returns an input schema the SDK accepts, since it refuses a whole list for one invalid schema. A missing schema means no
 * inputs, and one without a type describes an object. Null if the schema describes anything else.
 */
function tidyInputs(schema: unknown): Fields | null {
  if (schema === undefined || schema === null) return { type: 'object', properties: {} }
  if (!isFields(schema)) return schema === true ? { type: 'object', properties: {} } : null
  const { type, properties, required, $schema, ...rest } = schema
  const types = Array.isArray(type) ? type : [type ?? 'object']
  if (!types.includes('object')) return null
  return {
    ...rest,
    type: 'object',
    ...(typeof $schema === 'string' && { $schema }),
    ...(isFields(properties) && { properties: tidyProperties(properties) }),
    ...(Array.isArray(required) && { required: required.filter((one) => typeof one === 'string') }),
  }
}

/** Returns the inputs by name. An input without a usable schema accepts any value. */
const tidyProperties = (properties: Fields): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      isFields(one) || typeof one === 'boolean' ? one : {},
    ]),
  )

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** Bounds the work on long texts, which the listing cuts further. */
const cutTo = (text: string, most: number): string => text.slice(0, most).toWellFormed()
