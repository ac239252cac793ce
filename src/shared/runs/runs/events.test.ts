import { describe, expect, it } from 'vitest'
import {
  answer,
  ask,
  at,
  beginStep,
  checkpoint,
  chunk,
  complete,
  endStep,
  endText,
  fail,
  say,
  started,
  think,
  tool,
} from '#tests/run-events.ts'
import { RunEvent, type RunEventBody } from './events.ts'
import { foldEvents } from './reduce/reduce.ts'
import { createStreamReader } from './stream-reader.ts'

const id = '00000000-0000-4000-8000-000000000001'
const model = (name: string) => ({ id: name, name })
const ref = { id: 'call', bytes: 9, preview: '"a' }
const doubts = [{ kind: 'numbers' as const, at: 1, length: 2, numbers: ['3'] }]
const usage = {
  ...{ seconds: 3.5, calls: 1, input_tokens: 10, output_tokens: 5, amount: 0.01 },
  ...{ unpriced: false, estimated: true },
}
const field = { name: 'a', label: 'A', type: 'text' as const, required: true, value: 'x' }
const askedTool = {
  ...{ tool_execution_id: 'call', tool_id: 'mail', tool_name: 'Mail', tool_version: 2, input: { a: 1 } },
  ...{ input_schema: { type: 'object' }, assistant: model('a') },
}
const source = { id: 's', title: 'S', url: 'https://s.test', snippet: 'words' }

/** One event of each kind, with all fields set. */
const everything: RunEvent[] = [
  { ...started, assistant: model('a') } as RunEvent,
  say({ event: 'model_waiting', limit: { of: 'requests', per_minute: 3 } }),
  say({ event: 'model_fallback', asked: model('a'), answered: model('b'), reason: 'spent' }),
  say({ event: 'model_adapted', adaptations: [{ name: 'window', value: 8_192, about: 'a' }] }),
  say({ event: 'agent_steered', id: 'a', content: 'Briefly', sent_at: at, timestamp: at }),
  say({ event: 'response_rethought', timestamp: at }),
  say({ event: 'thinking_retold' }),
  { ...beginStep(1, at), step_key: null },
  say({ event: 'agent_step_progress', number: 1, progress: 0.5, message: 'Half', added: 'f' }),
  { ...think('hm', at, 1), until: at } as RunEvent,
  say({ event: 'response_stream_start', message_id: 'reply' }),
  chunk('Hi', 1),
  say({ event: 'response_sources', sources: [source] }, 'step1/model'),
  say({ event: 'response_checked', doubts }, 'step1/model'),
  endText(true, 1),
  endStep(1, { failed: true, timestamp: at }),
  say({
    ...{ event: 'agent_progress', progress: 0.5, step_name: 'Read' },
    ...{ planned: [{ number: 2, description: 'Write' }] },
  } as RunEventBody<'agent_progress'>),
  tool({
    ...{ phase: 'look', status: 'complete', message: 'Found', data: { a: 1 }, type: 'x' },
    ...{ input: 1, input_ref: ref, result: 2, result_ref: ref, error: 'No' },
  }),
  say({
    ...{ event: 'tool_input_required', tool_execution_id: 'call', data: { prompt: 'Which?', more: 1 } },
  } as RunEventBody<'tool_input_required'>),
  say({
    ...{ event: 'tool_partial_update', tool_execution_id: 'call', content: 'a', url: 'a.png' },
    partial_image_index: 1,
  } as RunEventBody<'tool_partial_update'>),
  checkpoint('step1'),
  say({ event: 'checkpoint_navigation', checkpoint_name: 'step1', message_id: 'reply' }),
  ask('a', 'a', {
    ...{ kind: 'approval', fields: [field], tool: askedTool, default: { input: 'x', input_type: 'text' } },
    ...{ skippable: true, more: true, deadline: at },
  }),
  { ...answer('a', { b: 1 }), answered_at: at, by_default: true } as RunEvent,
  say({ event: 'agent_delayed', reason: 'no_worker', timestamp: at }),
  say({ event: 'agent_pause_requested', timestamp: at }),
  say({
    ...{ event: 'agent_task_paused', checkpoint_name: 'step1', timestamp: at, reason: 'budget' },
    ...{ budget: { kind: 'key', period: 'day', is_own: true }, at_step: { number: 1, begun: true } },
  } as RunEventBody<'agent_task_paused'>),
  say({ event: 'agent_task_resumed', checkpoint_name: 'step1', timestamp: at }),
  complete('final', true, { usage }),
  fail('No', { code: 'timeout', traceback: 'trace', step: 'step1', usage }),
]
const wireOf = ({ event, ...data }: RunEvent) => ({ event, id: null, data: JSON.stringify(data) })
const read = (event: RunEvent) => createStreamReader().read(wireOf(event))?.event

describe('RunEvent', () => {
  it.each(everything.map((event) => [event.event, event] as const))(
    'parses %s without losing a field',
    (_, event) => {
      expect(read(event)).toEqual(event)
    },
  )

  it('covers every kind of event in these examples', () => {
    const told = new Set(everything.map(({ event }) => event))
    const known = RunEvent.def.options.flatMap(({ shape }) => shape.event.def.values)
    expect(known.filter((name) => !told.has(name))).toEqual(['task_stream_init'])
  })

  it('parses the message state after each event without losing a field', () => {
    const user_message = {
      ...{ id, client_id: 'c', chat_session_id: id, parent_id: null, role: 'user' as const, content: 'Hi' },
      ...{ agent_type: 'multi_turn' as const, model_name: null, blocks: [], status: 'completed' as const },
      ...{ is_modified: false, metadata: { a: 1 }, created_at: at },
    }
    everything.forEach((_, last) => {
      const view = foldEvents(null, everything.slice(0, last + 1))
      const init = say({
        ...{ event: 'task_stream_init', session_id: 's', view, user_message, last_event_id: '5' },
      } as RunEventBody<'task_stream_init'>)
      expect(read(init)).toEqual(JSON.parse(JSON.stringify(init)))
    })
  })
})
