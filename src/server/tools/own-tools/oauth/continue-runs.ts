import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { giveAnswer } from '../../../runs/runs/runs.ts'
import type { Deps } from '../../deps.ts'
import { findNextWaiting, type Whose } from './account-store.ts'

const jobName = 'continue-signed-in-runs'
const Payload = z.object({ setId: z.string(), userId: z.string() })

export function registerContinuing(deps: Deps): void {
  deps.jobs.register(jobName, (payload, signal) => continueRuns(deps, Payload.parse(payload), signal))
}

/** Resumes the runs of a person that wait for an account of a set, once the transaction that connects it has committed. */
export async function requestContinuing(
  { jobs }: Pick<Deps, 'jobs'>,
  { setId, userId }: Whose,
  within: Kysely<Tables>,
): Promise<void> {
  await jobs.add(jobName, { setId, userId }, { key: `continue ${setId} ${userId}`, within })
}

/** Skips requests that no longer take an answer. */
export async function continueRuns({ db, engine }: Deps, whose: Whose, signal: AbortSignal): Promise<void> {
  let which = await findNextWaiting(db, whose, null)
  while (which) {
    signal.throwIfAborted()
    await giveAnswer(engine, which, { input: true, input_type: 'boolean' }).catch((error) => {
      if (!(error instanceof AppError)) throw error
    })
    which = await findNextWaiting(db, whose, which)
  }
}
