import type { SearchAnswer, SearchObject } from '#shared/search/search.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { Callout } from '../ui/callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** What was found, the best first, with what each stage said of it. */
export function SearchResults({ answer }: { answer: SearchAnswer }) {
  const { t } = useTranslation('vectors')
  const { objects, search_type, reranking } = answer
  if (objects.length === 0) return <EmptyState title={t('search.none')} />
  return (
    <div className="grid gap-3">
      <p className="text-13 text-ink-2">
        {t(reranking.status === 'done' ? 'search.found_reranked' : 'search.found', {
          ...{ count: objects.length, type: t(`search.types.${search_type}`) },
          ...{ original: reranking.original_count, reranker: reranking.reranker },
        })}
      </p>
      {reranking.status === 'skipped' && (
        <Callout tone="warning">{t('search.skipped', { reranker: reranking.reranker })}</Callout>
      )}
      <ol aria-label={t('search.results')} className="grid gap-3">
        {objects.map((object, at) => (
          <Hit key={object.id} object={object} rank={at + 1} />
        ))}
      </ol>
    </div>
  )
}

function Hit({ object, rank }: { object: SearchObject; rank: number }) {
  const { t } = useTranslation('vectors')
  const { file_name, chunk_type, page_number, heading_path } = object.properties
  const facts = [
    chunk_type,
    page_number !== null && t('page', { page: page_number }),
    heading_path.join(' · '),
  ].filter(Boolean)
  return (
    <li className="flex min-w-0 gap-4 rounded-card border border-line bg-bg p-3.5 max-sm:flex-col">
      <span className="num text-18 font-semibold text-ink-2">{rank}</span>
      <div className="min-w-0 flex-1">
        <div className="mb-1 flex flex-wrap gap-x-2 text-12 text-ink-3">
          <span className="font-medium text-ink-2">{file_name}</span>
          <span>{facts.join(' · ')}</span>
        </div>
        <p dir="auto" className="text-13 whitespace-pre-wrap">
          {object.content || t('objects.no_content')}
        </p>
        <p className="mt-1.5 font-mono text-11 break-all text-ink-3">{object.id}</p>
      </div>
      <dl className="num grid w-36 flex-none grid-cols-2 content-start gap-x-3 gap-y-1 text-12">
        {(['score', 'rerank_score', 'keyword_score', 'distance', 'certainty'] as const).map(
          (name) =>
            object[name] !== null && (
              <div key={name} className="contents">
                <dt className="text-ink-2">{t(`search.scores.${name}`)}</dt>
                <dd className="text-right">{object[name].toFixed(3)}</dd>
              </div>
            ),
        )}
      </dl>
    </li>
  )
}
