import type { SearchAnswer } from '#shared/knowledge/search/search.ts'
import type { TFunction } from './i18n.ts'

type Told = Pick<SearchAnswer['reranking'], 'detail' | 'skipped_because' | 'instead_of'>

/** Explains in the person's language why a reranker was skipped; a provider's answer stays in its own words. */
export function whySkipped(t: TFunction, { skipped_because: because, detail }: Told): string {
  if (because === null) return detail ?? ''
  return t(`vectors:search.because.${because}`, { detail })
}
