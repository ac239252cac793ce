import clsx from 'clsx'
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import type { SearchObject } from '#shared/knowledge/search/search.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'

/** `best` is the highest keyword score among all hits, because keyword scores have no upper bound. */
type Props = { object: SearchObject; rank: number; best: number }

/** A found passage: its rank before and after reranking, its document, its text, and its scores. */
export function SearchHit({ object, rank, best }: Props) {
  const { t } = useTranslation('vectors')
  const { id, content, rerank_score, found_rank, properties } = object
  const { file_name, chunk_type, page_number, heading_path } = properties
  const facts = [
    page_number !== null && t('page', { page: page_number }),
    chunk_type,
    heading_path.join(' › '),
  ].filter(Boolean)
  return (
    <li className="grid min-w-0 grid-cols-[34px_minmax(0,1fr)_212px] gap-x-3.5 gap-y-2 rounded-card border border-line bg-raised px-4 py-3 max-md:grid-cols-[34px_minmax(0,1fr)]">
      <div className="num">
        <span className="text-18 leading-[22px] font-semibold">{rank}</span>
        {rerank_score !== null && <Moved by={found_rank - rank} />}
      </div>
      <div className="min-w-0">
        <div className="mb-1 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3">
          <FileTile extension={extensionOf(file_name)} size="sm" />
          <span className="min-w-0 truncate font-medium text-ink-2">{file_name}</span>
          <span className="min-w-0 break-words">{facts.join(' · ')}</span>
        </div>
        <p dir="auto" className="line-clamp-3 text-13 leading-[20px] break-words">
          {content || t('objects.no_content')}
        </p>
        <p className="mt-1 font-mono text-11 break-all text-ink-3">{id}</p>
      </div>
      <dl className="num grid content-start gap-y-0.5 text-12 max-md:col-span-2">
        <Score name="score" value={object.score} most={1} />
        <Score name="rerank_score" value={rerank_score} most={1} />
        <Score name="keyword_score" value={object.keyword_score} most={best} />
        <Score name="certainty" value={object.certainty} most={1} />
        <Score name="distance" value={object.distance} most={null} />
      </dl>
    </li>
  )
}

/** How many ranks the reranker moved it. */
function Moved({ by }: { by: number }) {
  const { t } = useTranslation('vectors')
  const [Arrow, word, tone] =
    by > 0
      ? ([ArrowUp, 'risen', 'text-success'] as const)
      : by < 0
        ? ([ArrowDown, 'fallen', 'text-warning'] as const)
        : ([Minus, 'stayed', 'text-ink-3'] as const)
  return (
    <span className={clsx('flex items-center gap-0.5 text-12', tone)}>
      <Arrow aria-hidden className="icon-12" />
      <span className="sr-only">{t(`search.${word}`, { count: Math.abs(by) })}</span>
      {by !== 0 && <span aria-hidden>{Math.abs(by)}</span>}
    </span>
  )
}

type ScoreProps = { name: string; value: number | null; most: number | null }

/** The score of a stage, as a bar if it has a maximum. */
function Score({ name, value, most }: ScoreProps) {
  const { t } = useTranslation('vectors')
  if (value === null) return null
  const share = most === null || most <= 0 ? null : Math.max(0, Math.min(1, value / most))
  return (
    <div className="grid grid-cols-[84px_minmax(0,1fr)_44px] items-center gap-2">
      <dt className="truncate text-ink-2">{t(`search.scores.${name}`)}</dt>
      <dd aria-hidden className={clsx('h-1 overflow-hidden rounded-full', share !== null && 'bg-surface-3')}>
        {share !== null && (
          <span
            className={clsx(
              'block h-full rounded-full',
              name === 'rerank_score' ? 'bg-accent' : 'bg-line-strong',
            )}
            style={{ width: `${share * 100}%` }}
          />
        )}
      </dd>
      <dd className="text-right">
        {formatNumber(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 })}
      </dd>
    </div>
  )
}
