import { useEffect, useRef } from 'react'
import type { PageWord } from '#shared/knowledge/documents/documents.ts'
import type { Piece } from './fold-text.ts'
import { placeOf } from './place.ts'

type WordsProps = {
  words: readonly PageWord[]
  /** Width of the page divided by its height. */
  ratio: number
  onSpans: (spans: HTMLElement[]) => void
}

/** Draws the OCR words of a scan invisibly in place, so that they can be selected and found. */
export function Words({ words, ratio, onSpans }: WordsProps) {
  const layer = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the spans are those of the words.
  useEffect(() => {
    if (layer.current) onSpans([...layer.current.querySelectorAll('span')])
  }, [words, onSpans])
  return (
    <div ref={layer} className="page-text page-words">
      {words.map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words of a page never change their order.
        <Word key={at} word={word} ratio={ratio} endsLine={endsLine(words, at)} />
      ))}
    </div>
  )
}

/** Returns the searchable pieces of a page's words. */
export function piecesOf(words: readonly PageWord[]): Piece[] {
  return words.map(({ text }, at) => ({ text: `${text} `, endsLine: endsLine(words, at) }))
}

function Word({
  word: { text, box },
  ratio,
  endsLine,
}: {
  word: PageWord
  ratio: number
  endsLine: boolean
}) {
  const [left, top, right, bottom] = box
  const height = bottom - top
  const scale = ((right - left) * ratio) / (height * widthOf(text))
  return (
    <>
      <span style={{ ...placeOf(box), fontSize: `${height * 100}cqh`, transform: `scaleX(${scale})` }}>
        {`${text} `}
      </span>
      {endsLine && <br />}
    </>
  )
}

/** Returns true when the next word is on a lower line. */
function endsLine(words: readonly PageWord[], at: number): boolean {
  const [here, next] = [words[at], words[at + 1]]
  return !!here && !!next && (next.box[1] + next.box[3]) / 2 > here.box[3]
}

let pen: CanvasRenderingContext2D | null = null

/** Returns the width of a text relative to its height. */
function widthOf(text: string): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return text.length / 2
  pen.font = '100px sans-serif'
  return Math.max(0.01, pen.measureText(text).width / 100)
}
