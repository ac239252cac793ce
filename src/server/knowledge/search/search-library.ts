import type { JoinStrategy } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import type { PriceOf } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import type { Principal } from '../../platform/access/access.ts'
import { isClassRefusal, sendingAlso } from '../../platform/access/classes/classes.ts'
import {
  fromBytes,
  MissingTable,
  type Target,
  TooManyRows,
  WrongVector,
} from '../../platform/vectors/vectors.ts'
import { findLibrary } from '../collections/collections.ts'
import { type Keywords, readKeywords } from './keywords.ts'
import { readPassages } from './passage-store.ts'
import { payAtOnce } from './pay-at-once.ts'
import { findReranker } from './rerank/rerank.ts'
import { type Hit, type Reranking, rerankHits, type SearchPurse } from './rerank-hits.ts'
import { retrieve, type SearchType } from './retrieve.ts'
import { readScope, type Scope } from './scope-store.ts'
import { readVectors } from './vector-store.ts'

export type { Hit } from './rerank-hits.ts'

export type Deps = Pick<ModelDeps, 'db' | 'vectors' | 'models' | 'log' | 'config'>

export type LibraryWish = {
  query: string
  type: SearchType
  alpha: number
  /** Number of hits of the search, all of which are reranked. */
  limit: number
  offset: number
  scope: Scope
  /** Target names; empty for the first target of the library. */
  targets: readonly string[]
  join: JoinStrategy
  weights?: readonly number[]
  /** Null keeps the order of the search. */
  reranker: string | null
  /** Number of hits kept after reranking. */
  top: number
  /** Minimum score, from 0 to 1. */
  threshold: number
  /** Receives the number of hits before reranking. */
  onFound?: (count: number) => void
}

export type Answer = {
  hits: Hit[]
  /** Number of searched documents. */
  documents: number
  reranking: Reranking
}

/**
 * Returns the passages of the library that fit a question best, of those a principal may read; best first. The principal pays unless
 * another purse is given. @throws AppError
 */
export async function searchLibrary(
  deps: Deps,
  principal: Principal,
  wish: LibraryWish,
  signal: AbortSignal,
  purse: SearchPurse = payAtOnce(deps, principal),
): Promise<Answer> {
  const reranker = wish.reranker === null ? null : await findReranker(deps.models, wish.reranker)
  const keywords = readKeywords(wish.query)
  const scope = scopeOfWish(wish, keywords)
  const [{ filter, documents }, { library, embedder }] = await Promise.all([
    readScope(deps.db, principal, scope),
    openLibrary(deps, wish),
  ])
  const rerank = async (vector: ArrayLike<number> | null, hits: Hit[]) => {
    wish.onFound?.(hits.length)
    const ids = reranker?.usesVectors ? hits.map(({ passage }) => passage.id) : []
    const stored = ids.length > 0 ? await readVectors(deps.db, library?.model ?? '', ids) : null
    const vectorOf = (id: string) => {
      const bytes = stored?.get(id)
      return bytes ? fromBytes(bytes) : null
    }
    const question = { text: textOf(keywords, wish), vector }
    const rated = hits.map(({ passage }) => ({ kind: 'document' as const, id: passage.document_id }))
    return sendingAlso(rated, () => rerankHits(deps, wish, reranker, question, hits, vectorOf, signal, purse))
  }
  if (!library || documents === 0) return { documents, ...(await rerank(null, [])) }
  const targets = chooseTargets(library.spec.targets, wish.targets)
  const vectors = new Map<string, ArrayLike<number>>()
  const bills: Promise<void>[] = []
  // Bills arrive while the search continues.
  const told = (usage: Promise<Usage>, priceOf: PriceOf) => {
    const bill = usage.then((used) => purse.bill(library.model ?? '', used, priceOf))
    bill.catch(() => undefined)
    bills.push(bill)
  }
  const embed = async ({ name }: Target, query: string) => {
    const vectorsOf = await embedder()
    const [vector] = (await vectorsOf?.([query], signal, 'query', told).catch(unlessWordsDo)) ?? []
    if (vector) vectors.set(name, vector)
    return vector ? [vector] : []
  }
  // A question that the model may not receive is still answered by its words.
  const unlessWordsDo = (error: unknown): number[][] => {
    if (wish.type === 'hybrid' && isClassRefusal(error)) return []
    throw error
  }
  const query = textOf(keywords, wish)
  const find = async () => {
    const found = await retrieve(deps.vectors.table(library.table_name, library.spec), embed, {
      ...{ type: wish.type, query, words: keywords, targets, join: wish.join, alpha: wish.alpha, filter },
      ...(wish.weights && { weights: wish.weights }),
      limit: wish.offset + wish.limit,
    }).catch((error) => {
      // The table is being rebuilt: nothing is found until then.
      if (error instanceof MissingTable) return []
      if (error instanceof TooManyRows || error instanceof WrongVector)
        throw new AppError('invalid', error.message)
      throw error
    })
    const ids = found.map(({ id }) => id)
    return { found, passages: await readPassages(deps.db, principal, scope, ids) }
  }
  const { found, passages } = await find().finally(() => Promise.all(bills))
  const hits = found.flatMap(({ id, ...scores }) => {
    const passage = passages.get(id)
    return passage ? [{ ...scores, passage, rerank_score: null }] : []
  })
  const [vector = null] = vectors.values()
  const ranked = hits.map((hit, at) => ({ ...hit, found_rank: at + 1 }))
  return { documents, ...(await rerank(vector, ranked.slice(wish.offset))) }
}

/** Opens the library and loads the embedders concurrently. */
async function openLibrary(deps: Pick<Deps, 'db' | 'models'>, { type }: Pick<LibraryWish, 'type'>) {
  const embedders = type === 'keyword' ? null : deps.models.embedders()
  // A failure only matters to a search that needs the embedder.
  embedders?.catch(() => undefined)
  const library = await findLibrary(deps)
  return { library, embedder: async () => (await embedders)?.(library?.model ?? '') }
}

/** The question without its operators. */
export const textOf = ({ any, phrases }: Keywords, { query }: Pick<LibraryWish, 'query'>) =>
  [any, ...phrases].join(' ') || query

/** The scope of a request, narrowed by the operators in its question. */
export const scopeOfWish = ({ scope }: LibraryWish, keywords: Keywords): Scope => ({
  ...{ ...scope, ...onlyGiven(keywords) },
})

function onlyGiven({
  title,
  type,
  workspace,
}: {
  title: string[]
  type: string[]
  workspace: string[]
}): Scope {
  return {
    ...(title.length > 0 && { title }),
    ...(type.length > 0 && { type }),
    ...(workspace.length > 0 && { workspace }),
  }
}

/** Returns the targets to compare. @throws AppError for an unknown name */
export function chooseTargets(all: readonly Target[], names: readonly string[]): readonly Target[] {
  if (names.length === 0) return all.slice(0, 1)
  return names.map((name) => {
    const target = all.find((one) => one.name === name)
    if (!target) throw new AppError('invalid', `There is no vector field ${name} in this collection.`)
    return target
  })
}
