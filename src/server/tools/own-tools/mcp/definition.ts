import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { ServerClaim } from '#shared/tools/tools/server-claim.ts'
import type { JsonSchema } from '../../../models/models/port.ts'
import type { ListedTool } from '../../../platform/mcp/mcp.ts'
import { checkSchema } from '../schemas.ts'

/** What the tools of one server have in common. */
export const McpConnection = z.object({
  address: ServerAddress,
  /** Each person signs in with an account of their own. */
  oauth: z.optional(z.boolean()),
})
export type McpConnection = z.infer<typeof McpConnection>

/** A version of a tool as its server described it. */
export const McpDefinition = z.object({
  input_schema: z.record(z.string(), z.unknown()),
  /** What the server claims; definitions of earlier releases have none until the server is listed again. */
  claim: z._default(ServerClaim, 'silent'),
  repeats: z.boolean(),
  /** A hash of the whole description, to notice a change of what is not stored; earlier releases stored none. */
  mark: z.optional(z.string()),
  /** The address of its interface. */
  ui: z.nullable(z.string()),
})
export type McpDefinition = z.infer<typeof McpDefinition>

/** What is kept of a tool: its schema as far as it is understood, else that it takes anything. */
export function defineTool({ name, input_schema, claim, repeats, mark, ui }: ListedTool): McpDefinition {
  return { input_schema: keepSchema(name, input_schema), claim, repeats, mark, ui }
}

function keepSchema(name: string, schema: Record<string, unknown>): JsonSchema {
  try {
    return checkSchema(resolve(schema, schema, 0), name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { type: 'object', properties: {}, additionalProperties: {} }
  }
}

/** Nested so deep, definitions that name themselves end. */
const MOST_DEPTH = 10

/** A schema with the definitions it names in their places. */
function resolve(schema: unknown, root: Record<string, unknown>, depth: number): unknown {
  if (depth > MOST_DEPTH) return {}
  if (Array.isArray(schema)) return schema.slice(0, 1_000).map((one) => resolve(one, root, depth + 1))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, $defs: _named, definitions: _also, ...rest } = schema as Record<string, unknown>
  if (typeof $ref === 'string') {
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]{1,200})$/.exec($ref) ?? []
    return resolve({ ...Object(Object(root[place])[name]), ...rest }, root, depth + 1)
  }
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolve(one, root, depth + 1)]))
}
