import * as z from 'zod/mini'
import { Id } from '../../platform/primitives.ts'
import { AgentType } from './agent-type.ts'
import { Block } from './blocks.ts'

export const MessageRole = z.enum(['user', 'assistant'])

/** Message statuses of the server, with `animating_in` and `regenerating-below`, which only the client sets. */
export const MessageStatus = z.enum(['animating_in', 'streaming', 'completed', 'error', 'regenerating-below'])
export type MessageStatus = z.infer<typeof MessageStatus>

export const Message = z.object({
  id: Id,
  client_id: z.nullable(z.string()),
  chat_session_id: Id,
  parent_id: z.nullable(Id),
  role: MessageRole,
  /** `comparison`: several models wrote it. */
  agent_type: z.nullable(z.enum([...AgentType.options, 'comparison'])),
  model_name: z.nullable(z.string()),
  content: z.string(),
  blocks: z.array(Block),
  status: MessageStatus,
  is_modified: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
})
export type Message = z.infer<typeof Message>
