import * as z from 'zod/mini'
import { text } from '../../platform/primitives.ts'

const MAX_ARGUMENTS = 2_000_000

/** A call of a client's tool, in an answer and in the request that returns its result. */
export const ToolCall = z.object({
  id: text(1, 200),
  type: z.literal('function'),
  function: z.object({ name: text(1, 200), arguments: text(0, MAX_ARGUMENTS) }),
})
export type ToolCall = z.infer<typeof ToolCall>
