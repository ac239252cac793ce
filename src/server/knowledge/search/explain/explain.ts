import type { Explanation, SearchOutcome, SearchStage } from '#shared/knowledge/search/explain.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { PriceOf } from '../../../models/models/models.ts'
import type { Usage } from '../../../models/models/port.ts'
import { findAllowed, type Principal } from '../../../platform/access/access.ts'
import { findLibrary } from '../../collections/collections.ts'
import { readKeywords } from '../keywords.ts'
import { findDocumentOf, readPassages } from '../passage-store.ts'
import { payAtOnce } from '../pay-at-once.ts'
import { CANDIDATES } from '../retrieve.ts'
import { readScope } from '../scope-store.ts'
import {
  chooseTargets,
  type Deps,
  type LibraryWish,
  scopeOfWish,
  searchLibrary,
  textOf,
} from '../search-library.ts'

/** Maximum depth of the vector and keyword lists. */
const DEEP = 5_000

type Stage = Explanation['stages'][number]

/** Returns the rank and score of a passage in every stage of a search. @throws AppError `forbidden`, `not_found` */
export async function explainSearch(
  deps: Deps,
  principal: Principal,
  wish: LibraryWish,
  chunkId: string,
  signal: AbortSignal,
): Promise<Explanation> {
  const { db, models, vectors } = deps
  const isThere = async (within: LibraryWish['scope']) =>
    (await readPassages(db, principal, within, [chunkId])).has(chunkId)
  if (!(await isThere({}))) {
    const document = await findDocumentOf(db, chunkId)
    if (document !== null) await findAllowed(db, principal, 'read document', document)
    throw new AppError('not_found', 'Chunk not found')
  }
  const ended = (outcome: SearchOutcome, stages: Stage[] = [], reranker: string | null = null) => {
    return { chunk_id: chunkId, outcome, reranker, stages }
  }
  const keywords = readKeywords(wish.query)
  const scope = scopeOfWish(wish, keywords)
  if (!(await isThere(scope))) return ended('out_of_scope')
  const library = await findLibrary(deps)
  const table = library && vectors.table(library.table_name, library.spec)
  if (!table || (await table.count({ column: 'id', equals: chunkId })) === 0) return ended('not_indexed')
  const { filter } = await readScope(db, principal, scope)
  const stages: Stage[] = []
  const note = (stage: SearchStage, list: readonly { id: string; score: number | null }[]) => {
    const at = list.findIndex(({ id }) => id === chunkId)
    stages.push({ stage, rank: at < 0 ? null : at + 1, score: list[at]?.score ?? null, of: list.length })
    return at < 0 ? null : at + 1
  }
  if (wish.type !== 'keyword') {
    const [target] = chooseTargets(library.spec.targets, wish.targets)
    const model = library.model ?? ''
    const bills: [Promise<Usage>, PriceOf][] = []
    const embed = (await models.embedders())(model)
    const embedded = await embed([textOf(keywords, wish)], signal, 'query', (...bill) => bills.push(bill))
    for (const [usage, priceOf] of bills) await payAtOnce(deps, principal).bill(model, await usage, priceOf)
    const options = { filter, limit: DEEP, exact: true }
    const near = target ? await table.near(target, embedded, options) : []
    const isCosine = target?.metric === 'cosine'
    note(
      'vector',
      near.map(({ id, distance }) => ({ id, score: isCosine ? 1 - distance / 2 : -distance })),
    )
  }
  if (wish.type !== 'vector') note('keyword', await table.keyword(keywords, { filter, limit: DEEP }))
  const whole = { ...wish, offset: 0, limit: CANDIDATES, top: CANDIDATES, threshold: 0, reranker: null }
  const found = await searchLibrary(deps, principal, whole, signal)
  const rank = note(
    'search',
    found.hits.map(({ passage, score }) => ({ id: passage.id, score })),
  )
  if (rank === null) return ended('not_found', stages)
  const most = wish.offset + wish.limit
  if (rank > most || rank <= wish.offset) return ended('beyond_limit', stages)
  const ordered = await searchLibrary(deps, principal, { ...wish, top: wish.limit, threshold: 0 }, signal)
  const { reranking, hits } = ordered
  const isReranked = reranking.status === 'done'
  const list = hits.map(({ passage, score, rerank_score }) => ({
    ...{ id: passage.id, score: isReranked ? rerank_score : score },
  }))
  const at = list.findIndex(({ id }) => id === chunkId)
  if (isReranked) note('reranking', list)
  const used = isReranked ? reranking.reranker : null
  if ((list[at]?.score ?? 0) < wish.threshold) return ended('below_threshold', stages, used)
  return ended(at >= wish.top ? 'beyond_top' : 'returned', stages, used)
}
