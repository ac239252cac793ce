import { Link } from '@tanstack/react-router'
import { BookMarked, Bookmark, FileText, MessageSquare, RotateCcw, Search, SearchX } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { SearchHit, SearchKind } from '#shared/chat/search/search.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { formatDate } from '../../platform/i18n/format.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Badge } from '../../platform/ui/badge.tsx'
import { Button } from '../../platform/ui/button.tsx'
import { Callout } from '../../platform/ui/callout.tsx'
import { Marked, splitMatch } from '../../platform/ui/marked.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import type { SearchFilter } from './filter.ts'
import { addressOf } from './hit-address.ts'
import { moveToHit } from './move-to-hit.ts'
import { type HitGroup, useMoreHits } from './use-search.ts'

const icons: Record<SearchKind, typeof Search> = {
  chat: MessageSquare,
  document: FileText,
  prompt: BookMarked,
  memory: Bookmark,
}

type HitsProps = {
  filter: SearchFilter
  /** Null before the first answer, and without words. */
  groups: HitGroup[] | null
  error: Error | null
  /** False while the hits belong to earlier words. */
  isCurrent: boolean
  onPoint: (hit: SearchHit) => void
  onRetry: () => void
}

/** The hits by type, with their states. */
export function Hits({ filter, groups, error, isCurrent, onPoint, onRetry }: HitsProps) {
  const { t } = useTranslation('search')
  const count = groups?.reduce((sum, { items }) => sum + items.length, 0) ?? 0
  const hasMore = groups?.some(({ cursor }) => cursor !== null) ?? false
  if (!filter.q)
    return (
      <EmptyState icon={<Search aria-hidden />} title={t('start')}>
        {t('start_text')}
      </EmptyState>
    )
  if (error)
    return (
      <Callout
        tone="danger"
        action={
          <Button size="sm" icon={<RotateCcw aria-hidden className="icon-14" />} onClick={onRetry}>
            {t('common:actions.retry')}
          </Button>
        }
      >
        {errorText(t, error)}
      </Callout>
    )
  if (!groups) return <Skeletons className="grid gap-2" sizes={['h-16', 'h-16', 'h-16', 'h-16']} />
  return (
    <div aria-busy={!isCurrent} className="grid gap-5">
      <p role="status" className="sr-only">
        {isCurrent && t(hasMore ? 'count_more' : 'count', { count })}
      </p>
      {count === 0 && (
        <EmptyState icon={<SearchX aria-hidden />} title={t('nothing', { words: filter.q })}>
          {t('nothing_text')}
        </EmptyState>
      )}
      {groups
        .filter(({ items }) => items.length > 0)
        .map((group) => (
          <HitSection
            key={`${group.kind} ${JSON.stringify(filter)} ${group.cursor}`}
            {...{ filter, group, onPoint }}
          />
        ))}
    </div>
  )
}

type SectionProps = { filter: SearchFilter; group: HitGroup; onPoint: (hit: SearchHit) => void }

function HitSection({ filter, group, onPoint }: SectionProps) {
  const { t } = useTranslation('search')
  const { hits, more } = useMoreHits(filter, group)
  const title = t(`kinds.${group.kind}`)
  return (
    <div className="grid gap-1">
      <h2 className="px-3 text-12 leading-4 font-medium text-ink-3">{title}</h2>
      <ul className="grid gap-px">
        {hits.map((hit) => (
          <li key={`${hit.id} ${hit.thing_id}`}>
            <HitRow hit={hit} onPoint={() => onPoint(hit)} />
          </li>
        ))}
      </ul>
      {more && (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          busy={more.isLoading}
          aria-label={t('more_of', { kind: title })}
          onClick={more.load}
        >
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function HitRow({ hit, onPoint }: { hit: SearchHit; onPoint: () => void }) {
  const { t } = useTranslation('search')
  const detail = useDetail(hit)
  const Icon = icons[hit.kind]
  const { to, search } = addressOf(hit)
  const parts = splitMatch(hit.excerpt)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const moves = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' } as const
    const where = moves[event.key as keyof typeof moves]
    if (!where) return
    event.preventDefault()
    moveToHit(event.currentTarget, where)
  }
  return (
    <Link
      data-hit={hit.kind}
      to={to as '/'}
      search={search as never}
      className="flex gap-3 rounded-card px-3 py-2.5 hover-motion hover:bg-surface-2 focus-visible:bg-surface-2"
      onFocus={onPoint}
      onMouseEnter={onPoint}
      onKeyDown={onKeyDown}
    >
      <Icon aria-hidden className="icon mt-0.5 flex-none text-ink-3" />
      <span className="min-w-0 flex-1">
        {hit.kind !== 'memory' && (
          <span className="flex items-center gap-2">
            <span dir="auto" className="truncate text-13 font-medium">
              {hit.is_title ? <Marked parts={parts} /> : hit.title || t('untitled')}
            </span>
            {hit.is_archived && <Badge>{t('archived')}</Badge>}
          </span>
        )}
        {!hit.is_title && (
          <span dir="auto" className="line-clamp-2 text-13 text-ink-2 wrap-anywhere">
            <Marked parts={aroundFirst(parts)} />
          </span>
        )}
        <span className="block truncate text-12 text-ink-3">{detail}</span>
      </span>
    </Link>
  )
}

/** Returns what tells similar hits apart: date, page, project and person. */
function useDetail({ at, page_number, project, person }: SearchHit): string {
  const { t } = useTranslation('search')
  const page = page_number === null ? null : t('page', { page: page_number })
  return [formatDate(at), page, project?.name, person.name].filter(Boolean).join(' · ')
}

/** Characters of a row before the first match. */
const BEFORE = 60

/** Cuts the text before the first match, so that the match is in the first line. */
function aroundFirst(parts: ReturnType<typeof splitMatch>): typeof parts {
  const [first, ...rest] = parts
  if (!first || first.isHit || rest.length === 0 || first.text.length <= BEFORE) return parts
  const cut = first.text.slice(-BEFORE).replace(/^\S*\s/, '')
  return [{ text: `…${cut}`, isHit: false }, ...rest]
}
