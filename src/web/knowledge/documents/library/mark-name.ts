import type { MatchPart } from '../../../platform/ui/marked.tsx'

/** Splits a name at the search terms. */
export function markName(name: string, query: string): MatchPart[] {
  const wanted = query.trim().toLowerCase()
  const at = wanted ? name.toLowerCase().indexOf(wanted) : -1
  if (at < 0) return [{ text: name, isHit: false }]
  return [
    { text: name.slice(0, at), isHit: false },
    { text: name.slice(at, at + wanted.length), isHit: true },
    { text: name.slice(at + wanted.length), isHit: false },
  ].filter(({ text }) => text !== '')
}
