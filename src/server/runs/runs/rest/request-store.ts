import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { requestBlock } from '#shared/runs/runs/reduce/reduce-requests.ts'
import type { Named, NamedApprover } from '#shared/runs/runs/request.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveRun } from '../context/live-run.ts'
import { workplaceOf } from '../context/live-run.ts'
import type { Answer } from '../context/run-context.ts'
import { lockSession } from '../store.ts'

export type Trx = Kysely<Tables>

type RequestEvent = RunEvent

/** Opens questions for answers; existing ones stay as they are. */
export async function openRequests(
  trx: Trx,
  run: LiveRun,
  requests: { key: string; event: RequestEvent }[],
): Promise<void> {
  const rows = requests.flatMap(({ key, event }) => {
    if (event.event !== 'input_required') return []
    const { checkpoint_name, deadline, created_at, tool, approver } = event
    return {
      ...{ run_id: run.id, key, user_id: run.input.user_id, session_id: workplaceOf(run) },
      ...{ checkpoint_name, tool_execution_id: tool?.tool_execution_id ?? null },
      ...{ request: toJson(requestBlock(event)), created_at: new Date(created_at) },
      deadline: deadline ? new Date(deadline) : null,
      ...approverColumns(approver),
    }
  })
  if (rows.length === 0) return
  await trx
    .insertInto('input_requests')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function approverColumns(approver: NamedApprover | undefined) {
  const { by, deputy, deputy_from } = approver ?? {}
  const idOf = (named: Named | null | undefined, kind: Named['kind']) =>
    named?.kind === kind ? named.id : null
  return {
    ...{ names_approver: approver !== undefined, approver_company_id: approver?.company_id ?? null },
    ...{ approver_user_id: idOf(by, 'person'), approver_group_id: idOf(by, 'group') },
    ...{ deputy_user_id: idOf(deputy, 'person'), deputy_group_id: idOf(deputy, 'group') },
    deputy_from: deputy_from ? new Date(deputy_from) : null,
  }
}

/** Returns the pending input that a session shows: its oldest open question. */
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

/** Closes the open requests of a run that is over. */
export async function closeRequests(trx: Trx, runId: string): Promise<void> {
  await trx
    .updateTable('input_requests')
    .set({ state: 'closed' })
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .execute()
}

export async function findNewAnswers(trx: Trx, run: LiveRun) {
  const rows = await trx
    .selectFrom('input_requests as q')
    .leftJoin('users as u', 'u.id', 'q.answered_by')
    .select(['q.key', 'q.checkpoint_name', 'q.state', 'q.answer', 'q.answered_at', 'q.names_approver'])
    .select(sql<string | null>`coalesce(nullif(trim(u.full_name), ''), u.username)`.as('answered_by'))
    .where('q.run_id', '=', run.id)
    .where('q.state', 'in', ['answered', 'expired'])
    .orderBy('q.answered_at')
    .orderBy('q.key')
    .execute()
  return rows.filter(({ key }) => !run.records.has(`answer:${key}`))
}

/** `by` is the person who answered in place of the person of the run. */
type Outcome = { state: 'answered' | 'expired'; answer: Answer | null; by?: string | undefined }

export type Row = Awaited<ReturnType<typeof lockRequest>>

export type Which = { run_id: string; key: string }

export async function lockRequest(trx: Trx, { run_id, key }: Which) {
  const find = trx
    .selectFrom('input_requests')
    .selectAll()
    .where('run_id', '=', run_id)
    .where('key', '=', key)
  const seen = await find.executeTakeFirst()
  if (seen?.session_id) await lockSession(trx, seen.session_id)
  const row = await find.forUpdate().executeTakeFirst()
  if (!row) throw new AppError('not_found', 'There is no such request.')
  return row
}

async function showAnswered(trx: Trx, sessionId: string, isGoingOn: boolean): Promise<void> {
  const pending = await findPendingInput(trx, sessionId)
  await trx
    .updateTable('sessions')
    .set({
      pending_input: pending ? toJson(pending) : null,
      ...(isGoingOn ? { status: 'GENERATING', agent_status: 'processing' } : {}),
    })
    .where('id', '=', sessionId)
    .execute()
}

/** Stores the outcome of a request. Returns true when its run was at rest and can now be resumed. */
export async function settle(
  trx: Trx,
  row: Row,
  { state, answer, by }: Outcome,
  now: Date,
): Promise<boolean> {
  const given = answer && toJson({ input: answer.input, input_type: answer.input_type })
  await trx
    .updateTable('input_requests')
    .set({ state, answer: given, answered_at: now, answered_by: by ?? null })
    .where('run_id', '=', row.run_id)
    .where('key', '=', row.key)
    .execute()
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ state: 'queued' })
    .where('id', '=', row.run_id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (row.session_id) await showAnswered(trx, row.session_id, numUpdatedRows > 0n)
  return numUpdatedRows > 0n
}

const MAX_EXPIRED_PER_POLL = 50

/** Returns the open requests with a past deadline. */
export function findDue(db: Trx, now: Date): Promise<Which[]> {
  return db
    .selectFrom('input_requests')
    .select(['run_id', 'key'])
    .where('state', '=', 'waiting')
    .where('deadline', '<=', now)
    .orderBy('deadline')
    .limit(MAX_EXPIRED_PER_POLL)
    .execute()
}
