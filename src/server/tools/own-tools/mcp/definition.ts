import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { DEFAULT_LIMIT_SECONDS, ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { ServerClaim } from '#shared/tools/tools/server-claim.ts'
import { type RefWalk, resolveRef } from '../../../models/models/adapting/tool-schemas/resolve-ref.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import type { ListedTool } from '../../../platform/mcp/mcp.ts'
import { checkSchema } from '../schemas.ts'
import { headerInputs } from './header-inputs.ts'

/** The settings shared by the tools of one server. */
export const McpConnection = z.object({
  address: ServerAddress,
  /** Whether each person signs in with their own account. */
  oauth: z.optional(z.boolean()),
  /** Time limit of a call in seconds, excluding the time it waits for a person. */
  limit_seconds: z._default(z.int(), DEFAULT_LIMIT_SECONDS),
})
export type McpConnection = z.infer<typeof McpConnection>

/** A version of a tool as described by its server. */
export const McpDefinition = z.object({
  input_schema: z.record(z.string(), z.unknown()),
  /** The server's claim. Definitions of earlier releases have none until the server is listed again. */
  claim: z._default(ServerClaim, 'silent'),
  repeats: z.boolean(),
  /** Hash of the whole description, to detect changes in parts that are not stored. Earlier releases stored none. */
  mark: z.optional(z.string()),
  /** Address of its interface. */
  ui: z.nullable(z.string()),
  /** Schema of the inputs that are also sent as headers; absent if there are none. */
  headers: z.optional(z.record(z.string(), z.unknown())),
})
export type McpDefinition = z.infer<typeof McpDefinition>

/** Returns the definition to store for a tool. Its schema is reduced to the supported parts; if it has none, the tool accepts any input. */
export function defineTool({ name, input_schema, claim, repeats, mark, ui }: ListedTool): McpDefinition {
  const headers = headerInputs(input_schema)
  const kept = { input_schema: keepSchema(name, input_schema), claim, repeats, mark, ui }
  return headers ? { ...kept, headers } : kept
}

function keepSchema(name: string, schema: Record<string, unknown>): JsonSchema {
  const written = record(writeOut(schema, { root: schema, refs: new Map() }, 0))
  return tryCheck(written, name) ?? keepByProperty(written, name)
}

function tryCheck(schema: unknown, name: string): JsonSchema | null {
  try {
    return checkSchema(schema, name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
}

/** Reduces each property to its supported parts. An unsupported one accepts any value under its name. */
function keepByProperty(schema: Record<string, unknown>, name: string): JsonSchema {
  const properties = Object.entries(record(schema.properties)).map(([key, value]) => {
    const { description } = record(value)
    const plain = typeof description === 'string' ? { description } : {}
    return [key, tryCheck(value, `${name}.${key}`) ?? tryCheck(plain, name) ?? {}]
  })
  const required = Array.isArray(schema.required) ? { required: schema.required } : {}
  const whole = { type: 'object', ...required, properties: Object.fromEntries(properties) }
  return tryCheck(whole, name) ?? { type: 'object', properties: {}, additionalProperties: {} }
}

/** Deeper schemas are reduced to their type and description. */
const MAX_DEPTH = 12
const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const PARTS = new Set(['items', 'additionalProperties', 'not'])

/** Replaces references in a schema with their definitions. Values, such as those of an enumeration, are unchanged. */
function writeOut(schema: unknown, walk: RefWalk, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { schema: own, leave } = resolveRef(schema as JsonSchema, walk)
  const { type, description } = own
  const inner = (value: unknown) => writeOut(value, walk, depth + 1)
  const entries = Object.entries(own).map(([key, value]): [string, unknown] => {
    // A list of schemas is the older notation of a tuple.
    if (key === 'items' && Array.isArray(value)) return ['prefixItems', value.map(inner)]
    if (LISTS.has(key) && Array.isArray(value)) return [key, value.map(inner)]
    if (PARTS.has(key)) return [key, inner(value)]
    if (!MAPS.has(key)) return [key, value]
    return [key, Object.fromEntries(Object.entries(record(value)).map(([name, one]) => [name, inner(one)]))]
  })
  leave()
  return depth > MAX_DEPTH ? { type, description } : Object.fromEntries(entries)
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
