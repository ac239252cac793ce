import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Chunk, DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { Callout } from '../../web/platform/ui/callout.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { placeOfChunk } from '../page/chunk-marks.tsx'
import { useSearch } from '../page/use-search.ts'
import { useViewerKeys } from '../page/use-viewer-keys.ts'
import { type Point, useZoomGestures } from '../page/use-zoom-gestures.ts'
import { clamp, PDF_ZOOM, stepZoom } from '../page/zoom.ts'
import type { ViewerProps } from '../viewer.ts'
import { afterPages } from './draw-page.ts'
import { GAP, layOutPages } from './page-layout.ts'
import { PdfPage } from './pdf-page.tsx'
import type { PdfPages } from './pdf-pages.ts'
import { Thumbnails } from './thumbnails.tsx'
import { Toolbar } from './toolbar.tsx'
import { usePageScroll } from './use-page-scroll.ts'

type PagesProps = { pages: PdfPages; name: string; chunk: Chunk | null } & Pick<
  ViewerProps,
  'parts' | 'onPages'
>

/** Position of a passage or hit after scrolling, as a fraction of the view's height. */
const SOUGHT_AT = 0.25
const NARROW = '(width < 768px)'

/** Shows an open PDF with thumbnails, search and recognised elements. */
export function Pages({ pages, name, chunk, parts, onPages }: PagesProps) {
  const { t } = useTranslation('documents')
  const viewer = useRef<HTMLDivElement>(null)
  const room = useRef<HTMLElement>(null)
  const [zoom, setZoom] = useState(1)
  const [showsElements, setShowsElements] = useState(true)
  const [showsThumbnails, setShowsThumbnails] = useState(() => !matchMedia(NARROW).matches)
  const sizes = useSyncExternalStore(pages.subscribe, pages.sizes)
  const layout = useMemo(() => layOutPages(sizes, zoom), [sizes, zoom])
  const { from, to, current, goTo, holdPoint } = usePageScroll(room, layout)
  const search = useSearch({ count: pages.count, current, readText: pages.text })
  const place = useMemo(() => chunk && placeOfChunk(chunk, pages.count), [chunk, pages])

  const known = useKnownParts(parts)
  const changeZoom = (next: number, at?: Point) => {
    holdPoint(at)
    setZoom(clamp(next, PDF_ZOOM.least, PDF_ZOOM.most))
  }
  const fitWidth = useCallback(() => {
    const width = (room.current?.clientWidth ?? 0) - 2 * GAP
    holdPoint()
    setZoom(clamp(width / (pages.sizes()[current - 1]?.width ?? 1), PDF_ZOOM.least, PDF_ZOOM.most))
  }, [pages, current, holdPoint])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the document opens.
  useLayoutEffect(() => {
    const width = (room.current?.clientWidth ?? 0) - 2 * GAP
    // On a narrow screen, fit the page to the width.
    if (width > 0 && width < (sizes[0]?.width ?? 0)) fitWidth()
    goTo(1)
  }, [])
  useEffect(() => onPages(from, to), [from, to, onPages])
  useEffect(() => {
    const stop = new AbortController()
    void afterPages(stop.signal, () => pages.readAhead(current))
    return () => stop.abort()
  }, [pages, current])
  useEffect(() => {
    if (!place) return
    const box = place.boxes.find(({ page }) => page === place.page)?.box
    const below = (room.current?.clientHeight ?? 0) * SOUGHT_AT
    if (box) goTo(place.page, box[1], below)
    else goTo(place.page)
  }, [place, goTo])
  const { now } = search
  const drawn = useRef({ from, to })
  drawn.current = { from, to }
  useEffect(() => {
    if (now && (now.page < drawn.current.from || now.page > drawn.current.to)) goTo(now.page)
  }, [now, goTo])
  const showRange = useCallback((range: Range) => scrollToRange(room.current, range), [])
  useViewerKeys(viewer, {
    previous_page: () => goTo(current - 1),
    next_page: () => goTo(current + 1),
    zoom_in: () => changeZoom(stepZoom(zoom, 1, PDF_ZOOM)),
    zoom_out: () => changeZoom(stepZoom(zoom, -1, PDF_ZOOM)),
  })
  useZoomGestures(room, { zoom, range: PDF_ZOOM, onZoom: changeZoom })
  return (
    <div ref={viewer} className="pdf-viewer">
      <Toolbar
        page={current}
        pages={pages.count}
        {...{ zoom, search, showsThumbnails, showsElements }}
        onPage={goTo}
        onZoom={changeZoom}
        onFit={fitWidth}
        onShowThumbnails={setShowsThumbnails}
        onShowElements={setShowsElements}
      />
      <div className="viewer-columns">
        {showsThumbnails && (
          <Thumbnails
            pages={pages}
            current={current}
            onPage={(page) => {
              goTo(page)
              if (matchMedia(NARROW).matches) setShowsThumbnails(false)
            }}
          />
        )}
        <section
          ref={room}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard, and its keys turn pages.
          tabIndex={0}
          aria-label={t('viewer.pages_of', { name })}
          className="pdf-room"
        >
          <div className="pdf-pages" style={{ height: layout.height, width: layout.width + 2 * GAP }}>
            {Array.from({ length: to - from + 1 }, (_, at) => from + at).map((number) => (
              <div key={number} className="pdf-place" style={{ top: layout.tops[number - 1] }}>
                <PdfPage
                  {...{ pages, number, zoom, showsElements }}
                  size={sizes[number - 1]!}
                  part={known.get(number)}
                  chunk={place}
                  query={search.query}
                  now={now?.page === number ? now.index : null}
                  onNow={showRange}
                />
              </div>
            ))}
          </div>
        </section>
        {chunk && !place && (
          <Callout tone="warning" title={t('viewer.chunk_unplaced')} className="viewer-note" />
        )}
      </div>
    </div>
  )
}

/** Keeps known parts while more are loading. */
function useKnownParts(parts: readonly DocumentPart[]): ReadonlyMap<number, DocumentPart> {
  const [known] = useState(() => new Map<number, DocumentPart>())
  for (const part of parts) if (!known.has(part.number)) known.set(part.number, part)
  return known
}

/** Scrolls to a hit unless it is visible. */
function scrollToRange(room: HTMLElement | null, range: Range): void {
  if (!room) return
  const [hit, box] = [range.getBoundingClientRect(), room.getBoundingClientRect()]
  if (hit.top < box.top || hit.bottom > box.bottom)
    room.scrollTop += hit.top - box.top - box.height * SOUGHT_AT
  if (hit.left < box.left || hit.right > box.right)
    room.scrollLeft += hit.left - box.left - box.width * SOUGHT_AT
}
