import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label, Notice, prose, queryInt, text } from '../../platform/primitives.ts'
import { ToolPolicy } from '../tools/policy.ts'
import { Tool } from '../tools/tools.ts'
import { HttpAuth, HttpCall, KeptSecret, SecretValues } from './http-call.ts'

/** Descriptive fields of every own tool. */
const words = {
  ui_name: label(1, 100),
  /** Tells a model when to use the tool. */
  description: prose(1, 4_000),
  /** Name of an icon in the icon set. */
  icon: z.nullable(text(0, 50)),
}

const fields = {
  ...words,
  /** Default policy; null: calls that change data ask. */
  policy: z.nullable(ToolPolicy),
  call: HttpCall,
  auth: HttpAuth,
  /** Companies whose members may use it; only their administrators can share with them. */
  companies: z.array(Id).check(z.maxLength(50)),
}

export const NewTool = z.object({
  ...words,
  icon: z.nullish(fields.icon),
  policy: z.nullish(ToolPolicy),
  call: HttpCall,
  auth: z.optional(HttpAuth),
  secrets: z.optional(SecretValues),
  companies: z.optional(fields.companies),
})
export type NewTool = z.infer<typeof NewTool>

/** Omitted fields stay unchanged; a named secret is replaced. */
export const ToolChanges = z.extend(z.partial(z.object(fields)), { secrets: z.optional(SecretValues) })
export type ToolChanges = z.infer<typeof ToolChanges>

/** A tool as its owner edits it. */
export const OwnTool = z.object({
  tool: Tool,
  /** The set it belongs to: an API with one or more tools, or an MCP server. `imported`: created from a description. */
  set: z.object({
    id: Id,
    name: z.string(),
    kind: z.enum(['api', 'mcp']),
    tools: z.int(),
    imported: z.boolean(),
  }),
  /** Null for tools that do not call an API. */
  call: z.nullable(HttpCall),
  auth: z.nullable(HttpAuth),
  /** The owner's decision; null for the default of its kind. */
  policy: z.nullable(ToolPolicy),
  secrets: z.array(KeptSecret),
  companies: z.array(Id),
})
export type OwnTool = z.infer<typeof OwnTool>

const Params = z.object({ toolId: text(1, 100) })

export const createTool = route({
  method: 'POST',
  path: '/tools',
  access: 'user',
  uses: 'feature own_tools',
  fails: ['not_found'],
  summary: 'Make a tool of an HTTP call',
  status: 201,
  body: NewTool,
  answer: Tool,
})

export const updateTool = route({
  method: 'PUT',
  path: '/tools/:toolId',
  alsoMethods: ['PATCH'],
  access: 'user',
  uses: 'feature own_tools',
  fails: ['conflict'],
  may: 'write tool',
  summary: 'Change a tool of one’s own; what is left out stays',
  params: Params,
  body: ToolChanges,
  answer: Tool,
})

export const deleteTool = route({
  method: 'DELETE',
  path: '/tools/:toolId',
  access: 'user',
  may: 'manage tool',
  summary: 'Delete a tool of one’s own',
  params: Params,
  answer: Notice,
})

/** Upper bound for version numbers, higher than any real one. */
const MAX_VERSIONS = 1_000_000

/** One version of a tool. */
export const ToolVersion = z.object({
  version: z.int(),
  ui_name: z.string(),
  description: z.string(),
  /** Null for tools that do not call an API. */
  call: z.nullable(HttpCall),
  created_at: z.string(),
  /** Names of the changed fields; empty for the first version. */
  changed: z.array(z.string()),
})
export type ToolVersion = z.infer<typeof ToolVersion>

export const listToolVersions = route({
  method: 'GET',
  path: '/tools/:toolId/versions',
  access: 'user',
  may: 'write tool',
  summary: 'The versions of a tool of one’s own, the newest first',
  params: Params,
  query: z.object({
    /** Returns versions older than this one. */
    before: queryInt({ min: 1, max: MAX_VERSIONS, fallback: MAX_VERSIONS }),
    limit: queryInt({ min: 1, max: 50, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(ToolVersion), has_more: z.boolean() }),
})

export const returnToVersion = route({
  method: 'POST',
  path: '/tools/:toolId/return',
  access: 'user',
  may: 'write tool',
  uses: 'feature own_tools',
  summary: 'Make a new version of a tool with the content of an earlier one',
  params: Params,
  body: z.object({ version: z.int().check(z.gte(1), z.lte(MAX_VERSIONS)) }),
  answer: Tool,
})

export const getToolDefinition = route({
  method: 'GET',
  path: '/tools/:toolId/definition',
  access: 'user',
  may: 'write tool',
  fails: ['invalid'],
  summary: 'A tool of one’s own with all it was made of, its secrets by name',
  params: Params,
  answer: OwnTool,
})
