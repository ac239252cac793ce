import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, record, text } from '../../platform/primitives.ts'
import { InputRequiredBlock, ToolEvent, ToolStatus } from '../../runs/runs/blocks.ts'
import { RemoteUi, UploadedUi } from '../tool-interfaces/tool-interfaces.ts'
import { ToolPolicy } from './policy.ts'
import { ServerClaim, ServerNews } from './server-claim.ts'
import { MissingPart, ToolPrice } from './tool-facts.ts'

/** Where a tool's interface comes from: a card of this product, an ES module checked by its hash, or the tool's MCP server. */
export const UiLocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('internal'), name: z.string() }),
  RemoteUi,
  UploadedUi,
  z.object({ kind: z.literal('app'), uri: z.string() }),
])

/** One input of a tool, as JSON Schema. */
export const ToolProperty = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  description: z.optional(z.string()),
  default: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  maxLength: z.optional(z.number()),
})
export type ToolProperty = z.infer<typeof ToolProperty>

/** Where a tool comes from: this product, an API that was described to it, or an MCP server. */
export const ToolKind = z.enum(['built_in', 'api', 'mcp'])
export type ToolKind = z.infer<typeof ToolKind>

export const Tool = z.object({
  id: z.string(),
  kind: ToolKind,
  /** What models call it. */
  name: z.string(),
  ui_name: z.string(),
  description: z.string(),
  /** The name of an icon of the set; null: chosen by words of the name. */
  icon: z.nullable(z.string()),
  ui_location: z.nullable(UiLocation),
  input_schema: z.looseObject({
    properties: z.record(z.string(), ToolProperty),
    required: z.optional(z.array(z.string())),
  }),
  example_responses: z.array(z.object({ outputs: z.unknown() })),
  /** False: an interrupted call asks before it is made again. */
  repeatable: z.boolean(),
  limit_seconds: z.number(),
  price: ToolPrice,
  /** What must be there before it can be used; empty when all is. */
  missing: z.array(MissingPart),
  policy: ToolPolicy,
  /** Made by the caller, who alone changes it. */
  own: z.boolean(),
  /** Grows with every change of a tool somebody made; null for those of the product. */
  version: z.nullable(z.int()),
  /** Of a tool of an MCP server: what the server claims about its effects, and why it waits for a new decision. */
  said: z.nullable(z.object({ claim: ServerClaim, news: z.nullable(ServerNews) })),
  /** The caller may let it run without asking. */
  may_allow: z.boolean(),
  /** Where each person connects an account of their own before it runs; null where nobody has to. */
  account: z.nullable(z.object({ set_id: Id, service: z.string() })),
})
export type Tool = z.infer<typeof Tool>

const ToolParams = z.object({ toolId: text(1, 100) })

export const listTools = route({
  method: 'GET',
  path: '/tools',
  access: 'user',
  summary:
    'The tools the caller may use: those of the product, own ones newest first, then those others share',
  pages: 1_000,
  answer: z.array(Tool),
})

export const getTool = route({
  method: 'GET',
  path: '/tools/:toolId',
  access: 'user',
  may: 'read tool',
  summary: 'One tool',
  params: ToolParams,
  answer: Tool,
})

/** Starts a tool for a person beside their chats; its events follow on the session's stream. */
export const executeTool = route({
  method: 'POST',
  path: '/tools/:toolId/execute',
  access: 'user',
  fails: ['not_available', 'quota_exceeded'],
  may: 'read tool',
  summary: 'Execute a tool',
  status: 202,
  params: ToolParams,
  body: z.object({
    inputs: z._default(record(200, z.unknown()), {}),
    session_id: z.nullish(Id),
    /** The tool whose interface asks for it: the policy of the called tool decides, as with a model. */
    interface_of: z.optional(text(1, 100)),
  }),
  answer: z.object({ tool_execution_id: Id, status: ToolStatus }),
})

export const ToolExecution = z.object({
  id: Id,
  tool_id: z.string(),
  run_id: Id,
  session_id: z.nullable(Id),
  status: ToolStatus,
  input: z.unknown(),
  result: z.unknown(),
  error: z.nullable(z.string()),
  events: z.array(ToolEvent),
  /** What it waits for a person with, or null. */
  request: z.nullable(InputRequiredBlock),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type ToolExecution = z.infer<typeof ToolExecution>

export const getToolExecution = route({
  method: 'GET',
  path: '/tool-executions/:executionId',
  access: 'user',
  visitors: true,
  scope: 'chats',
  may: 'read execution',
  summary: 'One execution of a tool, as far as it is',
  params: z.object({ executionId: Id }),
  answer: ToolExecution,
})

export const deleteToolExecution = route({
  method: 'DELETE',
  path: '/tool-executions/:executionId',
  access: 'user',
  fails: ['conflict'],
  may: 'manage execution',
  summary: 'Deletes an execution beside the chats with all it keeps; one that goes on is ended first',
  params: z.object({ executionId: Id }),
  answer: Notice,
})

/** An execution in a list; long texts of its input are cut. */
export const PastExecution = z.object({
  id: Id,
  tool_id: z.string(),
  /** The chat it was made in; null when it was tried on its own. */
  session_id: z.nullable(Id),
  session_title: z.nullable(z.string()),
  status: ToolStatus,
  /** It is complete, and its result says why not everything was done (`error`). */
  gave_up: z.boolean(),
  /** It waits for a person. */
  waits: z.boolean(),
  input: z.unknown(),
  error: z.nullable(z.string()),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
  /** Milliseconds it took, without those in which its run waited for a person; null while it goes on. */
  worked_ms: z.nullable(z.number()),
})
export type PastExecution = z.infer<typeof PastExecution>

export const listToolExecutions = route({
  method: 'GET',
  path: '/tool-executions',
  access: 'user',
  summary: 'What the caller executed of a tool, newest first',
  query: z.object({
    tool_id: text(1, 100),
    /** Goes on after this execution. */
    before: z.optional(Id),
    limit: queryInt({ min: 1, max: 100, fallback: 10 }),
  }),
  answer: z.object({ items: z.array(PastExecution), has_more: z.boolean() }),
})
