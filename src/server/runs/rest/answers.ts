import type { Kysely } from 'kysely'
import type { RunEvent } from '#shared/runs/events.ts'
import { requestBlock } from '#shared/runs/reduce.ts'
import { toJson } from '../../db/db.ts'
import type { Tables } from '../../db/tables.ts'
import { busy, waitingName } from '../context/ask.ts'
import { commit, type LiveRun, stamp, workplaceOf } from '../context/live-run.ts'
import type { Answer, Expired, Question } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'

type Trx = Kysely<Tables>
type Asked = LiveRun['asks'][number]

/** The event of a question; said once more it is the one that was recorded. */
export function requestEvent(run: LiveRun, { key, question }: Asked, now: Date) {
  const recorded = run.records.get(`ask:${key}`)?.events.find(({ event }) => event === 'input_required')
  if (recorded?.event === 'input_required') return { ...recorded, more: false }
  return stamp(run, null, {
    ...{ event: 'input_required', id: `${run.id}:${key}`, checkpoint_name: waitingName(key) },
    ...{ prompt: question.prompt, input_types: question.input_types },
    ...{ deadline: deadlineOf(question, now), created_at: now.toISOString() },
    ...{ kind: question.kind ?? 'question', fields: question.fields, tool: question.tool },
    ...{ default: question.default, skippable: question.skippable },
  })
}

function deadlineOf({ deadline, seconds }: Question, now: Date): string | null {
  if (deadline) return deadline
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000).toISOString()
}

type RequestEvent = ReturnType<typeof requestEvent>

/** What the card of a tool hears when it is the tool that asks; nothing for other questions. */
export function toolAsks(run: LiveRun, { key, question }: Asked): RunEvent[] {
  const { tool, prompt, input_types, fields, kind = 'question' } = question
  if (!tool || kind !== 'question' || run.records.has(`ask:${key}`)) return []
  const data = { prompt, input_types, ...(fields && { fields }) }
  const { tool_execution_id } = tool
  return [stamp(run, null, { event: 'tool_input_required', tool_execution_id, data })]
}

/** Makes questions answerable; one that is already stays as it is. */
export async function openRequests(
  trx: Trx,
  run: LiveRun,
  requests: { key: string; event: RequestEvent }[],
): Promise<void> {
  const rows = requests.flatMap(({ key, event }) => {
    if (event.event !== 'input_required') return []
    const { checkpoint_name, deadline, created_at, tool } = event
    return {
      ...{ run_id: run.id, key, user_id: run.input.user_id, session_id: workplaceOf(run) },
      ...{ checkpoint_name, tool_execution_id: tool?.tool_execution_id ?? null },
      ...{ request: toJson(requestBlock(event)), created_at: new Date(created_at) },
      deadline: deadline ? new Date(deadline) : null,
    }
  })
  if (rows.length === 0) return
  await trx
    .insertInto('input_requests')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a session shows as pending: the oldest question that waits in it. */
export async function findPendingInput(trx: Trx, sessionId: string): Promise<Record<string, unknown> | null> {
  const row = await trx
    .selectFrom('input_requests')
    .select('request')
    .where('session_id', '=', sessionId)
    .where('state', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst()
  return (row?.request as Record<string, unknown> | undefined) ?? null
}

/** Nobody is asked any more: the run is over. */
export async function closeRequests(trx: Trx, runId: string): Promise<void> {
  await trx
    .updateTable('input_requests')
    .set({ state: 'closed' })
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .execute()
}

/** Whether something the run asks was answered and has not reached it. */
export async function hasNewAnswers(trx: Trx, run: LiveRun): Promise<boolean> {
  const keys = new Set(run.asks.map(({ key }) => key))
  return (await findNewAnswers(trx, run)).some(({ key }) => keys.has(key))
}

async function findNewAnswers(trx: Trx, run: LiveRun) {
  const rows = await trx
    .selectFrom('input_requests')
    .select(['key', 'checkpoint_name', 'state', 'answer', 'answered_at'])
    .where('run_id', '=', run.id)
    .where('state', 'in', ['answered', 'expired'])
    .orderBy('answered_at')
    .orderBy('key')
    .execute()
  return rows.filter(({ key }) => !run.records.has(`answer:${key}`))
}

/** Brings answers into the journal of a held run, and on to the steps that wait for them. */
export async function takeAnswers(engine: Engine, run: LiveRun): Promise<void> {
  for (const row of await findNewAnswers(engine.deps.db, run)) {
    const step = `answer:${row.key}`
    if (run.steps.has(step) || run.records.has(step)) continue
    await busy(run, step, () => takeAnswer(engine, run, row))
  }
}

type NewAnswer = Awaited<ReturnType<typeof findNewAnswers>>[number]

async function takeAnswer({ deps }: Engine, run: LiveRun, row: NewAnswer): Promise<void> {
  const { key, checkpoint_name, state } = row
  const given = row.answer as Answer | null
  const by_default = state === 'expired'
  const value: Answer | Expired = given ? { ...given, ...(by_default && { by_default }) } : { expired: true }
  const answered_at = (row.answered_at ?? deps.clock.now()).toISOString()
  const received = given && {
    ...{ event: 'input_received' as const, checkpoint_name, answered_at },
    ...{ input: given.input, input_type: given.input_type, ...(by_default && { by_default }) },
  }
  const events = received ? [stamp(run, null, received)] : []
  await commit(deps.db, run, { kind: 'answer', key, value, events })
  for (const event of events) run.publisher.emit(event)
  const at = run.asks.findIndex((asked) => asked.key === key)
  const [asked] = at < 0 ? [] : run.asks.splice(at, 1)
  asked?.resolve(value)
}
