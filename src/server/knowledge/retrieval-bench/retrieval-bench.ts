import * as z from 'zod'
import * as contract from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { sending } from '../../platform/access/classes/classes.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { readLibraryModel } from '../collections/collections.ts'
import { findReranker } from '../search/search.ts'
import { serveBenchFeedback } from './bench-feedback.ts'
import { assertRoom, assertSet } from './limits.ts'
import { jobKey, runBench } from './run-bench.ts'
import { showCases, showPassages, showRuns } from './show-bench.ts'
import {
  deleteCase,
  deleteRun,
  deleteSet,
  findCase,
  insertCase,
  insertRun,
  insertSet,
  listCases,
  listRuns,
  listSets,
  updateCase,
} from './store.ts'

const JOB = 'run-retrieval-bench'
const Payload = z.object({ runId: z.string() })

/** Serves the retrieval bench: sets of questions, runs over settings, and their figures. */
export function serveRetrievalBench(server: Server, deps: ModelDeps): void {
  // Runs measure latency, so only one runs at a time.
  const run = (payload: unknown, signal: AbortSignal) =>
    sending({}, () => runBench(deps, Payload.parse(payload).runId, signal))
  deps.jobs.register(JOB, run, { places: 1 })
  serveSets(server, deps)
  serveCases(server, deps)
  serveRuns(server, deps)
  serveBenchFeedback(server, deps)
}

function serveSets(server: Server, { db, jobs, clock }: ModelDeps): void {
  serve(server, contract.listBenchSets, {
    handle: async () => ({ sets: await listSets(db, contract.MAX_SETS) }),
  })
  serve(server, contract.createBenchSet, {
    handle: async ({ body }) => {
      const name = cleanCharacters(body.name)
      if ((await listSets(db, contract.MAX_SETS)).length >= contract.MAX_SETS)
        throw new AppError('conflict', `There are ${contract.MAX_SETS} sets already. Delete one first.`)
      const made = await insertSet(db, name, clock.now())
      if (!made) throw new AppError('conflict', `There is a set called ${name}: choose another name.`)
      return { ...made, name, cases: 0, judged: 0 }
    },
  })
  serve(server, contract.removeBenchSet, {
    handle: async ({ params: { benchSetId } }) => {
      for (const { id } of await listRuns(db, benchSetId, contract.MAX_RUNS)) await jobs.cancel(jobKey(id))
      if (!(await deleteSet(db, benchSetId))) throw new AppError('not_found', 'This set is gone.')
    },
  })
}

function serveCases(server: Server, deps: ModelDeps): void {
  const { db, clock } = deps
  const show = async (row: Awaited<ReturnType<typeof findCase>>) => {
    const [shown] = row ? await showCases(deps, row.set_id, [row]) : []
    if (!shown) throw new AppError('not_found', 'This question is gone.')
    return shown
  }
  serve(server, contract.listBenchCases, {
    handle: async ({ params: { benchSetId }, query: { page, limit, q = '' } }) => {
      await assertSet(db, benchSetId)
      const skip = (page - 1) * limit
      const { rows, total } = await listCases(db, benchSetId, { q: q.trim(), skip, limit })
      const items = await showCases(deps, benchSetId, rows)
      return { items, total, has_more: skip + items.length < total }
    },
  })
  serve(server, contract.addBenchCase, {
    handle: async ({ params: { benchSetId }, body, user }) => {
      await assertRoom(db, benchSetId)
      const question = cleanCharacters(body.question)
      const row = { set_id: benchSetId, user_id: user.id, question, expected: body.expected }
      return show(await insertCase(db, { ...row, created_at: clock.now() }))
    },
  })
  serve(server, contract.readBenchCase, {
    handle: async ({ params, user }) => {
      const row = await findCase(db, params.benchCaseId)
      return { case: await show(row), passages: row ? await showPassages(deps, user, row) : [] }
    },
  })
  serve(server, contract.changeBenchCase, {
    handle: async ({ params, body }) => {
      const question = cleanCharacters(body.question)
      return show(await updateCase(db, params.benchCaseId, { ...body, question }))
    },
  })
  serve(server, contract.removeBenchCase, {
    handle: async ({ params }) => {
      if (!(await deleteCase(db, params.benchCaseId)))
        throw new AppError('not_found', 'This question is gone.')
    },
  })
}

function serveRuns(server: Server, deps: ModelDeps): void {
  const { db, jobs, clock } = deps
  serve(server, contract.listBenchRuns, {
    handle: async ({ params: { benchSetId } }) => {
      await assertSet(db, benchSetId)
      return { runs: await showRuns(deps, benchSetId) }
    },
  })
  serve(server, contract.beginBenchRuns, {
    handle: async ({ params: { benchSetId: set_id }, body: { settings }, user }) => {
      await assertSet(db, set_id)
      const { total } = await listCases(db, set_id, { q: '', skip: 0, limit: 1 })
      if (total === 0) throw new AppError('conflict', 'This set has no questions yet. Add one first.')
      for (const { reranker } of settings) if (reranker) await findReranker(deps.models, reranker)
      const model = await readLibraryModel(deps)
      const began = clock.now().getTime()
      for (const [at, setting] of settings.entries()) {
        // Distinct times keep the order of the request.
        const row = { set_id, user_id: user.id, model, setting, created_at: new Date(began + at) }
        const { id, gone } = await insertRun(db, row, contract.MAX_RUNS)
        for (const old of gone) await jobs.cancel(jobKey(old))
        await jobs.add(JOB, { runId: id }, { key: jobKey(id), maxAttempts: 3 })
      }
      return { runs: await showRuns(deps, set_id) }
    },
  })
  serve(server, contract.removeBenchRun, {
    handle: async ({ params: { benchRunId } }) => {
      await jobs.cancel(jobKey(benchRunId))
      if (!(await deleteRun(db, benchRunId))) throw new AppError('not_found', 'This run is gone.')
    },
  })
}
