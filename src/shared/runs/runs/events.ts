import * as z from 'zod/mini'
import { Adaptation } from '../../models/connections/adaptations.ts'
import { Doubt } from '../../platform/citations/doubts.ts'
import { Fallback, PausedBlock, ToolEvent, ValueRef } from './blocks.ts'
import { Message } from './message.ts'
import { requestDetails } from './request.ts'
import { FoundSource } from './sources.ts'
import { RunUsage } from './usage.ts'
import { Delay, MinuteLimit, PlannedStep, RunView, WrittenBy } from './view.ts'

/** On every event that belongs to a run: which run, which step of its journal, which attempt of that step. */
const origin = { run_id: z.nullable(z.string()), step_key: z.nullable(z.string()), attempt: z.int() }

const event = <Name extends string, Shape extends z.core.$ZodShape>(name: Name, shape: Shape) =>
  z.object({ event: z.literal(name), ...origin, ...shape })

/**
 * Everything a run can say, once. Names are those of the stream on the wire (`event:` line);
 * the rest is the `data:` object. A name is never changed once shipped.
 */
export const RunEvent = z.discriminatedUnion('event', [
  /** The whole state: a reader drops what it had. `last_event_id` is null when nothing has been streamed. */
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
  /** `added`: what is new of a text of which `message` shows the end. */
  event('agent_step_progress', {
    number: z.int(),
    progress: z.nullable(z.number()),
    message: z.nullable(z.string()),
    added: z.optional(z.string()),
  }),
  /** `failed`: it came to nothing, and the run goes on without it. */
  event('agent_step_completed', {
    number: z.int(),
    failed: z.optional(z.boolean()),
    timestamp: z.optional(z.string()),
  }),
  /** `planned`: the steps that are still to come. */
  event('agent_progress', {
    progress: z.number(),
    step_name: z.string(),
    planned: z.optional(z.array(PlannedStep)),
  }),
  /** From here on another model is asked in this run. */
  event('model_fallback', Fallback.shape),
  /** The request that is answered differs from the one that was meant. */
  event('model_adapted', { adaptations: z.array(Adaptation) }),
  /** The newest text was no answer but the model's thoughts. */
  event('response_rethought', { timestamp: z.string() }),
  /** The model is not asked yet, because so many requests or tokens a minute are reached; null when that is over. */
  event('model_waiting', { limit: z.nullable(MinuteLimit) }),
  /** `until` is the moment of the last thought when several were merged into one event. */
  event('agent_thinking', { content: z.string(), timestamp: z.string(), until: z.optional(z.string()) }),
  /** A second one in the same message continues the text. */
  event('response_stream_start', { message_id: z.string() }),
  event('response_chunk', { content: z.string() }),
  /** What the text so far relies on; a source that was named before keeps its number. */
  event('response_sources', { sources: z.array(FoundSource) }),
  /** What the text says that its passages do not bear out; it stands for what was said of the text before. */
  event('response_checked', { doubts: z.array(Doubt) }),
  /** `is_cut`: the model reached its longest answer. */
  event('response_stream_end', { message_id: z.string(), is_cut: z.optional(z.boolean()) }),
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
    /** Another request of the same run follows: the stream goes on. */
    more: z.optional(z.boolean()),
  }),
  /** `by_default`: nobody answered in time and the request said what counts then. */
  event('input_received', {
    checkpoint_name: z.string(),
    input: z.unknown(),
    input_type: z.string(),
    answered_at: z.optional(z.string()),
    by_default: z.optional(z.boolean()),
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
  /** Nobody works on it for now; whatever it says next ends that. Told by who serves the stream, and not kept. */
  event('agent_delayed', { reason: Delay, timestamp: z.string() }),
  event('agent_pause_requested', { timestamp: z.string() }),
  /** Without a reason a person asked for it. */
  event('agent_task_paused', {
    checkpoint_name: z.string(),
    timestamp: z.string(),
    reason: z.optional(PausedBlock.shape.reason),
    budget: PausedBlock.shape.budget,
    at_step: PausedBlock.shape.at_step,
  }),
  event('agent_task_resumed', { checkpoint_name: z.string(), timestamp: z.string() }),
  /** Ends the stream. `stopped` when a person ended the run early; the text so far is kept. */
  event('agent_processing_complete', {
    message_id: z.string(),
    stopped: z.boolean(),
    usage: z.optional(RunUsage),
    timestamp: z.string(),
  }),
  /** Ends the stream with an error; the text so far is kept. */
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

/** The event's own fields, without the origin that the engine stamps on it. */
export type RunEventBody<Name extends RunEventName = RunEventName> = Name extends RunEventName
  ? Omit<Extract<RunEvent, { event: Name }>, 'run_id' | 'step_key' | 'attempt'>
  : never

/** Whether a stream closes after an event. */
export function endsStream(event: RunEvent): boolean {
  return terminalEvents.has(event.event) && !(event.event === 'input_required' && event.more)
}

/** Events after which a run does not go on by itself. */
export const terminalEvents: ReadonlySet<string> = new Set([
  'agent_processing_complete',
  'agent_processing_error',
  'agent_task_paused',
  'input_required',
  'completed',
])
