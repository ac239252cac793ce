import type { RunEvent, RunEventBody } from '../../src/shared/runs/runs/events.ts'
import { foldEvents } from '../../src/shared/runs/runs/reduce/reduce.ts'

/** Default time of events. */
export const at = '2026-01-01T00:00:00.000Z'

/** Returns a run's event, outside steps or in one: `step1/model`. */
export const say = (body: RunEventBody, step_key = 'model'): RunEvent =>
  ({ run_id: 'run', step_key, attempt: 1, ...body }) as RunEvent

export const started = say({
  event: 'agent_processing_started',
  session_id: 'session',
  message_id: 'reply',
  user_message_id: 'question',
  agent_type: 'multi_turn',
  model_name: 'atrium/offline',
  timestamp: at,
})

/** Returns the key of a step by its number, or the key outside steps. */
const keyOf = (step?: number) => (step === undefined ? 'model' : `step${step}/sub1.model:1`)

export const chunk = (content: string, step?: number) =>
  say({ event: 'response_chunk', content }, keyOf(step))
export const think = (content: string, timestamp = at, step?: number) =>
  say({ event: 'agent_thinking', content, timestamp }, keyOf(step))
export const endText = (is_cut?: boolean, step?: number) =>
  say(
    { event: 'response_stream_end', message_id: 'reply', ...(is_cut === undefined ? {} : { is_cut }) },
    keyOf(step),
  )

export const tool = (data: Record<string, unknown>, tool_execution_id = 'call', step?: number) =>
  say(
    {
      ...{ event: 'tool_update', tool_execution_id, tool_id: 'calculator', tool_name: 'Calculator' },
      ...{ type: 'calculator', data },
    } as RunEventBody<'tool_update'>,
    keyOf(step),
  )

export const beginStep = (number: number, timestamp?: string) =>
  say({
    ...{ event: 'agent_step_started', number, description: `Do ${number}`, single_step: false },
    ...(timestamp && { timestamp }),
  } as RunEventBody<'agent_step_started'>)
export const endStep = (number: number, more: { failed?: boolean; timestamp?: string } = {}) =>
  say({ event: 'agent_step_completed', number, ...more })

export const checkpoint = (checkpoint_name: string) =>
  say({
    event: 'checkpoint_created',
    id: `run:${checkpoint_name}`,
    message_id: 'reply',
    checkpoint_name,
    kind: 'step',
    created_at: at,
  })

export const ask = (
  checkpoint_name: string,
  id = checkpoint_name,
  more: Partial<RunEventBody<'input_required'>> = {},
) =>
  say({
    event: 'input_required',
    id,
    checkpoint_name,
    prompt: 'Which?',
    input_types: ['text'],
    deadline: null,
    created_at: at,
    ...more,
  })
export const answer = (checkpoint_name: string, input: unknown) =>
  say({ event: 'input_received', checkpoint_name, input, input_type: 'text' })

export const complete = (
  message_id = 'reply',
  stopped = false,
  more: Partial<RunEventBody<'agent_processing_complete'>> = {},
) => say({ event: 'agent_processing_complete', message_id, stopped, timestamp: at, ...more })
export const fail = (error: string, more: Partial<RunEventBody<'agent_processing_error'>> = {}) =>
  say({
    ...{ event: 'agent_processing_error', message_id: 'reply', error, code: null, traceback: null },
    ...{ step: null, timestamp: at, ...more },
  } as RunEventBody<'agent_processing_error'>)

/** Returns the reply after its start and these events. */
export const fold = (...events: RunEvent[]) => foldEvents(null, [started, ...events])!
