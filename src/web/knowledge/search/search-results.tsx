import { useState } from 'react'
import type { SearchAnswer } from '#shared/knowledge/search/search.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { whySkipped } from '../../platform/i18n/why-skipped.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { SearchHit } from './search-hit.tsx'

/** The hits, best first, with the scores of each stage. */
export function SearchResults({ answer }: { answer: SearchAnswer }) {
  const { t } = useTranslation('vectors')
  const [isRaw, setRaw] = useState(false)
  const { objects, search_type, reranking } = answer
  const { status, reranker, instead_of, original_count: original } = reranking
  const best = Math.max(...objects.map(({ keyword_score }) => keyword_score ?? 0))
  const left = original - objects.length
  return (
    <div className="grid gap-3">
      {status === 'skipped' && (
        <Callout tone="warning" title={t('search.skipped', { reranker })}>
          {whySkipped(t, reranking)}
        </Callout>
      )}
      {status === 'done' && instead_of && (
        <Callout>{t('search.instead', { wanted: instead_of, reranker })}</Callout>
      )}
      {objects.length === 0 ? (
        <EmptyState title={t('search.none')} />
      ) : (
        <>
          <div className="flex items-center gap-3">
            <p className="num min-w-0 flex-1 text-13 text-ink-2">
              {t(status === 'done' ? 'search.found_reranked' : 'search.found', {
                ...{ count: objects.length, type: t(`search.types.${search_type}`), original, reranker },
              })}
            </p>
            <Button size="sm" variant="ghost" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {t('search.raw')}
            </Button>
          </div>
          {isRaw ? (
            <pre className="overflow-x-auto rounded-card bg-surface-2 p-4 text-12">
              {JSON.stringify(answer, null, 2)}
            </pre>
          ) : (
            <ol aria-label={t('search.results')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {objects.map((object, at) => (
                <SearchHit key={object.id} {...{ object, rank: at + 1, best }} />
              ))}
            </ol>
          )}
          {left > 0 && (
            <p className="text-13 text-ink-2">
              {t('search.fell_short', { count: left, top: objects.length })}
            </p>
          )}
        </>
      )}
    </div>
  )
}
