import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { afterPages, draw, releaseCanvas } from './draw-page.ts'
import type { PageSize, PdfPages } from './pdf-pages.ts'

/** Height of a row with thumbnail and number, in pixels. */
export const THUMBNAIL_HEIGHT = 180
export const THUMBNAIL_SCALE = 0.15
const ROOM = { width: 132, height: 144 }

type ThumbnailsProps = { pages: PdfPages; current: number; onPage: (page: number) => void }

/** Lists thumbnails of all pages; draws only visible ones. */
export function Thumbnails({ pages, current, onPage }: ThumbnailsProps) {
  const { t } = useTranslation('documents')
  const room = useRef<HTMLDivElement>(null)
  const sizes = useSyncExternalStore(pages.subscribe, pages.sizes)
  const [pictures] = useState(() => new Map<number, string>())
  const rows = useVirtualizer({
    count: pages.count,
    getScrollElement: () => room.current,
    estimateSize: () => THUMBNAIL_HEIGHT,
    overscan: 1,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list follows the page alone.
  useEffect(() => rows.scrollToIndex(current - 1, { align: 'auto' }), [current])
  useEffect(
    () => () => {
      for (const url of pictures.values()) URL.revokeObjectURL(url)
    },
    [pictures],
  )
  return (
    <nav ref={room} aria-label={t('viewer.thumbnails')} className="pdf-thumbnails">
      <div style={{ position: 'relative', height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <button
            key={index}
            type="button"
            aria-label={t('viewer.to_page', { page: index + 1 })}
            aria-current={index + 1 === current ? 'page' : undefined}
            className="pdf-thumbnail"
            style={{ top: start, height: THUMBNAIL_HEIGHT }}
            onClick={() => onPage(index + 1)}
          >
            <Picture pages={pages} number={index + 1} size={sizes[index]!} pictures={pictures} />
            <span className="num">{index + 1}</span>
          </button>
        ))}
      </div>
    </nav>
  )
}

type PictureProps = { pages: PdfPages; number: number; size: PageSize; pictures: Map<number, string> }

/** Draws a thumbnail once and stores it as an image, because canvases are reserved for large pages. */
function Picture({ pages, number, size, pictures }: PictureProps) {
  const { t } = useTranslation('documents')
  const [url, setUrl] = useState(pictures.get(number))
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (pictures.has(number)) return
    const stop = new AbortController()
    const show = async () => {
      const page = await pages.page(number)
      const canvas = await draw(page, {
        scale: scaleOf(page.getViewport({ scale: 1 })),
        signal: stop.signal,
      })
      if (!canvas) return
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
      releaseCanvas(canvas)
      if (!blob || stop.signal.aborted) return
      const made = URL.createObjectURL(blob)
      pictures.set(number, made)
      setUrl(made)
    }
    afterPages(stop.signal, show).catch(() => !stop.signal.aborted && setFailed(true))
    return () => stop.abort()
  }, [pages, number, pictures])
  const scale = scaleOf(size)
  return (
    <span className="pdf-thumbnail-page" style={{ width: size.width * scale, height: size.height * scale }}>
      {url && <img src={url} alt="" />}
      {hasFailed && <span className="pdf-thumbnail-failed">{t('viewer.thumbnail_failed')}</span>}
    </span>
  )
}

/** Returns the scale of a thumbnail; very tall pages are scaled down to fit a row. */
function scaleOf({ width, height }: PageSize): number {
  return Math.min(THUMBNAIL_SCALE, ROOM.width / width, ROOM.height / height)
}
