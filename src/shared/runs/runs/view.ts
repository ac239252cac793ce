import * as z from 'zod/mini'
import { Block } from './blocks.ts'
import { RunUsage } from './usage.ts'

/** A step that has not started. */
export const PlannedStep = z.object({ number: z.int(), description: z.string() })
export type PlannedStep = z.infer<typeof PlannedStep>

/** The assistant of a reply, with its name at the time. */
export const WrittenBy = z.object({ id: z.string(), name: z.string() })
export type WrittenBy = z.infer<typeof WrittenBy>

/** Reason for a delayed run: no process of the installation executes runs. */
export const Delay = z.enum(['no_worker'])

/** Per-minute limit on requests or tokens that an administrator set for a model's connection. */
const MinuteLimit = z.object({ of: z.enum(['requests', 'tokens']), per_minute: z.int() })

/**
 * Reason why the model has not begun to answer: a limit, calls of others at a connection that takes one at a time, or a server that has
 * said nothing yet.
 */
export const Waiting = z.union([
  MinuteLimit,
  z.object({ of: z.literal('turn'), ahead: z.int() }),
  z.object({ of: z.literal('model') }),
])
export type Waiting = z.infer<typeof Waiting>

/**
 * A message folded from its run's events: the browser draws it, the server stores it at the end,
 * and late readers receive it. `content` joins the text of all text blocks in order.
 */
export const RunView = z.object({
  run_id: z.string(),
  session_id: z.string(),
  message_id: z.string(),
  user_message_id: z.string(),
  agent_type: z.string(),
  model_name: z.nullable(z.string()),
  assistant: z.optional(WrittenBy),
  status: z.enum(['streaming', 'waiting', 'paused', 'completed', 'error']),
  stopped: z.boolean(),
  content: z.string(),
  blocks: z.array(Block),
  progress: z.nullable(
    z.object({ progress: z.number(), step_name: z.string(), planned: z.optional(z.array(PlannedStep)) }),
  ),
  delay: z.optional(Delay),
  /** The text is that of a lost attempt. A `task_stream_init` replaces it as soon as the run continues. */
  is_interrupted: z.optional(z.literal(true)),
  waiting: z.optional(Waiting),
  /** Set when the run is over. */
  usage: z.optional(RunUsage),
})
export type RunView = z.infer<typeof RunView>
