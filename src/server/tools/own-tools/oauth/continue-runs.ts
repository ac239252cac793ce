import { sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { giveAnswer } from '../../../runs/runs/runs.ts'
import type { Deps } from '../../deps.ts'
import type { Whose } from './account-store.ts'

const MAX_RUNS = 100

/** Resumes the runs of a person that wait for an account of a set. A run that no longer waits is left alone. */
export async function continueRuns({ db, engine }: Deps, { setId, userId }: Whose): Promise<void> {
  const { rows } = await sql<{ run_id: string; key: string }>`
    select run_id, key from input_requests
    where user_id = ${userId} and state = 'waiting' and request ->> 'kind' = 'sign_in'
      and request -> 'tool' ->> 'tool_id' in (select id::text from own_tools where set_id = ${setId})
    order by created_at, run_id, key limit ${MAX_RUNS}`.execute(db)
  for (const which of rows) {
    await giveAnswer(engine, which, { input: true, input_type: 'boolean' }).catch((error) => {
      if (!(error instanceof AppError)) throw error
    })
  }
}
