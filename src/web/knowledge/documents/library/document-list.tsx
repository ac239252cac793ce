import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { PHONE, useMedia } from '../../../platform/lib/page-state.ts'
import { Skeleton } from '../../../platform/ui/states/skeleton.tsx'
import { cards } from './cards.tsx'
import { DateRail } from './dates/date-rail.tsx'
import type { Month } from './dates/months.ts'
import type { CardProps } from './document-parts.tsx'
import type { CardVariant } from './library-filter.ts'
import { columnsIn, rowHeight } from './list-measures.ts'
import type { Span } from './use-library.ts'

/** Minimum length of a list with a date rail, in screens. */
const SCREENS_FOR_RAIL = 4

type DocumentListProps = {
  name: string
  variant: CardVariant
  total: number
  isBusy: boolean
  at: (place: number) => Document | undefined
  propsOf: (document: Document, place: number) => CardProps
  onSpan: (span: Span) => void
  /** In list order; a list sorted by date can be navigated by them. */
  months: readonly Month[]
  /** Shown above the rows, and scrolls with them. */
  head?: ReactNode
}

/** All documents as one long virtual list. */
export function DocumentList(props: DocumentListProps) {
  const { name, variant, total, isBusy, at, propsOf, onSpan, months, head } = props
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const isPhone = useMedia(PHONE)
  const width = useWidth(list)
  const columns = columnsIn(variant, width, isPhone)
  const height = rowHeight(variant, isPhone)
  const virtualizer = useVirtualizer({
    count: Math.ceil(total / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 4,
    scrollMargin: list.current?.offsetTop ?? 0,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height or number of columns changes every row.
  useLayoutEffect(() => virtualizer.measure(), [height, columns, virtualizer])
  const rows = virtualizer.getVirtualItems()
  const first = (rows[0]?.index ?? 0) * columns
  const last = Math.min(total, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1
  useEffect(() => onSpan({ first, last: Math.max(first, last) }), [first, last, onSpan])
  const Card = cards[variant]
  const places = rows.flatMap((row) =>
    Array.from({ length: Math.min(columns, total - row.index * columns) }, (_, column) => ({
      ...{ place: row.index * columns + column, column },
      top: row.start - virtualizer.options.scrollMargin,
    })),
  )
  const inSight = (scroller.current?.clientHeight ?? 0) / height
  const hasRail = !isPhone && months.length > 1 && total / columns > inSight * SCREENS_FOR_RAIL
  const top = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? 0
  return (
    <div className="library-shown">
      <div
        ref={scroller}
        className="library-scroll"
        data-busy={isBusy || undefined}
        data-rail={hasRail || undefined}
      >
        {head}
        <ul
          ref={list}
          aria-label={name}
          aria-busy={isBusy}
          className="library-list"
          data-variant={variant}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {places.map(({ place, column, top }) => {
            const document = at(place)
            return (
              <li
                key={place}
                aria-posinset={place + 1}
                aria-setsize={total}
                className="library-place"
                style={{
                  ...{ height, top, width: `${100 / columns}%`, left: `${(100 / columns) * column}%` },
                }}
              >
                {document ? <Card {...propsOf(document, place)} /> : <Skeleton className="library-blank" />}
              </li>
            )
          })}
        </ul>
      </div>
      {hasRail && (
        <DateRail
          months={months}
          place={top * columns}
          onJump={(place) => virtualizer.scrollToIndex(Math.floor(place / columns), { align: 'start' })}
        />
      )}
    </div>
  )
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    // The observer reports after the first paint, which would show one column.
    setWidth(element.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
