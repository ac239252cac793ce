import * as z from 'zod/mini'
import { Adaptation } from '../../models/connections/adaptations.ts'
import { UsedUpBudget } from '../../money/budgets/budget-kinds.ts'
import { Doubt } from '../../platform/citations/doubts.ts'
import { requestDetails } from './request.ts'
import { Source } from './sources.ts'

/** Statuses of a tool execution, as the interface names them. */
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

/** Number of the enclosing plan step; absent outside of plan steps. */
const step = z.optional(z.int())

export const TextBlock = z.object({
  type: z.literal('text'),
  id: z.string(),
  text: z.string(),
  /** Sources of the text; absent when none was named. */
  sources: z.optional(z.array(Source)),
  /** Sentences that the cited passages do not support; absent when there are none or the text cites nothing. */
  doubts: z.optional(z.array(Doubt)),
  /** True when the model stopped at its output limit. */
  is_cut: z.optional(z.boolean()),
  /** True when the provider's content filter stopped the model. */
  is_filtered: z.optional(z.boolean()),
  step,
})

export const ThinkingBlock = z.object({
  type: z.literal('thinking'),
  id: z.string(),
  text: z.string(),
  started_at: z.string(),
  last_at: z.string(),
  /** Milliseconds from the first to the last thought; null while the model is thinking. */
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
  /** True when the step failed; `message` gives the reason. */
  failed: z.optional(z.boolean()),
  /** Absent in steps recorded before timestamps existed. */
  started_at: z.optional(z.string()),
  /** Milliseconds from start to end. */
  duration_ms: z.optional(z.number()),
})

export type StepBlock = z.infer<typeof StepBlock>

/** Reason for a fallback: the failure of the first provider. `spent`: the credit there is used up. */
export const FallbackReason = z.enum([
  ...([
    'unreachable',
    'timeout',
    'interrupted',
    'overloaded',
    'rate_limited',
    'no_room',
    'unauthorized',
    'not_available',
  ] as const),
  'spent',
])
export type FallbackReason = z.infer<typeof FallbackReason>

const NamedModel = z.object({ id: z.string(), name: z.string() })

/** A model that could not answer and its fallback, with their names at the time. */
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

/** A message that the person added while the run worked, at the place where the run read it. */
export const SteeringBlock = z.object({
  type: z.literal('steering'),
  id: z.string(),
  text: z.string(),
  sent_at: z.string(),
  read_at: z.string(),
  step,
})
export type SteeringBlock = z.infer<typeof SteeringBlock>

export const CheckpointBlock = z.object({
  type: z.literal('checkpoint'),
  id: z.string(),
  checkpoint_name: z.string(),
  created_at: z.string(),
  run_id: z.string(),
})

/**
 * Reference to a value too large for a message. The value is stored with the execution `id`.
 * `bytes` is the size of its JSON in UTF-8; `preview` is the beginning of that JSON.
 */
export const ValueRef = z.object({ id: z.string(), bytes: z.int(), preview: z.string() })
export type ValueRef = z.infer<typeof ValueRef>

export const ToolBlock = z.object({
  type: z.literal('tool'),
  /** Id of the tool execution. */
  id: z.string(),
  tool_id: z.string(),
  tool_name: z.string(),
  input: z.unknown(),
  /** Set when the input is large; `input` then holds only the beginnings of its values. */
  input_ref: z.optional(ValueRef),
  status: ToolStatus,
  result: z.unknown(),
  /** Set when the result is large; `result` is then null. */
  result_ref: z.optional(ValueRef),
  error: z.nullable(z.string()),
  events: z.array(ToolEvent),
  /** True when `events` is shortened; the tool execution has the full list. */
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
  /** Name of the approver who answered. */
  answered_by: z.optional(z.string()),
})
export type InputRequiredBlock = z.infer<typeof InputRequiredBlock>

/** A run that is paused at a checkpoint. The block is removed when the run resumes. */
export const PausedBlock = z.object({
  type: z.literal('paused'),
  id: z.string(),
  /** A person paused the run, or the balance or a budget is used up. A top-up or a raised budget resumes it. */
  reason: z.enum(['request', 'balance', 'budget']),
  checkpoint_name: z.string(),
  created_at: z.string(),
  /** The budget that is used up. */
  budget: z.optional(UsedUpBudget),
  /** The unfinished step, and whether any of its work was done. */
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

/** A part of a message. A message lists its blocks in the order of events. */
export const Block = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  StepBlock,
  FallbackBlock,
  AdaptedBlock,
  SteeringBlock,
  CheckpointBlock,
  ToolBlock,
  InputRequiredBlock,
  PausedBlock,
  ErrorBlock,
])
export type Block = z.infer<typeof Block>
