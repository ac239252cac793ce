import { recordAbsorbed, recordUsage, type UsageEntry } from '../../../money/billing/billing.ts'
import { Unreadable } from '../../../platform/parsing/parsing.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { readLibraryModel } from '../../collections/collections.ts'
import {
  embedPassages,
  holdLive,
  indexForWords,
  indexNewReading,
  insertVectors,
  PASSAGES_AT_ONCE,
  type PassageToEmbed,
  passagesToEmbed,
} from '../../search/search.ts'
import { endEmbedding, holdAttempt, noteEmbedded, type Turn, type Work } from './store.ts'

/** From so many passages on a document can be found by its words before all its vectors are made. */
const LARGE = 100
/** After so many a large document goes on behind the others of its person, which wait in the same lane. */
const IN_A_TURN = 256

/**
 * The last phase: a vector for each passage, and a copy where it is searched. What is there already is not asked for again. A large
 * document takes several turns.
 */
export async function embedReading(deps: RunDeps, work: Work, { signal, again }: Turn): Promise<void> {
  const { db } = deps
  const model = await readLibraryModel(deps)
  if (work.chunks >= LARGE) await indexForWords(deps, work, signal)
  for (let embedded = PASSAGES_AT_ONCE; ; embedded += PASSAGES_AT_ONCE) {
    const chunks = await passagesToEmbed(db, work.id, model, PASSAGES_AT_ONCE)
    if (chunks.length === 0) break
    const since = performance.now()
    const { vectors, usage } = await vectorsOf(deps, model, chunks, signal)
    const price = usage && (await deps.models.price(model, usage))
    const isOver = await db.transaction().execute(async (trx) => {
      if (!(await holdAttempt(trx, work))) {
        // Deleted or read anew meanwhile: the vectors go, what they cost can be seen.
        if (usage && price) await recordAbsorbed(trx, bookingOf(work, { model, usage, price }))
        return true
      }
      await insertVectors(trx, model, vectors)
      await noteEmbedded(trx, work, model, Math.round(performance.now() - since))
      if (embedded >= IN_A_TURN) await again(trx)
      // Last: others of the same person wait for the lock on their balance.
      if (usage && price) await recordUsage(trx, bookingOf(work, { model, usage, price }))
      return embedded >= IN_A_TURN
    })
    if (isOver) return
  }
  const since = performance.now()
  // What is completed can be found.
  const library = await indexNewReading(deps, work.id, signal)
  await db.transaction().execute(async (trx) => {
    if (!(await holdAttempt(trx, work))) return
    // The library went over to another model meanwhile: what is completed has vectors of the one that is searched.
    if (library && !(await holdLive(trx, library.id, model))) return again(trx)
    await endEmbedding(trx, work, { model, indexing_ms: Math.round(performance.now() - since) })
  })
}

type Used = { model: string } & Pick<UsageEntry, 'usage' | 'price'>

const bookingOf = ({ user_id }: Work, { model, ...used }: Used): UsageEntry => ({
  ...{ user_id, session_id: null, run_id: null, step_key: null, attempt: 1 },
  ...{ ...used, model_name: model, reason: 'documents' },
})

/** @throws Unreadable `model_failed`; the reason of `signal` */
async function vectorsOf(deps: RunDeps, model: string, passages: PassageToEmbed[], signal: AbortSignal) {
  return embedPassages(deps, model, passages, signal).catch((error) => {
    signal.throwIfAborted()
    throw new Unreadable('model_failed', { model }, { cause: error })
  })
}
