import { memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { CodeBlock } from '#shared/platform/markdown/tree.ts'
import { useTranslation } from '../../i18n/i18n.ts'
import { usePrinting } from '../../lib/printing/printing.ts'
import { BlockActions } from '../block-actions.tsx'
import { CodeLines } from './code-lines.ts'
import type { CodeLine } from './highlight.ts'
import { languageOf } from './languages.ts'

/** Lines per chunk of a block; a chunk far from the screen is only a spacer of the same height. */
const pieceLines = 50

/** A code block: a header with the language and actions, then the lines. Its size does not change with highlighting. */
export const CodeView = memo(function CodeView({ block, growing }: { block: CodeBlock; growing: boolean }) {
  const { t } = useTranslation('streaming_blocks')
  const language = block.lang ?? t('markdown.code')
  const open = block.open && growing
  return (
    <figure className="md-block">
      <figcaption className="md-head">
        <span className="md-head-name">{language}</span>
        <div className="contents print:hidden">
          <BlockActions title={language} read={() => block.text} block={block}>
            {() => <CodeBody text={block.text} name={block.lang} open={open} />}
          </BlockActions>
        </div>
      </figcaption>
      <CodeBody text={block.text} name={block.lang} open={open} />
    </figure>
  )
})

type CodeBodyProps = { text: string; name: string | null; open: boolean }

/** The lines of code, highlighted once available; they scroll sideways. */
export function CodeBody({ text, name, open }: CodeBodyProps) {
  const { t } = useTranslation('streaming_blocks')
  const label = t('markdown.code_of', { language: name ?? t('markdown.code') })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, and there may be many blocks.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <div role="group" className="md-code" dir="ltr" tabIndex={0} aria-label={label}>
      <pre>
        <code>
          <Lines text={text} name={name} open={open} />
        </code>
      </pre>
    </div>
  )
}

function Lines({ text, name, open }: CodeBodyProps) {
  const language = languageOf(name)
  const reader = useMemo(() => new CodeLines(language), [language])
  useSyncExternalStore(reader.subscribe, reader.version)
  const lines = reader.read(text)
  useEffect(() => reader.sync(text, !open), [reader, text, open])
  useEffect(() => () => reader.close(), [reader])
  if (lines.length <= pieceLines * 2) return <Piece lines={lines} from={0} to={lines.length} />
  return Array.from({ length: Math.ceil(lines.length / pieceLines) }, (_, at) => {
    const from = at * pieceLines
    const to = Math.min(from + pieceLines, lines.length)
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces never change their place.
    return <DistantPiece key={at} lines={lines} from={from} to={to} />
  })
}

type PieceProps = { lines: readonly CodeLine[]; from: number; to: number }

function Piece({ lines, from, to }: PieceProps) {
  return lines.slice(from, to).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their place.
    <Line key={from + at} line={line} isLast={from + at === lines.length - 1} />
  ))
}

function DistantPiece(props: PieceProps) {
  const box = useRef<HTMLSpanElement>(null)
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined')
  const isPrinting = usePrinting()
  useEffect(() => {
    if (!box.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '600px',
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return (
    <span ref={box} className="md-piece" style={{ '--lines': props.to - props.from } as React.CSSProperties}>
      {(isNear || isPrinting) && <Piece {...props} />}
    </span>
  )
}

const Line = memo(function Line({ line, isLast }: { line: CodeLine; isLast: boolean }) {
  return (
    <span>
      {line.map(({ kind, text }, at) =>
        kind ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line have no other name.
          <span key={at} className={`sk-${kind}`}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
      {isLast ? '' : '\n'}
    </span>
  )
})
