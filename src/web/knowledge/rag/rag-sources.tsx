import { Check } from 'lucide-react'
import { useMemo } from 'react'
import type { RagAnswer } from '#shared/knowledge/rag/rag.ts'
import { PassageLink } from '../../platform/citations/citation.tsx'
import { CitedContext } from '../../platform/citations/cited.ts'
import { usePassageWays } from '../../platform/citations/open-passage.ts'
import { placeWords } from '../../platform/citations/place-words.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'

type Source = RagAnswer['sources'][number]
type Props = Pick<RagAnswer, 'sources' | 'processed_citations'>

/** The passages given to the model, the scores of each stage, and which ones are cited. */
export function RagSources({ sources, processed_citations }: Props) {
  const { t } = useTranslation('vectors')
  const ways = usePassageWays()
  const cited = useMemo(
    () => ({
      ...{ ...ways, pages: new Map(), doubts: [], isGrowing: false },
      passages: new Map(sources.map((source) => [source.chunk_id, source])),
    }),
    [ways, sources],
  )
  const numbers = new Map(processed_citations.map(({ chunk_id, number }) => [chunk_id, number]))
  if (sources.length === 0)
    return <EmptyState className="rounded-card border border-line" title={t('rag.no_sources')} />
  const numeric = 'md:text-right'
  return (
    <CitedContext value={cited}>
      <table className="w-full rounded-card border border-line bg-raised text-13 max-md:block md:border-separate md:border-spacing-0">
        <caption className="sr-only">{t('rag.sources')}</caption>
        <thead className="text-12 text-ink-2 max-md:sr-only [&_th]:border-b [&_th]:border-line [&_th]:px-3 [&_th]:py-2 [&_th]:text-left [&_th]:font-medium">
          <tr>
            <th scope="col">#</th>
            <th scope="col">{t('rag.columns.source')}</th>
            <th scope="col" className="w-full">
              {t('rag.columns.text')}
            </th>
            <th scope="col" className={numeric}>
              {t('search.scores.score')}
            </th>
            <th scope="col" className={numeric}>
              {t('search.scores.rerank_score')}
            </th>
            <th scope="col" className="whitespace-nowrap">
              {t('rag.columns.used')}
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {sources.map((source) => (
            <SourceRow key={source.chunk_id} source={source} number={numbers.get(source.chunk_id)} />
          ))}
        </tbody>
      </table>
    </CitedContext>
  )
}

function SourceRow({ source, number }: { source: Source; number: number | undefined }) {
  const { t } = useTranslation('vectors')
  const { t: tCitation } = useTranslation('streaming_blocks')
  const { chunk_id, document_name, text, score, rerank_score, used_in_response: isUsed } = source
  const decimals = { minimumFractionDigits: 3, maximumFractionDigits: 3 }
  const place = placeWords(tCitation, source)
  return (
    <tr className="max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-3 max-md:gap-y-1 max-md:border-b max-md:border-line max-md:px-3 max-md:py-2.5 max-md:last:border-0 md:[&:not(:last-child)>td]:border-b md:[&>td]:border-line md:[&>td]:px-3 md:[&>td]:py-2 md:[&>td]:align-top">
      <td>
        {number === undefined ? (
          <span className="text-ink-3">–</span>
        ) : (
          <PassageLink chunkId={chunk_id} number={number} passage={source} />
        )}
      </td>
      <td className="max-w-44 min-w-28 break-words text-ink-2 max-md:max-w-none max-md:flex-1">
        {[document_name, place].filter(Boolean).join(' · ')}
      </td>
      <td dir="auto" className="max-md:order-last max-md:w-full">
        <span className="line-clamp-2 break-words" title={text}>
          {text}
        </span>
      </td>
      <td className="num md:text-right">{formatNumber(score, decimals)}</td>
      <td className="num md:text-right">
        {rerank_score === null ? '–' : formatNumber(rerank_score, decimals)}
      </td>
      <td className="text-12 whitespace-nowrap">
        {isUsed ? (
          <span className="inline-flex items-center gap-1 font-medium text-success">
            <Check aria-hidden className="icon-12" />
            {t('rag.used')}
          </span>
        ) : (
          <span className="text-ink-3">{t('rag.not_used')}</span>
        )}
      </td>
    </tr>
  )
}
