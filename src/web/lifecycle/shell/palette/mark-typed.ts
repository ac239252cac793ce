import type { MatchPart } from '../../../platform/ui/marked.tsx'
import { foldWords } from './match.ts'

/** Splits a title at the beginnings that the typed words match; words in the middle of others are marked when nothing else matches. */
export function markTyped(title: string, typed: string): MatchPart[] {
  const letters = [...title]
  const folded = letters.map((letter) => foldWords(letter).trimStart())
  const marked = new Array<boolean>(letters.length).fill(false)
  for (const word of foldWords(typed).split(' ').filter(Boolean))
    if (!markWord(folded, word, marked, true)) markWord(folded, word, marked, false)
  const parts: MatchPart[] = []
  for (const [index, letter] of letters.entries()) {
    const last = parts.at(-1)
    const isHit = marked[index] ?? false
    if (last?.isHit === isHit) last.text += letter
    else parts.push({ text: letter, isHit })
  }
  return parts
}

function markWord(folded: readonly string[], word: string, marked: boolean[], atStart: boolean): boolean {
  let hasFound = false
  for (let start = 0; start < folded.length; start += 1) {
    if (folded[start] === '' || (atStart && start > 0 && folded[start - 1] !== '')) continue
    let [text, end] = ['', start]
    while (end < folded.length && folded[end] !== '' && text.length < word.length) text += folded[end++]
    if (!text.startsWith(word)) continue
    marked.fill(true, start, end)
    hasFound = true
  }
  return hasFound
}
