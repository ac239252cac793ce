import { MAX_CASES } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import { hasSet, listCases } from './store.ts'

/** @throws AppError `not_found` */
export async function assertSet(db: Database, setId: string): Promise<void> {
  if (!(await hasSet(db, setId))) throw new AppError('not_found', 'This set is gone.')
}

/** @throws AppError `not_found`, `conflict` when the set is full */
export async function assertRoom(db: Database, setId: string): Promise<void> {
  await assertSet(db, setId)
  const { total } = await listCases(db, setId, { q: '', skip: 0, limit: 1 })
  if (total >= MAX_CASES)
    throw new AppError(
      'conflict',
      `A set has ${MAX_CASES} questions at most. Delete one, or make another set.`,
    )
}
