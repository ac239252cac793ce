import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, queryInt, record, text } from '../../platform/primitives.ts'
import { InputRequiredBlock, ToolEvent, ToolStatus } from '../../runs/runs/blocks.ts'
import { RemoteUi, UploadedUi } from '../tool-interfaces/tool-interfaces.ts'
import { ToolPolicy } from './policy.ts'
import { ServerClaim, ServerNews } from './server-claim.ts'
import { MissingPart, ToolPrice } from './tool-facts.ts'

/** Source of a tool's interface: a card of the product, an ES module checked by its hash, or the tool's MCP server. */
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

/** Origin of a tool: built in, an API from its description, or an MCP server. */
export const ToolKind = z.enum(['built_in', 'api', 'mcp'])
export type ToolKind = z.infer<typeof ToolKind>

export const Tool = z.object({
  id: z.string(),
  kind: ToolKind,
  /** Name for models. */
  name: z.string(),
  ui_name: z.string(),
  description: z.string(),
  /** Name of an icon in the icon set; null: chosen from the words of the name. */
  icon: z.nullable(z.string()),
  ui_location: z.nullable(UiLocation),
  input_schema: z.looseObject({
    properties: z.record(z.string(), ToolProperty),
    required: z.optional(z.array(z.string())),
  }),
  example_responses: z.array(z.object({ outputs: z.unknown() })),
  /** False when an interrupted call asks before it runs again. */
  repeatable: z.boolean(),
  limit_seconds: z.number(),
  price: ToolPrice,
  /** Unmet requirements; empty when it can be used. */
  missing: z.array(MissingPart),
  policy: ToolPolicy,
  /** True when the caller made it; only they can change it. */
  own: z.boolean(),
  /** Person who shared it with the caller; null for own and built-in tools. */
  shared_by: z.nullable(z.string()),
  /** Incremented with every change of an own tool; null for built-in tools. */
  version: z.nullable(z.int()),
  /** MCP tools only: the server's claim about its effects, and the reason it waits for a decision. */
  said: z.nullable(z.object({ claim: ServerClaim, news: z.nullable(ServerNews) })),
  /** True when the caller may let it run without asking. */
  may_allow: z.boolean(),
  /** Service at which each person connects their own account first; null when none is needed. */
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

/** Starts a standalone run of a tool; its events follow on the session's stream. */
export const executeTool = route({
  method: 'POST',
  path: '/tools/:toolId/execute',
  afterTerms: true,
  access: 'user',
  fails: ['not_available', 'quota_exceeded'],
  may: 'read tool',
  summary: 'Execute a tool',
  status: 202,
  params: ToolParams,
  body: z.object({
    inputs: z._default(record(200, z.unknown()), {}),
    session_id: z.nullish(Id),
    /** Tool whose interface requests the call; the policy of the called tool applies, as for a model. */
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
  /** The open request to a person, or null. */
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
  fails: ['conflict', 'held'],
  may: 'manage execution',
  summary: 'Deletes an execution beside the chats with all it keeps; one that goes on is ended first',
  params: z.object({ executionId: Id }),
  answer: Notice,
})

/** An execution in a list; long input texts are cut. */
export const PastExecution = z.object({
  id: Id,
  tool_id: z.string(),
  /** Chat of the execution; null for a standalone trial. */
  session_id: z.nullable(Id),
  session_title: z.nullable(z.string()),
  status: ToolStatus,
  /** True when it completed but its result explains why not everything was done (`error`). */
  gave_up: z.boolean(),
  /** True while it waits for a person. */
  waits: z.boolean(),
  input: z.unknown(),
  error: z.nullable(z.string()),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
  /** Milliseconds of work, without waiting for a person; null while it is running. */
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
    /** Returns executions before this one. */
    before: z.optional(Id),
    limit: queryInt({ min: 1, max: 100, fallback: 10 }),
  }),
  answer: z.object({ items: z.array(PastExecution), has_more: z.boolean() }),
})
