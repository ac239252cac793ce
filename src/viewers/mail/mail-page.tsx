import { useEffect, useMemo, useRef, useState } from 'react'
import { isWithin } from './passage.ts'

/** Blocks all loading and scripts. Only inline styles and embedded pictures are allowed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
const HEAD = `<meta http-equiv="content-security-policy" content="${POLICY}"><meta name="referrer" content="no-referrer"><base target="_blank"><style>body{margin:16px;font:15px/1.6 system-ui,sans-serif;color:#222;background:#fff;overflow-wrap:anywhere}img{max-width:100%;height:auto}[data-passage]{background:#e8ecfd;box-shadow:-3px 0 0 #3b5bdb}</style>`
/** Initial height in pixels, before the content is measured. */
const HEIGHT = 320

type MailPageProps = { html: string; name: string; passage: string | null }

/**
 * Shows an HTML mail in a frame without scripts. The frame is same-origin, so that its height can follow the content and the
 * passage can be found in it; links open in a new page.
 */
export function MailPage({ html, name, passage }: MailPageProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(HEIGHT)
  const marked = useMemo(() => markPassage(html, passage), [html, passage])
  const [loads, setLoads] = useState(0)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (loads === 0 || !page?.body) return
    const measure = () => setHeight(Math.max(page.documentElement.offsetHeight, page.body.scrollHeight + 32))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(page.body)
    return () => observer.disconnect()
  }, [loads])
  useEffect(() => {
    // The frame has its final height here.
    if (height !== HEIGHT) frame.current?.contentDocument?.querySelector('[data-passage]')?.scrollIntoView()
  }, [height])
  return (
    <iframe
      ref={frame}
      title={name}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={HEAD + marked}
      style={{ height }}
      className="block w-full rounded-card border border-line bg-white"
      onLoad={() => setLoads((count) => count + 1)}
    />
  )
}

const BLOCKS = 'p, li, td, th, h1, h2, h3, h4, h5, h6, div, blockquote, pre'

/** Marks the blocks of a page that belong to a passage. */
export function markPassage(html: string, passage: string | null): string {
  if (passage === null) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const block of page.querySelectorAll(BLOCKS))
    if (!block.querySelector(BLOCKS) && isWithin(block.textContent ?? '', passage))
      block.setAttribute('data-passage', '')
  return page.documentElement.outerHTML
}
