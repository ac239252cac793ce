import type { MatchPart } from '../../../platform/ui/marked.tsx'

/** Splits a title at the words of a query, ignoring accents and case. */
export function markWords(title: string, query: string): MatchPart[] {
  const letters = [...title]
  const folded = letters.map(foldLetter)
  const marked = new Array<boolean>(letters.length).fill(false)
  for (const word of query.split(/\s+/)) markWord(folded, [...word].map(foldLetter).join(''), marked)
  const parts: MatchPart[] = []
  for (const [index, letter] of letters.entries()) {
    const last = parts.at(-1)
    const isHit = marked[index] ?? false
    if (last?.isHit === isHit) last.text += letter
    else parts.push({ text: letter, isHit })
  }
  return parts
}

function markWord(folded: readonly string[], word: string, marked: boolean[]) {
  if (!word) return
  for (let start = 0; start < folded.length; start += 1) {
    let found = ''
    let end = start
    while (end < folded.length && found.length < word.length) found += folded[end++]
    if (found === word) marked.fill(true, start, end)
  }
}

function foldLetter(letter: string): string {
  return letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
