import { AppError } from '#shared/platform/errors.ts'
import { BodyMedia, type HttpInput } from '#shared/tools/own-tools/http-call.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import { isRecord } from '../schemas.ts'
import { type Description, follow, textIn } from './description.ts'
import { resolveSchema } from './resolve-schema.ts'
import { schemaFor } from './schema-for.ts'

type BodyInputs = { inputs: HttpInput[]; media?: BodyMedia }

/** Maximum body fields that become separate inputs; a larger body is a single input. */
const MAX_FIELDS = 40

/** Returns the inputs for the body of an operation. @throws AppError `invalid` for an unsupported body type */
export function readBodyInputs(description: Description, part: unknown): BodyInputs {
  const body = follow(description, part)
  if (!isRecord(body) || !isRecord(body.content)) return { inputs: [] }
  const { content } = body
  const types = Object.keys(content)
  const media = BodyMedia.options.find((known) =>
    types.some((type) => type.split(';')[0]?.trim().toLowerCase() === known),
  )
  if (!media) {
    if (types.length === 0) return { inputs: [] }
    throw new AppError('invalid', `it takes a body of the type ${types[0]?.slice(0, 50)}`)
  }
  const type = types.find((one) => one.toLowerCase().startsWith(media)) ?? media
  const entry = follow(description, content[type])
  const schema = isRecord(entry) ? entry.schema : undefined
  const required = body.required === true
  const fields = media === 'text/plain' ? null : readFields(description, schema, media)
  if (!fields && media !== 'application/json' && media !== 'text/plain')
    throw new AppError('invalid', `its ${media} body has no fields`)
  const words = textIn(body.description, 1_000)
  return {
    media,
    inputs: fields
      ? toInputs(description, fields, media, required)
      : [wholeBody(description, schema, words, required)],
  }
}

type Fields = { properties: Record<string, unknown>; required: unknown[] }

/** Returns the fields of an object; null if it is not an object, or a JSON one with too many fields. */
function readFields(description: Description, schema: unknown, media: BodyMedia): Fields | null {
  const { properties, required, anyOf, oneOf, allOf, type } = resolveSchema(description, schema, 1)
  if (!isRecord(properties) || anyOf || oneOf || allOf || (type !== undefined && type !== 'object'))
    return null
  const count = Object.keys(properties).length
  if (count === 0 || (count > MAX_FIELDS && media === 'application/json')) return null
  // Each is expanded as deeply as its own limit allows.
  return {
    properties: ownProperties(description, schema) ?? properties,
    required: Array.isArray(required) ? required : [],
  }
}

/** Returns the properties as written in the description; null if they are merged from several parts. */
function ownProperties(description: Description, schema: unknown): Record<string, unknown> | null {
  const found = follow(description, schema)
  if (!isRecord(found) || found.allOf || !isRecord(found.properties)) return null
  return Object.fromEntries(
    Object.entries(found.properties).filter(([, property]) => {
      const one = follow(description, property)
      return !(isRecord(one) && one.readOnly === true)
    }),
  )
}

function toInputs(
  description: Description,
  { properties, required }: Fields,
  media: BodyMedia,
  isRequired: boolean,
): HttpInput[] {
  return Object.entries(properties).map(([key, property]) => {
    const schema = schemaFor(description, property, key)
    const file = media === 'multipart/form-data' && isFile(schema)
    return {
      ...{ name: key, key: key.slice(0, 200), place: 'body' as const },
      required: isRequired && required.includes(key),
      description: textIn(schema.description, 1_000),
      schema: file ? fileSchema : schema,
      ...(file && { file }),
    }
  })
}

/** Returns whether a schema describes bytes, in the notation of OpenAPI 3.0 and 3.1. */
function isFile({ type, format, contentMediaType, contentEncoding }: JsonSchema): boolean {
  if (format === 'binary') return true
  return type !== 'object' && contentMediaType !== undefined && contentEncoding === undefined
}

/** Schema of a file given by a model. */
const fileSchema: JsonSchema = {
  type: 'object',
  properties: {
    filename: { type: 'string', description: 'The name of the file' },
    content: { type: 'string', description: 'The text of the file' },
  },
  required: ['content'],
}

function wholeBody(description: Description, schema: unknown, words: string, required: boolean): HttpInput {
  const name = 'body'
  return {
    ...{ name, place: 'body', required, whole: true, description: words },
    schema: schemaFor(description, schema, name),
  }
}
