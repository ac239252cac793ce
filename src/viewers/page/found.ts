import { useEffect } from 'react'
import { type FoldedText, findIn, placeOfHit } from './fold-text.ts'

/** Query for one page, and the index of the current hit; null when it is on another page. */
export type Sought = { query: string; now: number | null }

type FoundProps = {
  /** Elements of the pieces of `text`, by index. */
  spans: readonly HTMLElement[] | null
  text: FoldedText | null
  sought: Sought
  onNow: (range: Range) => void
}

/** Highlights all hits of a page with the browser's highlight API, without changing the text. */
export function useFound({ spans, text, sought: { query, now }, onNow }: FoundProps): void {
  useEffect(() => {
    if (!spans || !text || query === '') return
    const ranges = findIn(text, query).flatMap((hit) => rangeOf(spans, placeOfHit(text, hit)) ?? [])
    const all = highlight('found')
    for (const range of ranges) all.add(range)
    return () => {
      for (const range of ranges) all.delete(range)
    }
  }, [spans, text, query])
  useEffect(() => {
    const hit = now === null || !text ? undefined : findIn(text, query)[now]
    const range = spans && text && hit && rangeOf(spans, placeOfHit(text, hit))
    if (!range) return
    const current = highlight('found-now')
    current.add(range)
    onNow(range)
    return () => {
      current.delete(range)
    }
  }, [spans, text, query, now, onNow])
}

function highlight(name: string): Highlight {
  const known = CSS.highlights.get(name)
  if (known) return known
  const made = new Highlight()
  made.priority = name === 'found-now' ? 1 : 0
  CSS.highlights.set(name, made)
  return made
}

function rangeOf(
  spans: readonly HTMLElement[],
  { from, to }: ReturnType<typeof placeOfHit>,
): Range | undefined {
  const [start, end] = [spans[from.piece]?.firstChild, spans[to.piece]?.firstChild]
  if (!start || !end) return undefined
  const range = document.createRange()
  range.setStart(start, Math.min(from.offset, start.textContent?.length ?? 0))
  range.setEnd(end, Math.min(to.offset, end.textContent?.length ?? 0))
  return range
}
