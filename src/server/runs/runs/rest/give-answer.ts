import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Answer } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'
import { resumeRun } from '../hold.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { takeAnswers } from './answers.ts'
import { findDue, lockRequest, type Row, settle, type Which } from './request-store.ts'

type Trx = Kysely<Tables>
/** `also` writes in the transaction of the answer. `by` is the person who answers in place of the person of the run. */
type Giving = { by?: string | undefined; also?: (trx: Trx) => Promise<void> }

/**
 * Commits the answer to a request and lets its run resume. The same answer again changes nothing. Returns the time the answer took effect.
 * @throws AppError `already_answered`, `deadline_passed`, `conflict` when the run no longer waits, `not_found`
 */
export async function giveAnswer(
  engine: Engine,
  which: Which,
  answer: Answer,
  { by, also = async () => undefined }: Giving = {},
): Promise<Date> {
  const { db, clock } = engine.deps
  const given = await db.transaction().execute(async (trx) => {
    const row = await lockRequest(trx, which)
    const now = clock.now()
    if (isAnsweredAlike(row, answer)) return { at: row.answered_at ?? now, isNew: false, waited: false }
    assertWaiting(row, now)
    await also(trx)
    return { at: now, isNew: true, waited: await settle(trx, row, { state: 'answered', answer, by }, now) }
  })
  if (given.isNew) await passOn(engine, which.run_id, given.waited)
  return given.at
}

function isAnsweredAlike({ state, answer }: Row, { input, input_type }: Answer): boolean {
  return state === 'answered' && isDeepStrictEqual(answer, JSON.parse(toJson({ input, input_type })))
}

/** @throws AppError why a request cannot be answered any more */
export function assertWaiting({ state, deadline }: Pick<Row, 'state' | 'deadline'>, now: Date): void {
  if (state === 'answered') throw new AppError('already_answered', 'This request has already been answered.')
  if (state === 'expired' || (state === 'waiting' && deadline && deadline <= now))
    throw new AppError('deadline_passed', 'The deadline for this request has passed.')
  if (state === 'closed') throw new AppError('conflict', 'This run no longer waits for an answer.')
}

/** Time a run that has just come to rest may take to be released, in milliseconds. */
const REST_MS = 2_000

/**
 * Notifies the owner of the run about the answer. A run without an owner is resumed here or by the next sweep.
 */
async function passOn(engine: Engine, runId: string, wasAtRest: boolean): Promise<void> {
  const deadline = performance.now() + REST_MS
  while (wasAtRest && engine.live.has(runId) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const live = engine.live.get(runId)
  if (live) return takeAnswers(engine, live)
  if (wasAtRest && (await resumeRun(engine, runId, ['queued']))) return
  await tellOfRun(engine.deps.db, runId)
}

/** Settles requests with a past deadline: with their default, or without an answer. */
export async function expireRequests(engine: Engine): Promise<void> {
  const { db, clock } = engine.deps
  const now = clock.now()
  for (const which of await findDue(db, now)) {
    const waited = await db.transaction().execute(async (trx) => {
      const row = await lockRequest(trx, which)
      if (row.state !== 'waiting') return null
      const answer = (row.request as { default?: Answer }).default ?? null
      return settle(trx, row, { state: 'expired', answer }, now)
    })
    if (waited !== null) await passOn(engine, which.run_id, waited)
  }
}
