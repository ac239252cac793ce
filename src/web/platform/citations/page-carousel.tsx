import type { ReactNode } from 'react'
import type { WebSource } from '#shared/knowledge/web-search/web-search.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { hostOf } from './page-host.ts'
import { Strip } from './strip.tsx'

/** Share of the visible width that one click scrolls (ledger WE-04). */
const STEP_SHARE = 0.8
/** Minimum hidden pixels that enable an arrow (ledger WE-04). */
const EDGE_PX = 10

type PageCarouselProps = {
  pages: readonly WebSource[]
  /** Citation numbers by address. */
  numbers: ReadonlyMap<string, number>
  aside?: ReactNode
}

/** Web pages side by side: cited ones first, each opens in a new tab. */
export default function PageCarousel({ pages, numbers, aside }: PageCarouselProps) {
  const { t } = useTranslation('streaming_blocks')
  const last = pages.length + 1
  const order = pages.toSorted(
    (a, b) => (numbers.get(a.url) ?? last) - (numbers.get(b.url) ?? last) || a.rank - b.rank,
  )
  return (
    <Strip
      title={t('pages.title')}
      counts={t('pages.counts', { cited: numbers.size, found: pages.length })}
      aside={aside}
      stepOf={(width) => width * STEP_SHARE}
      edge={EDGE_PX}
    >
      {order.map((page) => (
        <PageTile key={page.url} page={page} number={numbers.get(page.url)} />
      ))}
    </Strip>
  )
}

function PageTile({ page, number }: { page: WebSource; number: number | undefined }) {
  const { t } = useTranslation('streaming_blocks')
  const { url, title, snippet, published, is_read, unread } = page
  const notRead = unread ? t(`pages.unread.${unread}`) : t('pages.not_read')
  const host = hostOf(url)
  return (
    <li className="flex flex-none">
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        title={snippet || undefined}
        className="passage-tile"
        data-cited={number !== undefined || undefined}
      >
        <span className="flex items-center gap-1.5 text-12 text-ink-2">
          <span aria-hidden className="page-letter">
            {host.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 flex-1 truncate">{host}</span>
          {number !== undefined && (
            <span className="cite">
              <span className="sr-only">{t('passages.cited')} </span>
              {number}
            </span>
          )}
        </span>
        <span dir="auto" className="page-title">
          {title}
        </span>
        <span className="num truncate text-12 text-ink-3">{is_read ? published : notRead}</span>
      </a>
    </li>
  )
}
