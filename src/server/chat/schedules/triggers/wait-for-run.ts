import { setTimeout as pause } from 'node:timers/promises'
import type { CallAnswer } from '#shared/chat/schedules/triggers.ts'
import type { Deps } from '../../../tools/deps.ts'
import type { Delivered } from './deliver.ts'
import { readOutcome } from './delivery-store.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 1_000

/** Returns the answer to a caller with the present state of its run. */
export async function answerNow({ db }: Pick<Deps, 'db'>, delivered: Delivered): Promise<CallAnswer> {
  return (await look(db, delivered)).answer
}

/** Waits until the run of a delivery is over or asks a person, at most `seconds`. It holds no connection meanwhile. */
export async function waitForRun(
  { db, engine }: Pick<Deps, 'db' | 'engine'>,
  delivered: Delivered,
  seconds: number,
  gone: AbortSignal,
): Promise<{ isOver: boolean; answer: CallAnswer }> {
  const until = performance.now() + seconds * 1000
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(LONGEST_PAUSE_MS, wait * 1.5)) {
    const found = await look(db, delivered)
    const left = until - performance.now()
    if (found.isOver || left <= 0 || gone.aborted || engine.isDraining) return found
    await pause(Math.min(wait, left), undefined, { signal: gone }).catch(() => undefined)
  }
}

async function look(db: Deps['db'], { id, is_repeated }: Delivered) {
  const found = await readOutcome(db, id)
  const answer: CallAnswer = {
    ...{ delivery_id: id, run_id: found?.slot_id ?? null, is_repeated },
    ...{ state: found?.state ?? null, result: found?.result ?? null },
  }
  return { isOver: found?.is_over ?? true, answer }
}
