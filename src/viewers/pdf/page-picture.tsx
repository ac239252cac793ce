import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { drawPage, releaseCanvas } from './draw-page.ts'
import type { PdfPages } from './pdf-pages.ts'

/** Milliseconds after the last zoom until a page is redrawn; its picture is stretched until then. */
const REST_MS = 150

type PagePictureProps = {
  pages: PdfPages
  number: number
  zoom: number
  /** Called when the picture is drawn or has failed. */
  onShown: () => void
}

/** Draws a page at its displayed size. */
export function PagePicture({ pages, number, zoom, onShown }: PagePictureProps) {
  const { t } = useTranslation('documents')
  const frame = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const show = async () => {
      const canvas = await drawPage(() => pages.page(number), { scale: zoom, signal: stop.signal })
      if (!canvas) return
      if (stop.signal.aborted || !frame.current) return releaseCanvas(canvas)
      release(frame.current)
      frame.current.append(canvas)
      onShown()
    }
    const fail = () => {
      setFailed(true)
      onShown()
    }
    const begin = () => void show().catch(() => !stop.signal.aborted && fail())
    const timer = frame.current?.firstChild ? setTimeout(begin, REST_MS) : begin()
    return () => {
      clearTimeout(timer ?? 0)
      stop.abort()
    }
  }, [pages, number, zoom, onShown])
  useEffect(() => {
    const element = frame.current
    return () => {
      if (element) release(element)
    }
  }, [])
  if (hasFailed) return <p className="pdf-page-failed">{t('viewer.page_failed')}</p>
  return <div ref={frame} aria-hidden className="pdf-picture" />
}

function release(frame: HTMLElement): void {
  for (const canvas of frame.querySelectorAll('canvas')) releaseCanvas(canvas)
}
