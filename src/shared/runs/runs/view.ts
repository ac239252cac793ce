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

/** Place in the queue of a model that answers one request at a time: the number of requests before this one. */
const QueuePlace = z.object({ of: z.literal('queue'), place: z.int() })

/** Reason for which a model call waits. */
export const ModelWait = z.union([MinuteLimit, QueuePlace])

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
  /** Reason for which the model call waits. */
  waiting: z.optional(ModelWait),
  /** Set when the run is over. */
  usage: z.optional(RunUsage),
})
export type RunView = z.infer<typeof RunView>
