import { SourceFilter } from '#shared/knowledge/connectors/source-filter.ts'
import * as explain from '#shared/knowledge/search/explain.ts'
import * as contract from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { makeTrigramIndexes } from '../../platform/db/db.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import { findCollection } from '../collections/collections.ts'
import { explainSearch } from './explain/explain.ts'
import { passageTitle } from './passage-title.ts'
import { listRerankers } from './rerank/rerank.ts'
import type { SearchType } from './retrieve.ts'
import type { Scope } from './scope-store.ts'
import { type Hit, type LibraryWish, searchLibrary } from './search-library.ts'
import { registerUpkeep } from './upkeep.ts'

export { embedPassages, PASSAGES_AT_ONCE } from './embed-passages.ts'
export { indexForWords, indexNewReading, indexReading } from './index-reading.ts'
export { holdLive, listUnindexed } from './index-store.ts'
export { findByNames } from './name-store.ts'
export {
  listPassages,
  type Passage,
  type PassageSource,
  readPassages,
  readWhole,
  samplePassages,
} from './passage-store.ts'
export { passageTitle } from './passage-title.ts'
export { payAtOnce } from './pay-at-once.ts'
export { reconcile, removeWrong } from './reconcile.ts'
export { wordsOf } from './rerank/lexical.ts'
export { type Candidate, findReranker } from './rerank/rerank.ts'
export type { SearchPurse } from './rerank-hits.ts'
export { areInScope, inScope, type Named, nameScope, type Scope } from './scope-store.ts'
export { type Answer as Found, type Hit, type LibraryWish, searchLibrary } from './search-library.ts'
export { forgetPassages, requestForgetting } from './upkeep.ts'
export { insertVectors, noteWordsOnly, type PassageToEmbed, passagesToEmbed } from './vector-store.ts'
export { warmSearch } from './warm-search.ts'

/** Timeout of a search, including the embedding of its question. */
const PATIENCE_MS = 30_000

/** Serves search and registers the maintenance of the vector store. */
export function serveSearch(server: Server, deps: ModelDeps): void {
  const { db, jobs } = deps
  jobs.register('make-trigram-indexes', (_, signal) => makeTrigramIndexes(db, signal), {
    cron: '*/5 * * * *',
  })
  /** @throws AppError when the chat, workspace or collection does not exist or may not be read */
  const wishFor = async (user: Caller, body: Request): Promise<LibraryWish> => {
    if (body.chat_session_id) await findAllowed(db, user, 'read session', body.chat_session_id)
    for (const id of body.workspace_ids ?? []) await findAllowed(db, user, 'read workspace', id)
    await assertLibrary(deps, body.collection_name)
    return { ...wishOf(body), type: typeOf(body), scope: scopeOf(body) }
  }
  serve(server, explain.explainSearch, {
    handle: async ({ body, user }) => {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      return explainSearch(deps, user, await wishFor(user, body), body.chunk_id, signal)
    },
  })
  serve(server, contract.searchAndRerank, {
    handle: async ({ body, user }) => {
      const wish = await wishFor(user, body)
      const answer = await searchLibrary(deps, user, wish, AbortSignal.timeout(PATIENCE_MS))
      const { original, reranked, ...how } = answer.reranking
      return {
        objects: answer.hits.map(showHit),
        search_type: wish.type,
        documents: answer.documents,
        reranking: { ...how, original_count: original, reranked_count: reranked },
      }
    },
  })
  serve(server, contract.getVectorInfo, {
    handle: async ({ params }) => {
      const found = await findCollection(db, params.collection)
      if (!found && params.collection !== contract.LIBRARY_COLLECTION)
        throw new AppError('not_found', 'Collection not found')
      const targets = found?.spec.targets ?? []
      const vector_fields = targets.map(({ name, dimensions, isMulti }) => ({
        ...{ name, dimensions, model: found?.model ?? null, is_multi_vector: isMulti },
      }))
      return { vector_fields, is_multi_vector: vector_fields.some((field) => field.is_multi_vector) }
    },
  })
  const rerankers = async () => ({
    rerankers: (await listRerankers(deps.models)).map(({ name, description }) => ({ name, description })),
  })
  serve(server, contract.listRerankers, { handle: rerankers })
  serve(server, contract.listAvailableRerankers, { handle: rerankers })
  registerUpkeep(deps)
}

