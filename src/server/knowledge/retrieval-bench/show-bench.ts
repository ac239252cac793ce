import {
  type BenchCase,
  type BenchRun,
  type ExpectedPassage,
  MAX_CASES,
  MAX_RUNS,
} from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import type { Person } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import { readPassages } from '../search/search.ts'
import { findShown } from './feedback-store.ts'
import { readPerson } from './read-person.ts'
import { firstRank, reckonFigures } from './reckon-figures.ts'
import { type CaseRow, listCases, listResults, listRuns, type RunRow } from './store.ts'

type Deps = Pick<Platform, 'db'>

const PASSAGE_SHOWN = 600

/** Returns the newest runs of a set, with figures from the current expectations. */
export async function showRuns({ db }: Deps, setId: string): Promise<BenchRun[]> {
  const runs = await listRuns(db, setId, MAX_RUNS)
  const { rows: cases } = await listCases(db, setId, { q: '', skip: 0, limit: MAX_CASES })
  const expectations = new Map(cases.map(({ id, expected }) => [id, expected]))
  const results = Map.groupBy(
    await listResults(
      db,
      runs.map(({ id }) => id),
      MAX_RUNS * MAX_CASES,
    ),
    ({ run_id }) => run_id,
  )
  return runs.map((run: RunRow) => {
    const own = results.get(run.id) ?? []
    const { id, setting, model, state, problem, created_at } = run
    return {
      ...{ id, setting, model, state, problem, created_at: created_at.toISOString() },
      ...{ done: own.length, total: state === 'running' ? Math.max(cases.length, own.length) : own.length },
      figures: reckonFigures(expectations, own),
    }
  })
}

/** Returns questions with their ranks in the newest runs of their set. */
export async function showCases({ db }: Deps, setId: string, rows: readonly CaseRow[]): Promise<BenchCase[]> {
  const runs = await listRuns(db, setId, MAX_RUNS)
  const ids = rows.map(({ id }) => id)
  const results = await listResults(
    db,
    runs.map(({ id }) => id),
    MAX_RUNS * MAX_CASES,
    ids,
  )
  return rows.map(({ id, question, expected, origin }) => {
    const own = results.filter(({ case_id }) => case_id === id)
    const ranks = own.map(({ run_id, found }) => [run_id, firstRank(expected, found)] as const)
    return { id, question, expected, origin, ranks: Object.fromEntries(ranks) }
  })
}

/**
 * Returns the expected passages. Their text is included when the caller may read it, or when the author of the question shares it and may
 * still read it.
 */
export async function showPassages(
  deps: Pick<Platform, 'db' | 'config'>,
  caller: Person,
  { expected, message_id, user_id }: CaseRow,
): Promise<ExpectedPassage[]> {
  const ids = expected.map(({ chunk_id }) => chunk_id)
  const shown = message_id ? await findShown(deps.db, caller.id, { message_id, user_id }, 1) : null
  const asker = shown ? await readPerson(deps, user_id) : null
  const words = new Map([
    ...(await readPassages(deps.db, caller, {}, ids)),
    ...(asker ? await readPassages(deps.db, asker, {}, shown?.chunk_ids ?? []) : []),
  ])
  return expected.map((one) => {
    const passage = words.get(one.chunk_id)
    const text = passage?.text.slice(0, PASSAGE_SHOWN) ?? null
    return { ...one, document_name: passage?.document_name ?? null, text }
  })
}
