import { recordAbsorbed, recordUsage, type UsageEntry } from '../../../money/billing/billing.ts'
import { isClassRefusal, sending } from '../../../platform/access/classes/classes.ts'
import { Unreadable } from '../../../platform/parsing/parsing.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { readLibraryModel } from '../../collections/collections.ts'
import {
  embedPassages,
  holdLive,
  indexForWords,
  indexNewReading,
  insertVectors,
  noteWordsOnly,
  PASSAGES_AT_ONCE,
  type PassageToEmbed,
  passagesToEmbed,
} from '../../search/search.ts'
import { addConnectorCost, endEmbedding, holdAttempt, noteEmbedded, type Turn, type Work } from './store.ts'

/** Documents with this many passages are indexed by words before any vector exists. */
const LARGE = 100
/** Others are indexed by words when their vectors take longer than this; usually one write has both. */
const WORDS_AFTER_MS = 150
/** Passages after which a large document goes behind the other documents of its user in the same lane. */
const IN_A_TURN = 256

/**
 * The last phase: embeds each passage and indexes it for search, by words as soon as vectors take a while. Existing vectors are reused.
 * A large document takes several turns.
 */
export async function embedReading(deps: RunDeps, work: Work, turn: Turn): Promise<void> {
  if (work.chunks >= LARGE) await indexForWords(deps, work, turn.signal)
  const words = indexSoon(deps, work, turn.signal)
  try {
    await embedAndIndex(deps, work, turn, words)
  } finally {
    // The work of this turn must be over when the next one begins.
    await words.settle().catch(() => undefined)
  }
}

type Words = ReturnType<typeof indexSoon>

/** Indexes a document by words after a while, unless it is settled before. */
function indexSoon(deps: RunDeps, work: Work, signal: AbortSignal) {
  let indexing: Promise<void> | null = null
  const timer = setTimeout(() => {
    indexing = indexForWords(deps, work, signal)
    indexing.catch(() => undefined)
  }, WORDS_AFTER_MS)
  return {
    /** Waits for an index that has begun, and begins none. @throws what indexing throws */
    settle: async () => {
      clearTimeout(timer)
      await indexing
    },
  }
}

async function embedAndIndex(
  deps: RunDeps,
  work: Work,
  { signal, again }: Turn,
  words: Words,
): Promise<void> {
  const { db } = deps
  const model = await readLibraryModel(deps)
  for (let embedded = PASSAGES_AT_ONCE; ; embedded += PASSAGES_AT_ONCE) {
    const chunks = await passagesToEmbed(db, work.id, model, PASSAGES_AT_ONCE)
    if (chunks.length === 0) break
    const since = performance.now()
    const made = await vectorsOf(deps, work, { model, chunks, signal })
    if (!made) {
      await noteWordsOnly(db, work.id)
      break
    }
    const { vectors, usage } = made
    const price = usage && (await deps.models.price(model, usage))
    const isOver = await db.transaction().execute(async (trx) => {
      if (!(await holdAttempt(trx, work))) {
        // Deleted or restarted meanwhile: drop the vectors, but record their cost.
        if (usage && price) await recordAbsorbed(trx, bookingOf(work, { model, usage, price }))
        return true
      }
      await insertVectors(trx, model, vectors)
      await noteEmbedded(trx, work, model, Math.round(performance.now() - since))
      if (embedded >= IN_A_TURN) await again(trx)
      // Last, because this locks the balance, for which other documents of the user wait.
      if (usage && price) {
        await recordUsage(trx, bookingOf(work, { model, usage, price }))
        if (price.amount > 0) await addConnectorCost(trx, work, price.amount)
      }
      return embedded >= IN_A_TURN
    })
    if (isOver) return
  }
  await words.settle()
  const since = performance.now()
  // Index before completing: a completed document must be searchable.
  const library = await indexNewReading(deps, work.id, signal)
  await db.transaction().execute(async (trx) => {
    if (!(await holdAttempt(trx, work))) return
    // The library may have changed its model meanwhile: a completed document needs vectors of the live one.
    if (library && !(await holdLive(trx, library.id, model))) return again(trx)
    await endEmbedding(trx, work, { model, indexing_ms: Math.round(performance.now() - since) })
  })
}

type Used = { model: string } & Pick<UsageEntry, 'usage' | 'price'>

const bookingOf = ({ user_id }: Work, { model, ...used }: Used): UsageEntry => ({
  ...{ user_id, session_id: null, run_id: null, step_key: null, attempt: 1 },
  ...{ ...used, model_name: model, reason: 'documents' },
})

type Embedding = { model: string; chunks: PassageToEmbed[]; signal: AbortSignal }

/** Returns null when the model may not receive the class of the document. @throws Unreadable `model_failed`; the reason of `signal` */
async function vectorsOf(deps: RunDeps, { id }: Work, { model, chunks, signal }: Embedding) {
  const embed = () => embedPassages(deps, model, chunks, signal)
  return sending({ readingIds: [id] }, embed).catch((error) => {
    signal.throwIfAborted()
    if (isClassRefusal(error)) return null
    throw new Unreadable('model_failed', { model }, { cause: error })
  })
}