type Request = contract.SearchRequest

function typeOf({ use_bm25, hybrid_search }: Request): SearchType {
  if (use_bm25) return 'keyword'
  return hybrid_search ? 'hybrid' : 'vector'
}

const wishOf = (body: Request) => ({
  ...{ query: body.query, alpha: body.hybrid_alpha, limit: body.limit, offset: body.offset },
  ...{ targets: body.target_vectors ?? [], join: body.join_strategy, reranker: body.reranker_name ?? null },
  ...(body.target_weights && { weights: body.target_weights }),
  ...{
    top: body.reranker_name ? body.top_n : body.limit,
    threshold: body.reranker_parameters?.threshold ?? 0,
  },
})

/** Returns the scope of a request. @throws AppError for an unknown filter property */
export function scopeOf({
  filters = [],
  chat_session_id,
  workspace_ids,
}: Pick<Request, 'filters' | 'chat_session_id' | 'workspace_ids'>): Scope {
  const scope: Scope = {
    ...(chat_session_id && { session_id: chat_session_id }),
    ...(workspace_ids && { workspace_ids }),
  }
  return filters.reduce(
    (narrowed, { property, operator, value }) =>
      property === 'changed_at' || property === 'created_at'
        ? narrowTime(narrowed, property, operator, String(value))
        : narrow(narrowed, property, operator, String(value)),
    scope,
  )
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function narrow(
  scope: Scope,
  property: string,
  operator: contract.SearchFilter['operator'],
  value: string,
): Scope {
  if (operator !== 'equal') throw new AppError('invalid', `${property} can only be filtered with equal.`)
  switch (property) {
    case 'document_id':
      if (!UUID.test(value)) throw new AppError('invalid', 'document_id must be an id.')
      return { ...scope, document_ids: scope.document_ids?.filter((id) => id === value) ?? [value] }
    case 'file_name':
      return { ...scope, title: [...(scope.title ?? []), value] }
    case 'file_type':
      return { ...scope, type: [value] }
    case 'connector_id':
    case 'source_owner':
    case 'source_path':
    case 'source_label':
      return withSource(scope, { [property]: value })
    default:
      throw new AppError('invalid', `Passages have no property ${property} that can be filtered by.`)
  }
}

function narrowTime(
  scope: Scope,
  property: 'changed_at' | 'created_at',
  operator: contract.SearchFilter['operator'],
  value: string,
): Scope {
  if (operator === 'equal')
    throw new AppError('invalid', `${property} can only be filtered with from and to.`)
  return withSource(scope, { [property.replace(/at$/, operator)]: value })
}

/** @throws AppError for a value that its part of the filter does not take */
function withSource(scope: Scope, part: Record<string, string>): Scope {
  const read = SourceFilter.safeParse(part)
  if (!read.success) throw new AppError('invalid', `The value of ${Object.keys(part).join()} is not valid.`)
  return { ...scope, source: { ...scope.source, ...read.data } }
}

/** @throws AppError when the collection does not exist, or has no documents */
export async function assertLibrary({ db }: Pick<ModelDeps, 'db'>, name: string): Promise<void> {
  if (name === contract.LIBRARY_COLLECTION) return
  if (!(await findCollection(db, name))) throw new AppError('not_found', 'Collection not found')
  throw new AppError('invalid', `The collection ${name} holds no documents.`)
}

function showHit({ passage, ...scores }: Hit): contract.SearchObject {
  const { id, document_id, document_name, format, type, text, heading_path, stands, page_number } = passage
  return {
    ...{ id, ...scores, content: text },
    properties: {
      ...{ document_id, file_name: document_name, file_type: format, chunk_type: type, text },
      ...{ title: passageTitle(document_name, heading_path), page_number, heading_path, place: stands },
    },
  }
}
