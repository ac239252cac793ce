import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, text } from '../../platform/primitives.ts'

/** When a tool runs: on every call, after a person approves the call, or never. */
export const ToolPolicy = z.enum(['auto', 'ask', 'never'])
export type ToolPolicy = z.infer<typeof ToolPolicy>

/** The effective policy and who set it. */
export const EffectivePolicy = z.object({
  tool_id: z.string(),
  policy: ToolPolicy,
  source: z.enum(['user', 'assistant', 'company', 'tool']),
})
export type EffectivePolicy = z.infer<typeof EffectivePolicy>

const ToolParams = z.object({ toolId: text(1, 100) })

/** Without an assistant it sets the caller's own policy for all their chats. */
export const setToolPolicy = route({
  method: 'PUT',
  path: '/tools/:toolId/policy',
  access: 'user',
  may: 'read tool',
  fails: ['conflict'],
  summary: 'Decide when a tool runs: for yourself, or for an assistant of yours',
  params: ToolParams,
  body: z.object({
    policy: ToolPolicy,
    assistant_id: z.nullish(Id),
    /** Version of an own tool that the caller has seen; permission applies only to it. */
    tool_version: z.nullish(z.int()),
  }),
  answer: EffectivePolicy,
})

export const getToolPolicy = route({
  method: 'GET',
  path: '/tools/:toolId/policy',
  access: 'user',
  may: 'read tool',
  summary: 'When a tool runs for the caller, with an assistant or in general',
  params: ToolParams,
  query: z.object({ assistant_id: z.optional(Id) }),
  answer: EffectivePolicy,
})
