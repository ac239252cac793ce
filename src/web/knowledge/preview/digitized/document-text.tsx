import { TableOfContents } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { formatNumber } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import { Contents } from './contents.tsx'
import { findPassage } from './passage.ts'
import { PieceView } from './piece-view.tsx'
import { type Piece, splitPieces } from './pieces.ts'
import type { Span } from './read-piece.ts'
import { holdInSight, useSections } from './use-sections.ts'
import './digitized.css'

type DocumentTextProps = { text: string; chunk: Chunk | null; language: string | null }

/** A Markdown document of any length, with its outline, a marked passage, and lazy rendering. */
export function DocumentText({ text, chunk, language }: DocumentTextProps) {
  const { t } = useTranslation('documents')
  const scroller = useRef<HTMLDivElement>(null)
  const { pieces, headings, definitions } = useMemo(() => splitPieces(text), [text])
  const passage = useMemo(() => chunk && findPassage(text, chunk), [text, chunk])
  const { isWanted, want } = useWanted(pieces, passage)
  const { current, show } = useSections(scroller, headings, want)
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 1024px)').matches)
  const words = useDeferredValue(text)
  const count = useMemo(() => words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0, [words])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a passage is shown once it is there.
  useEffect(() => {
    const box = scroller.current
    if (box && passage) return holdInSight(box, () => box.querySelector('[data-passage]'))
  }, [passage, text])
  const pick = (heading: number) => {
    if (matchMedia('(max-width: 767px)').matches) setOpen(false)
    show(heading)
  }
  return (
    <div className="digitized">
      <div className="digitized-bar">
        <IconButton
          name={t('preview.contents')}
          aria-expanded={isOpen}
          on={isOpen}
          disabled={headings.length === 0}
          onClick={() => setOpen(!isOpen)}
        >
          <TableOfContents aria-hidden className="icon" />
        </IconButton>
        <span className="digitized-count num">
          {t('viewer.words', { count, shown: formatNumber(count) })}
        </span>
      </div>
      <div className="digitized-columns">
        {isOpen && headings.length > 0 && <Contents headings={headings} current={current} onPick={pick} />}
        <section
          ref={scroller}
          className="digitized-text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          aria-label={t('preview.text')}
        >
          {/* The headings of a document start one level below the page's. */}
          <h2 className="sr-only">{t('preview.text')}</h2>
          <article lang={language ?? undefined} className="digitized-column">
            {pieces.map((piece, at) => (
              <PieceView
                key={piece.start}
                {...{ piece, definitions, passage, chunk }}
                place={at}
                isWanted={isWanted(at)}
              />
            ))}
          </article>
        </section>
      </div>
    </div>
  )
}

/** Renders requested pieces immediately and all others when idle, so that the browser can search their text. */
function useWanted(pieces: readonly Piece[], passage: Span | null) {
  const [upTo, setUpTo] = useState(1)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    if (upTo >= pieces.length) return
    const later = (act: () => void) => {
      if (typeof requestIdleCallback === 'undefined') {
        const timer = setTimeout(act, 30)
        return () => clearTimeout(timer)
      }
      const idle = requestIdleCallback(act)
      return () => cancelIdleCallback(idle)
    }
    return later(() => setUpTo(upTo + 1))
  }, [upTo, pieces.length])
  const want = useCallback((piece: number) => setPicked((now) => new Set([...now, piece])), [])
  const isInPassage = ({ start, text }: Piece) =>
    passage !== null && start < passage[1] && start + text.length > passage[0]
  return { want, isWanted: (at: number) => at <= upTo || picked.has(at) || isInPassage(pieces[at]!) }
}
