import { TextLayer } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import { afterPages } from './draw-page.ts'
import { hasText, type PdfPages } from './pdf-pages.ts'

type PageTextProps = {
  pages: PdfPages
  number: number
  /** Receives the text elements in order; null when the page has no text of its own. */
  onSpans: (spans: HTMLElement[] | null) => void
}

/** Lays the page's text invisibly over its picture for selection and search. CSS scales it with the page. */
export function PageText({ pages, number, onSpans }: PageTextProps) {
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let text: TextLayer | null = null
    const stop = new AbortController()
    const show = async () => {
      const [page, content] = await Promise.all([pages.page(number), pages.content(number)])
      if (stop.signal.aborted || !layer.current) return
      if (!hasText(content)) return onSpans(null)
      const viewport = page.getViewport({ scale: 1 })
      layer.current.replaceChildren()
      text = new TextLayer({ textContentSource: content, container: layer.current, viewport })
      await text.render()
      if (!stop.signal.aborted) onSpans(text.textDivs)
    }
    afterPages(stop.signal, show).catch(() => undefined)
    return () => {
      stop.abort()
      text?.cancel()
    }
  }, [pages, number, onSpans])
  return <div ref={layer} className="page-text pdf-text" />
}
