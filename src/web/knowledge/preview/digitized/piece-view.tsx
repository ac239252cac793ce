import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { Blocks } from '../../../platform/markdown/blocks.tsx'
import { MarkdownContext } from '../../../platform/markdown/context.ts'
import '../../../platform/markdown/markdown.css'
import { markText } from './mark-text.ts'
import type { Piece } from './pieces.ts'
import { type Run, readPiece, type Span } from './read-piece.ts'

type PieceViewProps = {
  piece: Piece
  place: number
  definitions: string
  passage: Span | null
  chunk: Chunk | null
  /** Rendered even far from the screen. */
  isWanted: boolean
}

/** Average characters and height of a line of prose in pixels, to estimate the height of an unrendered piece. */
const LINE = { letters: 80, height: 26 }

/** A piece of a document, rendered when it comes near the screen. */
export const PieceView = memo(function PieceView({ piece, place, isWanted, ...rest }: PieceViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const isNear = useNear(box)
  const lines = Math.ceil(piece.text.length / LINE.letters)
  return (
    <div
      ref={box}
      data-piece={place}
      className="digitized-piece"
      style={{ '--height': `${lines * LINE.height}px` } as React.CSSProperties}
    >
      {isWanted || isNear ? <Drawn piece={piece} {...rest} /> : <div className="digitized-later" />}
    </div>
  )
})

function Drawn({ piece, definitions, passage, chunk }: Omit<PieceViewProps, 'place' | 'isWanted'>) {
  const id = useId()
  const settings = useMemo(() => ({ id, custom: {} }), [id])
  const runs = useMemo(() => readPiece(piece, definitions, passage), [piece, definitions, passage])
  return (
    <MarkdownContext value={settings}>
      <div className="md">
        {runs.map((run, at) =>
          run.isPassage ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a piece never change their place.
            <Passage key={at} run={run} text={chunk?.text ?? ''} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a piece never change their place.
            <Blocks key={at} blocks={run.blocks} />
          ),
        )}
      </div>
    </MarkdownContext>
  )
}

/** The requested passage. */
function Passage({ run, text }: { run: Run; text: string }) {
  const { t } = useTranslation('documents')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? markText(box.current, text) : undefined), [text])
  return (
    <div ref={box} className="md digitized-passage" data-passage>
      <span className="passage-label">{t('preview.passage')}</span>
      <Blocks blocks={run.blocks} />
    </div>
  )
}

/** Returns whether an element has been near the screen. */
function useNear(box: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!box.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '800px',
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return isNear
}
