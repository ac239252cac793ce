import { type CSSProperties, memo, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'
import { ChunkMarks, type ChunkPlace } from '../page/chunk-marks.tsx'
import { ElementBoxes } from '../page/element-boxes.tsx'
import type { FoldedText } from '../page/fold-text.ts'
import { useFound } from '../page/found.ts'
import { Words } from '../page/words.tsx'
import { PagePicture } from './page-picture.tsx'
import { PageText } from './page-text.tsx'
import type { PageSize, PdfPages } from './pdf-pages.ts'

type PdfPageProps = {
  pages: PdfPages
  number: number
  zoom: number
  size: PageSize
  part: DocumentPart | undefined
  showsElements: boolean
  chunk: ChunkPlace
  query: string
  /** Index of the current hit on this page; null for none. */
  now: number | null
  onNow: (range: Range) => void
}

/** Shows one page: picture, selectable text and recognised elements. */
export const PdfPage = memo(function PdfPage({ pages, number, zoom, size, ...rest }: PdfPageProps) {
  const { part, showsElements, chunk, query, now, onNow } = rest
  const sheet = useRef<HTMLDivElement>(null)
  const [spans, setSpans] = useState<HTMLElement[] | null>(null)
  const [isScan, setScan] = useState(false)
  const [isShown, setShown] = useState(false)
  const text = usePageText(pages, number, query)
  const onSpans = useCallback((found: HTMLElement[] | null) => {
    setSpans(found)
    setScan(found === null)
  }, [])
  // A transition, so that elements appear after the picture and do not delay pages that scroll past.
  const onShown = useCallback(() => startTransition(() => setShown(true)), [])
  useFound({ spans, text, sought: { query, now }, onNow })
  const place = { width: size.width * zoom, height: size.height * zoom, '--total-scale-factor': zoom }
  return (
    <div ref={sheet} data-page={number} className="page-sheet paper" style={place as CSSProperties}>
      <PagePicture pages={pages} number={number} zoom={zoom} onShown={onShown} />
      {part && isShown && showsElements && <ElementBoxes part={part} page={sheet} isCited={chunk !== null} />}
      <ChunkMarks place={chunk} page={number} />
      <PageText pages={pages} number={number} onSpans={onSpans} />
      {isScan && part && part.words.length > 0 && (
        <Words words={part.words} ratio={size.width / size.height} onSpans={setSpans} />
      )}
    </div>
  )
})

/** The text that is searched; only while something is looked for. */
function usePageText(pages: PdfPages, number: number, query: string): FoldedText | null {
  const [text, setText] = useState<FoldedText | null>(null)
  const isWanted = query !== ''
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    pages.text(number).then(
      (found) => !isGone && setText(found),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [pages, number, isWanted])
  return text
}
