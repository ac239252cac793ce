import type { SkippedBecause } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import { ModelError, type PriceOf } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { isUnpaid } from '../../money/billing/billing.ts'
import type { Platform } from '../../platform/platform.ts'
import { byScore, spread } from './fuse.ts'
import type { Passage } from './passage-store.ts'
import { passageTitle } from './passage-title.ts'
import type { Candidate, Question, Reranker } from './rerank/rerank.ts'
import type { Found } from './retrieve.ts'

export type Hit = Omit<Found, 'id'> & {
  passage: Passage
  rerank_score: number | null
  /** Rank in the search, from 1. */
  found_rank: number
}

/** Returns the vector of a passage; null when it has none. */
export type VectorOf = (id: string) => ArrayLike<number> | null

/** The outcome of a requested reranking. */
export type Reranking = {
  /** `skipped`: the reranker failed or timed out, and the hits keep the order of the search. */
  status: 'done' | 'off' | 'skipped'
  reranker: string | null
  /** Why the reranker was skipped or replaced, as a sentence. */
  detail: string | null
  skipped_because: SkippedBecause | null
  /** The requested reranker, when it is not installed and another one was used. */
  instead_of: string | null
  original: number
  reranked: number
}

type Deps = Pick<Platform, 'log' | 'config'>
type Wish = { top: number; threshold: number }
/** Pays for provider calls: checks the balance before, and bills afterwards at `priceOf` if known. @throws AppError `insufficient_balance` */
export type SearchPurse = {
  allow: () => Promise<void>
  bill: (model: string, usage: Usage, priceOf?: PriceOf) => Promise<void>
}

/** Orders hits by a reranker, if any. Skips one that fails or times out, and reports it in `reranking`. */
export async function rerankHits(
  { log, config }: Deps,
  { top, threshold }: Wish,
  reranker: Reranker | null,
  question: Question,
  hits: readonly Hit[],
  vectorOf: VectorOf,
  signal: AbortSignal,
  purse: SearchPurse,
): Promise<{ hits: Hit[]; reranking: Reranking }> {
  const asFound = (
    status: 'off' | 'skipped',
    detail: string | null,
    because: SkippedBecause | null = null,
  ) => {
    const kept = hits.filter(({ score }) => score >= threshold).slice(0, top)
    return {
      hits: kept,
      reranking: { ...told(status, reranker, detail, hits, kept), skipped_because: because },
    }
  }
  if (!reranker) return asFound('off', null)
  const shares = spread(hits.map(({ passage, score }) => ({ id: passage.id, score })))
  const candidates = hits.map(({ passage }) => candidateOf(passage, shares.get(passage.id) ?? 0, vectorOf))
  const seconds = config.ATRIUM_LIMIT_RERANK_SECONDS
  const late = AbortSignal.timeout(seconds * 1000)
  const work = async () => {
    const bills: Usage[] = []
    try {
      if (reranker.paid) await purse.allow()
      return await reranker.rate(question, candidates, AbortSignal.any([signal, late]), (usage) =>
        bills.push(usage),
      )
    } finally {
      // Usage is billed even when the answer is unusable.
      for (const usage of bills) await purse.bill(reranker.paid ?? reranker.name, usage)
    }
  }
  try {
    const rates = await settleWithin(work(), late)
    const kept = hits
      .map((hit, at) => ({ ...hit, rerank_score: rates[at] ?? 0 }))
      .filter(({ rerank_score }) => rerank_score >= threshold)
      .sort((a, b) =>
        byScore({ id: a.passage.id, score: a.rerank_score }, { id: b.passage.id, score: b.rerank_score }),
      )
      .slice(0, top)
    return { hits: kept, reranking: told('done', reranker, insteadOf(reranker), hits, kept) }
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error, reranker: reranker.name }, 'a reranker was skipped')
    const why = late.aborted ? `It did not answer within ${seconds} s.` : reasonOf(error)
    const detail = [insteadOf(reranker), why].filter((part) => part !== null).join(' ')
    return asFound('skipped', detail, late.aborted ? 'late' : becauseOf(error))
  }
}

const insteadOf = ({ name, standsInFor }: Reranker) =>
  standsInFor === undefined ? null : `${standsInFor} is not installed: ${name} was used instead.`

function told(
  status: Reranking['status'],
  reranker: Reranker | null,
  detail: string | null,
  hits: readonly Hit[],
  kept: readonly Hit[],
): Reranking {
  return {
    ...{ status, reranker: reranker?.name ?? null, detail, original: hits.length, reranked: kept.length },
    ...{ instead_of: reranker?.standsInFor ?? null, skipped_because: null },
  }
}

/** Rejects once `late` is aborted, even when the work ignores the signal. */
async function settleWithin<Answer>(work: Promise<Answer>, late: AbortSignal): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(late.reason)
  late.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => late.removeEventListener('abort', stop))
}

function reasonOf(error: unknown): string {
  if (error instanceof ModelError) return error.message
  return error instanceof AppError ? error.detail : 'It failed.'
}

function becauseOf(error: unknown): SkippedBecause {
  if (isUnpaid(error)) return 'unpaid'
  return error instanceof ModelError || error instanceof AppError ? 'refused' : 'failed'
}

function candidateOf(
  { id, document_name, heading_path, text }: Passage,
  score: number,
  vectorOf: VectorOf,
): Candidate {
  return {
    ...{ id, text, score, title: passageTitle(document_name, heading_path) },
    vector: vectorOf(id),
  }
}
