import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Language } from '#shared/platform/primitives.ts'
import type { RunEvent, RunEventBody } from '#shared/runs/runs/events.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { insertRecord, insertStandalone } from './begin-store.ts'
import { type LiveRun, stamp } from './context/live-run.ts'
import type { FrozenTool, RunInput } from './context/run-context.ts'
import type { Engine } from './engine.ts'
import type { Holder } from './journal/journal-record.ts'
import { assertRoom } from './room-store.ts'
import { commitBeginning, createLiveRun, emptyView, notAvailable, startedEvent } from './start.ts'

/** A request to execute one tool for a user outside of their chats. */
export type StandaloneRequest = {
  user_id: string
  language: Language
  tool: FrozenTool
  /** Arguments as JSON text. */
  input: string
  session_id: string | null
  /** True when a tool's interface asks. It may read only what the chat answers from. */
  by_interface?: boolean
  library?: RunInput['library']
  seconds: number
  outward?: RunInput['outward']
}

/**
 * Stores a standalone run, not yet running. `announce` writes in the same transaction and returns the first events.
 * The run locks no session and has its own epoch.
 */
export async function beginStandalone(
  engine: Engine,
  request: StandaloneRequest,
  announce: (trx: Kysely<Tables>, runId: string) => Promise<RunEventBody[]>,
): Promise<{ run: LiveRun; events: RunEvent[] }> {
  const { clock, instance } = engine.deps
  const agent = engine.agents.tool
  if (!agent) throw notAvailable('tool')
  const now = clock.now()
  const holder: Holder = { runId: randomUUID(), owner: instance.id, epoch: 1 }
  const input = freeze(holder.runId, request, now)
  const view = emptyView(holder, input)
  const { version } = agent
  const run = createLiveRun(engine, { holder, attempt: 1, version, input, userMessage: null, view })
  const events = await commitBeginning(engine, holder.runId, async (trx) => {
    await assertRoom(trx, engine.deps.config, request.user_id, 'tool')
    await insertStandalone(trx, holder, input, { isHeld: engine.works, version })
    const bodies = [startedEvent(input, now), ...(await announce(trx, holder.runId))]
    const events = bodies.map((body) => stamp(run, null, body))
    const value = toJson({ value: input, events })
    const record = { run_id: holder.runId, position: 0, key: 'input', kind: 'input' as const, value }
    await insertRecord(trx, { ...record, epoch: holder.epoch })
    return events
  })
  return { run, events }
}

function freeze(runId: string, request: StandaloneRequest, now: Date): RunInput {
  const { user_id, language, tool, input, session_id, by_interface, library, seconds, outward } = request
  return {
    ...{
      session_id: runId,
      user_id,
      user_message_id: '',
      message_id: '',
      agent_type: 'tool',
      model_name: '',
    },
    ...{ context_tokens: 0, language, instructions: null, tool_choice: tool.id, tools: [tool] },
    ...{ limits: { model_calls: 0, steps: 0, seconds }, started_at: now.toISOString() },
    ...(outward && { outward }),
    ...(library && { library }),
    standalone: { session_id, ...(by_interface && { by_interface }), input },
  }
}
