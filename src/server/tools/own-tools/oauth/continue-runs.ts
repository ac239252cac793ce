import { AppError } from '#shared/platform/errors.ts'
import { giveAnswer } from '../../../runs/runs/runs.ts'
import type { Deps } from '../../deps.ts'
import { findWaitingFor, type Whose } from './account-store.ts'

/** Resumes the runs of a person that wait for an account of a set. A run that no longer waits is left alone. */
export async function continueRuns({ db, engine }: Deps, whose: Whose): Promise<void> {
  for (const which of await findWaitingFor(db, whose)) {
    await giveAnswer(engine, which, { input: true, input_type: 'boolean' }).catch((error) => {
      if (!(error instanceof AppError)) throw error
    })
  }
}
