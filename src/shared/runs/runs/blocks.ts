import * as z from 'zod/mini'
import { Adaptation } from '../../models/connections/adaptations.ts'
import { UsedUpBudget } from '../../money/budgets/budgets.ts'
import { Doubt } from '../../platform/citations/doubts.ts'
import { requestDetails } from './request.ts'
import { Source } from './sources.ts'

/** Statuses a tool step goes through, in the words of the interface. */
export const ToolStatus = z.enum([
  'pending',
  'loading',
  'processing',
  'streaming',
  'complete',
  'failed',
  'error',
])
export type ToolStatus = z.infer<typeof ToolStatus>

export const ToolEvent = z.object({
  type: z.string(),
  phase: z.optional(z.string()),
  status: z.optional(z.string()),
  message: z.optional(z.string()),
  data: z.optional(z.record(z.string(), z.unknown())),
})
export type ToolEvent = z.infer<typeof ToolEvent>

/** The number of the step it happened in; absent outside of steps. */
const step = z.optional(z.int())

export const TextBlock = z.object({
  type: z.literal('text'),
  id: z.string(),
  text: z.string(),
  /** What it relies on; absent when nothing was named. */
  sources: z.optional(z.array(Source)),
  /** Sentences that its passages do not bear out; absent when there are none, or nothing was cited. */
  doubts: z.optional(z.array(Doubt)),
  /** The model reached its longest answer here. */
  is_cut: z.optional(z.boolean()),
  step,
})

export const ThinkingBlock = z.object({
  type: z.literal('thinking'),
  id: z.string(),
  text: z.string(),
  started_at: z.string(),
  last_at: z.string(),
  /** Milliseconds from the first to the last thought; null while it goes on. */
  duration_ms: z.nullable(z.number()),
  step,
})

export const StepBlock = z.object({
  type: z.literal('step'),
  id: z.string(),
  number: z.int(),
  description: z.string(),
  completed: z.boolean(),
  progress: z.nullable(z.number()),
  message: z.nullable(z.string()),
  single_step: z.boolean(),
  /** It came to nothing; `message` says why. */
  failed: z.optional(z.boolean()),
  /** Absent for steps of before times were noted. */
  started_at: z.optional(z.string()),
  /** Milliseconds from its beginning to its end. */
  duration_ms: z.optional(z.number()),
})

export type StepBlock = z.infer<typeof StepBlock>

/** Why another model was asked: what its provider did. `spent`: what was paid for there is used up. */
export const FallbackReason = z.enum([
  ...([
    'unreachable',
    'timeout',
    'interrupted',
    'overloaded',
    'rate_limited',
    'no_room',
    'unauthorized',
  ] as const),
  'spent',
])
export type FallbackReason = z.infer<typeof FallbackReason>

const NamedModel = z.object({ id: z.string(), name: z.string() })

/** A model that could not answer, and the one that is asked in its place, as they were called then. */
export const Fallback = z.object({ asked: NamedModel, answered: NamedModel, reason: FallbackReason })
export type Fallback = z.infer<typeof Fallback>

export const FallbackBlock = z.object({
  type: z.literal('fallback'),
  id: z.string(),
  ...Fallback.shape,
  step,
})
export type FallbackBlock = z.infer<typeof FallbackBlock>

/** How requests to the model differed from those that were meant. */
export const AdaptedBlock = z.object({
  type: z.literal('adapted'),
  id: z.string(),
  adaptations: z.array(Adaptation),
  step,
})
export type AdaptedBlock = z.infer<typeof AdaptedBlock>

export const CheckpointBlock = z.object({
  type: z.literal('checkpoint'),
  id: z.string(),
  checkpoint_name: z.string(),
  created_at: z.string(),
  run_id: z.string(),
})

/**
 * Stands for a value too large for a message: it is kept once, with the execution `id`, and read from there whole.
 * `bytes` are those of its JSON (UTF-8), `preview` is how that begins.
 */
export const ValueRef = z.object({ id: z.string(), bytes: z.int(), preview: z.string() })
export type ValueRef = z.infer<typeof ValueRef>

export const ToolBlock = z.object({
  type: z.literal('tool'),
  /** The tool execution's id. */
  id: z.string(),
  tool_id: z.string(),
  tool_name: z.string(),
  input: z.unknown(),
  /** `input` holds only the beginnings of a large one. */
  input_ref: z.optional(ValueRef),
  status: ToolStatus,
  result: z.unknown(),
  /** In place of a large result; `result` is null then. */
  result_ref: z.optional(ValueRef),
  error: z.nullable(z.string()),
  events: z.array(ToolEvent),
  /** The tool said more than stands in `events`; its execution has all of it. */
  events_cut: z.optional(z.boolean()),
  step,
})
export type ToolBlock = z.infer<typeof ToolBlock>

export const InputRequiredBlock = z.object({
  type: z.literal('input_required'),
  id: z.string(),
  checkpoint_name: z.string(),
  prompt: z.string(),
  input_types: z.array(z.string()),
  /** `closed`: the run ended without an answer. */
  state: z.enum(['waiting', 'provided', 'closed']),
  input: z.unknown(),
  created_at: z.string(),
  deadline: z.nullable(z.string()),
  ...requestDetails,
  input_type: z.optional(z.string()),
  answered_at: z.optional(z.string()),
  by_default: z.optional(z.boolean()),
})
export type InputRequiredBlock = z.infer<typeof InputRequiredBlock>

/** A run that stands still at a checkpoint; gone as soon as it goes on. */
export const PausedBlock = z.object({
  type: z.literal('paused'),
  id: z.string(),
  /** A person asked for it, or the balance was used up: then a top-up resumes it; or a budget: then raising it does. */
  reason: z.enum(['request', 'balance', 'budget']),
  checkpoint_name: z.string(),
  created_at: z.string(),
  /** Which budget was used up. */
  budget: z.optional(UsedUpBudget),
  /** The step that has not come to its end, and whether anything of it was done. */
  at_step: z.optional(z.object({ number: z.int(), begun: z.boolean() })),
})
export type PausedBlock = z.infer<typeof PausedBlock>

export const ErrorBlock = z.object({
  type: z.literal('error'),
  id: z.string(),
  error: z.string(),
  code: z.nullable(z.string()),
  traceback: z.nullable(z.string()),
  step: z.nullable(z.string()),
  timestamp: z.string(),
})

/** A finished or growing message is a list of these, in the order in which they happened. */
export const Block = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  StepBlock,
  FallbackBlock,
  AdaptedBlock,
  CheckpointBlock,
  ToolBlock,
  InputRequiredBlock,
  PausedBlock,
  ErrorBlock,
])
export type Block = z.infer<typeof Block>
