import type { SearchAnswer } from '#shared/knowledge/search/search.ts'
import type { TFunction } from './i18n.ts'

type Told = Pick<SearchAnswer['reranking'], 'detail' | 'skipped_because' | 'instead_of'>

/** Why a reranker was passed over, in the language of the person; what a provider answered stays in its own words. */
export function whySkipped(t: TFunction, { skipped_because: because, detail }: Told): string {
  if (because === null) return detail ?? ''
  return t(`vectors:search.because.${because}`, { detail })
}
