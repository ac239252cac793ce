import type { RunEvent } from '#shared/runs/runs/events.ts'
import { busy, waitingName } from '../context/ask.ts'
import { commit, type LiveRun, stamp } from '../context/live-run.ts'
import type { Answer, Expired, Question } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'
import type { Trx } from './request-store.ts'
import { findNewAnswers } from './request-store.ts'

type Asked = LiveRun['asks'][number]

/** Returns the event of a question. A repeated question gets its recorded event. */
export function requestEvent(run: LiveRun, { key, question }: Asked, now: Date) {
  const recorded = run.records.get(`ask:${key}`)?.events.find(({ event }) => event === 'input_required')
  if (recorded?.event === 'input_required') return { ...recorded, more: false }
  return stamp(run, null, {
    ...{ event: 'input_required', id: `${run.id}:${key}`, checkpoint_name: waitingName(key) },
    ...{ prompt: question.prompt, input_types: question.input_types },
    ...{ deadline: deadlineOf(question, now), created_at: now.toISOString() },
    ...{ kind: question.kind ?? 'question', fields: question.fields, tool: question.tool },
    ...{ default: question.default, skippable: question.skippable },
    ...(question.approver && { approver: approverOf(question.approver, now) }),
  })
}

function deadlineOf({ deadline, seconds }: Question, now: Date): string | null {
  if (deadline) return deadline
  return seconds === undefined ? null : later(now, seconds)
}

function approverOf({ deputy_seconds, ...approver }: NonNullable<Question['approver']>, now: Date) {
  return { ...approver, deputy_from: deputy_seconds === null ? null : later(now, deputy_seconds) }
}

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

/** Returns the card events of a tool that asks; empty for other questions. */
export function toolAsks(run: LiveRun, { key, question }: Asked): RunEvent[] {
  const { tool, prompt, input_types, fields, kind = 'question' } = question
  if (!tool || kind !== 'question' || run.records.has(`ask:${key}`)) return []
  const data = { prompt, input_types, ...(fields && { fields }) }
  const { tool_execution_id } = tool
  return [stamp(run, null, { event: 'tool_input_required', tool_execution_id, data })]
}

/** Returns whether the run has answers it has not read yet. */
export async function hasNewAnswers(trx: Trx, run: LiveRun): Promise<boolean> {
  const keys = new Set(run.asks.map(({ key }) => key))
  return (await findNewAnswers(trx, run)).some(({ key }) => keys.has(key))
}

/** Adds answers to the journal of an owned run and passes them to the waiting steps. */
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
  const mark = { ...(by_default && { by_default }), ...(row.names_approver && { by_approver: true }) }
  const value: Answer | Expired = given ? { ...given, ...mark } : { expired: true }
  const answered_at = (row.answered_at ?? deps.clock.now()).toISOString()
  const received = given && {
    ...{ event: 'input_received' as const, checkpoint_name, answered_at },
    ...{ input: given.input, input_type: given.input_type, ...(by_default && { by_default }) },
    ...(row.answered_by !== null && { answered_by: row.answered_by }),
  }
  const events = received ? [stamp(run, null, received)] : []
  await commit(deps.db, run, { kind: 'answer', key, value, events })
  for (const event of events) run.publisher.emit(event)
  const at = run.asks.findIndex((asked) => asked.key === key)
  const [asked] = at < 0 ? [] : run.asks.splice(at, 1)
  asked?.resolve(value)
}
