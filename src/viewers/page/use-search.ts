import { useEffect, useState } from 'react'
import { type FoldedText, findIn, foldQuery } from './fold-text.ts'

export const SEARCH_DELAY_MS = 300
/** Pages per update, so that a long document shows its first hits while it is searched. */
const PAGES_AT_ONCE = 10

type Now = { page: number; index: number }

export type Search = {
  text: string
  setText: (text: string) => void
  /** Current query; empty for none. */
  query: string
  total: number
  /** Position of the current hit, from 1; 0 without hits. */
  position: number
  now: Now | null
  isReading: boolean
  step: (direction: 1 | -1) => void
}

type SearchProps = { count: number; current: number; readText: (page: number) => Promise<FoldedText> }

/** Searches all pages, starting at the current one; ignores case and accents. */
export function useSearch({ count, current, readText }: SearchProps): Search {
  const [text, setText] = useState('')
  const [query, setQuery] = useState('')
  const [counts, setCounts] = useState<ReadonlyMap<number, number>>(new Map())
  const [now, setNow] = useState<Now | null>(null)
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setQuery(foldQuery(text)), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins where one is when it is asked for.
  useEffect(() => {
    setCounts(new Map())
    setNow(null)
    if (query === '') return
    let isGone = false
    const tell = (found: Map<number, number>, isDone: boolean) => {
      if (isGone) return
      setCounts(new Map(found))
      setReading(!isDone)
      const [first] = found.keys()
      if (first !== undefined) setNow((at) => at ?? { page: first, index: 0 })
    }
    setReading(true)
    void readPages({ count, current, readText }, query, tell, () => isGone)
    return () => {
      isGone = true
      setReading(false)
    }
  }, [query, count, readText])
  const pages = [...counts.keys()].sort((a, b) => a - b)
  const total = sum(counts.values())
  const before = now ? sum(pages.filter((page) => page < now.page).map((page) => counts.get(page) ?? 0)) : 0
  const step = (direction: 1 | -1) => {
    if (!now) return
    const index = now.index + direction
    if (index >= 0 && index < (counts.get(now.page) ?? 0)) return setNow({ page: now.page, index })
    const at = pages.indexOf(now.page) + direction
    const page = pages.at(at % pages.length) ?? now.page
    setNow({ page, index: direction > 0 ? 0 : (counts.get(page) ?? 1) - 1 })
  }
  return { text, setText, query, total, position: now ? before + now.index + 1 : 0, now, isReading, step }
}

async function readPages(
  { count, current, readText }: SearchProps,
  query: string,
  tell: (found: Map<number, number>, isDone: boolean) => void,
  isGone: () => boolean,
): Promise<void> {
  const found = new Map<number, number>()
  for (let at = 0; at < count && !isGone(); at++) {
    const page = ((current - 1 + at) % count) + 1
    // A page that cannot be read counts as having no hits.
    const hits = await readText(page).then(
      (text) => findIn(text, query).length,
      () => 0,
    )
    if (hits > 0) found.set(page, hits)
    if (at % PAGES_AT_ONCE === PAGES_AT_ONCE - 1) tell(found, false)
  }
  tell(found, true)
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)
