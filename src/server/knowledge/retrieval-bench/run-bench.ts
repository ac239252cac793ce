import type { BenchSetting } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { MAX_CASES } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { ModelError } from '../../models/models/models.ts'
import type { Person } from '../../platform/access/access.ts'
import { type LibraryWish, payAtOnce, type SearchPurse, searchLibrary } from '../search/search.ts'
import { readPerson } from './read-person.ts'
import { type CaseRow, findRun, insertResult, listCases, listResults, noteEnd } from './store.ts'

type Deps = Pick<ModelDeps, 'db' | 'vectors' | 'models' | 'log' | 'config'>

const PATIENCE_MS = 60_000

export const jobKey = (id: string) => `bench ${id}`

/** Searches for each question of a run's set in turn. Resumes after the questions that already have a result. */
export async function runBench(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const run = await findRun(deps.db, id)
  if (run?.state !== 'running') return
  try {
    const { rows: cases } = await listCases(deps.db, run.set_id, { q: '', skip: 0, limit: MAX_CASES })
    const results = await listResults(deps.db, [id], MAX_CASES)
    const done = new Set(results.map(({ case_id }) => case_id))
    const missing = cases.filter((one) => !done.has(one.id))
    const payer = await readPerson(deps, run.user_id)
    const search = (one: CaseRow) => searchOnce(deps, payer, one, run.setting, signal)
    // Warm up: loading a model must not count as search time.
    const [first] = missing
    if (first) await search(first)
    for (const one of missing) await insertResult(deps.db, id, { case_id: one.id, ...(await search(one)) })
    await noteEnd(deps.db, id, 'ready', null)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError || error instanceof ModelError)) throw error
    await noteEnd(deps.db, id, 'failed', error instanceof AppError ? error.detail : error.message)
  }
}

/** Searches with the rights of the question's author and measures time and cost. The user who began the run pays. */
async function searchOnce(
  deps: Deps,
  payer: Person,
  { question, user_id }: CaseRow,
  setting: BenchSetting,
  signal: AbortSignal,
) {
  const asker = user_id === payer.id ? payer : await readPerson(deps, user_id)
  const counted = countingPurse(deps, payer)
  const began = performance.now()
  const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const { hits, reranking } = await searchLibrary(deps, asker, wishOf(question, setting), late, counted)
  return {
    found: hits.map(({ passage }) => passage.id),
    milliseconds: performance.now() - began,
    cost: counted.cost(),
    skipped: reranking.status === 'skipped' ? (reranking.detail ?? '') : null,
  }
}

function wishOf(query: string, { type, alpha, reranker, candidates }: BenchSetting): LibraryWish {
  return {
    ...{ query, type, alpha, reranker, limit: candidates, offset: 0, scope: {}, targets: [] },
    ...{ join: 'minimum', top: candidates, threshold: 0 },
  }
}

/** Bills provider calls and sums their cost; null once a price is unknown. */
function countingPurse(deps: Deps, payer: Person): SearchPurse & { cost: () => number | null } {
  const { allow, bill } = payAtOnce(deps, payer)
  let sum: number | null = 0
  return {
    allow,
    bill: async (model, usage, priceOf = (used) => deps.models.price(model, used)) => {
      const price = await priceOf(usage)
      sum = price.unpriced || sum === null ? null : sum + price.amount
      await bill(model, usage, async () => price)
    },
    cost: () => sum,
  }
}
