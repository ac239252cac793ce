import { BUILT_IN_MODEL } from '#shared/models/connections/connections.ts'
import { languageOf } from '#shared/platform/citations/text-language.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import type { Principal } from '../../platform/access/access.ts'
import {
  type Found,
  findByNames,
  type LibraryWish,
  type Named,
  nameScope,
  type Scope,
  searchLibrary,
} from '../search/search.ts'
import { findLibraryLanguages } from './questions/library-languages.ts'
import { mergeHits } from './questions/merge-hits.ts'
import { chooseNamed, nameWordsOf } from './questions/named-documents.ts'
import { type Asked, type Translating, translateQuestion } from './questions/translate-question.ts'

export type RagDeps = Pick<
  ModelDeps,
  'grants' | 'db' | 'models' | 'vectors' | 'log' | 'clock' | 'config' | 'audiences'
>

/** Default settings of a passage search. */
export const PASSAGES = { limit: 20, top: 8, alpha: 0.5, reranker: 'lexical_reranker' } as const
/** Maximum documents whose names are compared with a question. */
const MAX_NAMES = 500
/** Maximum documents listed as searched. */
export const NAMED = 5

/** The passages found for a question, and the time it took. */
export type Retrieved = Found & {
  looked: Named
  /** Number of found passages before reranking. */
  total: number
  seconds: { search: number; rerank: number }
}

type Wish = Partial<Pick<LibraryWish, 'type' | 'alpha' | 'limit' | 'top' | 'reranker'>> & {
  query: string
  scope: Scope
  /** Also searches with translations of the question into the languages of the library. */
  translating?: Translating
}

/**
 * Returns the passages that fit a question best, of those a principal may read. Calls `onFound` between search and reranking.
 * @throws AppError
 */
export async function findPassages(
  deps: RagDeps,
  principal: Principal,
  { query, scope, translating, ...wish }: Wish,
  signal: AbortSignal,
  onFound?: () => void,
): Promise<Retrieved> {
  const began = performance.now()
  let foundAt = began
  let total = 0
  const whole: LibraryWish = {
    ...{ type: 'hybrid', alpha: PASSAGES.alpha, limit: PASSAGES.limit, top: PASSAGES.top },
    ...{ reranker: PASSAGES.reranker, offset: 0, targets: [], join: 'minimum', threshold: 0 },
    ...wish,
    ...{ query, scope },
    onFound: (count) => {
      foundAt = performance.now()
      total = count
      onFound?.()
    },
  }
  const wordings = translating ? await listWordings(deps, principal, whole, translating, signal) : []
  const [found, looked] = await Promise.all([
    searchWordings(deps, principal, whole, wordings, signal),
    nameScope(deps.db, principal, scope, NAMED),
  ])
  const seconds = { search: secondsOf(foundAt - began), rerank: secondsOf(performance.now() - foundAt) }
  return { ...found, looked, total, seconds }
}

/** Translates the question into the other languages of the scope. */
async function listWordings(
  deps: RagDeps,
  principal: Principal,
  { query, scope }: LibraryWish,
  translating: Translating,
  signal: AbortSignal,
): Promise<Asked[]> {
  if (translating.model === BUILT_IN_MODEL || deps.config.ATRIUM_TRANSLATE_QUESTIONS === 'off') return []
  const languages = await findLibraryLanguages(deps.db, principal, scope)
  return translateQuestion(deps, query, languages, translating, signal)
}

/** Searches with all wordings of a question, and again within the documents it names. */
async function searchWordings(
  deps: RagDeps,
  principal: Principal,
  wish: LibraryWish,
  wordings: readonly Asked[],
  signal: AbortSignal,
): Promise<Found> {
  const { onFound: _, ...quiet } = wish
  const search = async (query: string, language: string | null, scope: Scope, isNamed: boolean) => {
    const { hits } = await searchLibrary(deps, principal, { ...quiet, query, scope }, signal)
    return { language, hits, isNamed }
  }
  const own = languageOf(wish.query)
  const named = await findNamed(deps, principal, wish)
  const asked = [{ query: wish.query, language: own }, ...wordings]
  const [found, ...others] = await Promise.all([
    searchLibrary(deps, principal, wish, signal),
    ...wordings.map(({ query, language }) => search(query, language, wish.scope, false)),
    ...(named ? asked.map(({ query, language }) => search(query, language, named, true)) : []),
  ])
  if (others.length === 0) return found
  return { ...found, hits: mergeHits([{ language: own, hits: found.hits }, ...others], wish.top) }
}

/** Returns the scope narrowed to the documents a question names; null when it names none. */
async function findNamed(
  deps: RagDeps,
  principal: Principal,
  { query, scope }: LibraryWish,
): Promise<Scope | null> {
  const words = nameWordsOf(query)
  if (words.length === 0) return null
  const documents = await findByNames(deps.db, principal, scope, words, MAX_NAMES)
  const document_ids = chooseNamed(query, documents)
  return document_ids.length > 0 ? { ...scope, document_ids } : null
}

/** Seconds, rounded to a tenth of a millisecond. */
export const secondsOf = (milliseconds: number) => Math.round(milliseconds * 10) / 10_000
