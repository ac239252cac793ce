import * as z from 'zod/mini'
import { Adaptation } from '../../models/connections/adaptations.ts'
import { Doubt } from '../../platform/citations/doubts.ts'
import { Fallback, PausedBlock, ToolEvent, ValueRef } from './blocks.ts'
import { Message } from './message.ts'
import { requestDetails } from './request.ts'
import { FoundSource } from './sources.ts'
import { RunUsage } from './usage.ts'
import { Delay, PlannedStep, RunView, Waiting, WrittenBy } from './view.ts'

/** Fields of every event of a run: the run, the step of its journal and the attempt at that step. */
const origin = { run_id: z.nullable(z.string()), step_key: z.nullable(z.string()), attempt: z.int() }

const event = <Name extends string, Shape extends z.core.$ZodShape>(name: Name, shape: Shape) =>
  z.object({ event: z.literal(name), ...origin, ...shape })

/**
 * All events of a run. Each name is the `event:` line of the stream; the other fields are its `data:` object.
 * A shipped name never changes.
 */
export const RunEvent = z.discriminatedUnion('event', [
  /** The full state; readers discard what they had. `last_event_id` is null when nothing has been streamed. */
  event('task_stream_init', {
    session_id: z.string(),
    view: z.nullable(RunView),
    user_message: z.nullable(Message),
    last_event_id: z.nullable(z.string()),
  }),
  event('agent_processing_started', {
    session_id: z.string(),
    message_id: z.string(),
    user_message_id: z.string(),
    agent_type: z.string(),
    model_name: z.nullable(z.string()),
    assistant: z.optional(WrittenBy),
    timestamp: z.string(),
  }),
  event('agent_step_started', {
    number: z.int(),
    description: z.string(),
    single_step: z.boolean(),
    timestamp: z.optional(z.string()),
  }),
  /** `added`: the new part of a text whose end is shown in `message`. */
  event('agent_step_progress', {
    number: z.int(),
    progress: z.nullable(z.number()),
    message: z.nullable(z.string()),
    added: z.optional(z.string()),
  }),
  /** `failed`: the step failed and the run continues without it. */
  event('agent_step_completed', {
    number: z.int(),
    failed: z.optional(z.boolean()),
    timestamp: z.optional(z.string()),
  }),
  /** `planned`: the steps that have not started. */
  event('agent_progress', {
    progress: z.number(),
    step_name: z.string(),
    planned: z.optional(z.array(PlannedStep)),
  }),
  /** The run uses another model from here on. */
  event('model_fallback', Fallback.shape),
  /** The sent request differs from the intended one. */
  event('model_adapted', { adaptations: z.array(Adaptation) }),
  /** The newest text was not an answer but the model's reasoning. */
  event('response_rethought', { timestamp: z.string() }),
  /** The newest thoughts were the answer, which follows as text. */
  event('thinking_retold', {}),
  /** The run reads what the person added while it works. */
  event('agent_steered', { id: z.string(), content: z.string(), sent_at: z.string(), timestamp: z.string() }),
  /** The model has not begun to answer; null when that is over. */
  event('model_waiting', { limit: z.nullable(Waiting) }),
  /** `until` is the time of the last thought when several were merged into one event. */
  event('agent_thinking', { content: z.string(), timestamp: z.string(), until: z.optional(z.string()) }),
  /** A second start event in the same message continues the text. */
  event('response_stream_start', { message_id: z.string() }),
  event('response_chunk', { content: z.string() }),
  /** Sources of the text so far. A known source keeps its number. */
  event('response_sources', { sources: z.array(FoundSource) }),
  /** Doubts about the text so far; replaces the previous list. */
  event('response_checked', { doubts: z.array(Doubt) }),
  /** `is_cut`: the model stopped at its output limit. `is_filtered`: the provider's content filter stopped it. */
  event('response_stream_end', {
    message_id: z.string(),
    is_cut: z.optional(z.boolean()),
    is_filtered: z.optional(z.boolean()),
  }),
  event('checkpoint_created', {
    id: z.string(),
    message_id: z.string(),
    checkpoint_name: z.string(),
    kind: z.string(),
    created_at: z.string(),
  }),
  event('checkpoint_navigation', { checkpoint_name: z.string(), message_id: z.string() }),
  event('input_required', {
    id: z.string(),
    checkpoint_name: z.string(),
    prompt: z.string(),
    input_types: z.array(z.string()),
    deadline: z.nullable(z.string()),
    created_at: z.string(),
    ...requestDetails,
    /** True when another request of the same run follows; the stream then stays open. */
    more: z.optional(z.boolean()),
  }),
  /** `by_default`: the deadline passed and the request's default was used. */
  event('input_received', {
    checkpoint_name: z.string(),
    input: z.unknown(),
    input_type: z.string(),
    answered_at: z.optional(z.string()),
    by_default: z.optional(z.boolean()),
    answered_by: z.optional(z.string()),
  }),
  event('tool_update', {
    tool_execution_id: z.string(),
    tool_id: z.string(),
    tool_name: z.string(),
    type: z.string(),
    data: z.extend(z.partial(ToolEvent), {
      input: z.optional(z.unknown()),
      input_ref: z.optional(ValueRef),
      result: z.optional(z.unknown()),
      result_ref: z.optional(ValueRef),
      error: z.optional(z.string()),
    }),
  }),
  event('tool_input_required', {
    tool_execution_id: z.string(),
    data: z.looseObject({ prompt: z.string() }),
  }),
  event('tool_partial_update', {
    tool_execution_id: z.string(),
    content: z.optional(z.string()),
    url: z.optional(z.string()),
    partial_image_index: z.optional(z.int()),
  }),
  /** No worker executes the run at the moment; any later event ends this state. Sent by the web process, never stored. */
  event('agent_delayed', { reason: Delay, timestamp: z.string() }),
  event('agent_pause_requested', { timestamp: z.string() }),
  /** Without a reason, a person paused the run. */
  event('agent_task_paused', {
    checkpoint_name: z.string(),
    timestamp: z.string(),
    reason: z.optional(PausedBlock.shape.reason),
    budget: PausedBlock.shape.budget,
    at_step: PausedBlock.shape.at_step,
  }),
  event('agent_task_resumed', { checkpoint_name: z.string(), timestamp: z.string() }),
  /** Ends the stream. `stopped`: a person ended the run early. The text so far is kept. */
  event('agent_processing_complete', {
    message_id: z.string(),
    stopped: z.boolean(),
    usage: z.optional(RunUsage),
    timestamp: z.string(),
  }),
  /** Ends the stream with an error. The text so far is kept. */
  event('agent_processing_error', {
    message_id: z.string(),
    error: z.string(),
    code: z.nullable(z.string()),
    traceback: z.nullable(z.string()),
    step: z.nullable(z.string()),
    usage: z.optional(RunUsage),
    timestamp: z.string(),
  }),
])
export type RunEvent = z.infer<typeof RunEvent>
export type RunEventName = RunEvent['event']

/** An event's own fields, without the origin that the engine adds. */
export type RunEventBody<Name extends RunEventName = RunEventName> = Name extends RunEventName
  ? Omit<Extract<RunEvent, { event: Name }>, 'run_id' | 'step_key' | 'attempt'>
  : never

/** Returns true when a stream closes after this event. */
export function endsStream(event: RunEvent): boolean {
  return terminalEvents.has(event.event) && !(event.event === 'input_required' && event.more)
}

/** Events after which a run does not continue by itself. */
export const terminalEvents: ReadonlySet<string> = new Set([
  'agent_processing_complete',
  'agent_processing_error',
  'agent_task_paused',
  'input_required',
  'completed',
])
