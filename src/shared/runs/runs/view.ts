import * as z from 'zod/mini'
import { Block } from './blocks.ts'
import { RunUsage } from './usage.ts'

/** A step that has not begun. */
export const PlannedStep = z.object({ number: z.int(), description: z.string() })
export type PlannedStep = z.infer<typeof PlannedStep>

/** The assistant that writes a reply, as it was called then. */
export const WrittenBy = z.object({ id: z.string(), name: z.string() })
export type WrittenBy = z.infer<typeof WrittenBy>

/** Why a run that could go on does not: no process of the installation executes runs. */
export const Delay = z.enum(['no_worker'])

/** So many requests or tokens a minute an administrator lets the connection of a model take. */
export const MinuteLimit = z.object({ of: z.enum(['requests', 'tokens']), per_minute: z.int() })

/**
 * A message as a fold of its run's events: what the browser draws, what the server stores at the end,
 * and what a reader who joins late is given. `content` is the text of all text blocks in order.
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
  /** The limit that is waited for before the model is asked. */
  waiting: z.optional(MinuteLimit),
  /** Once it is over. */
  usage: z.optional(RunUsage),
})
export type RunView = z.infer<typeof RunView>
