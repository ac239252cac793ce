import { MAX_GROUP_WORDS, MIN_ASKERS } from '#shared/chat/projects/unanswered.ts'
import { contentWords } from '#shared/platform/citations/check.ts'

export type Asked = { userId: string; content: string }
type Use = { people: Set<string>; places: number[]; forms: Map<string, number> }

/** Characters of a question that are read. */
const MAX_READ = 2_000

/**
 * Returns the words that at least five different people used in their questions, in the order of the questions, at most eight. A word that
 * fewer people used could tell who asked, so a question is never shown. Inflected forms count as one; the most frequent is returned.
 */
export function findSharedWords(questions: readonly Asked[]): string[] {
  const uses = new Map<string, Use>()
  for (const { userId, content } of questions) {
    const words = content.slice(0, MAX_READ).match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
    words.forEach((word, at) => {
      const [stem] = contentWords(word)
      if (!stem) return
      const use: Use = uses.get(stem) ?? { people: new Set(), places: [], forms: new Map() }
      uses.set(stem, use)
      use.people.add(userId)
      use.places.push(at / words.length)
      const form = word.toLowerCase()
      use.forms.set(form, (use.forms.get(form) ?? 0) + 1)
    })
  }
  const placeOf = ({ places }: Use) => places.reduce((sum, place) => sum + place, 0) / places.length
  return [...uses.values()]
    .filter(({ people }) => people.size >= MIN_ASKERS)
    .sort((a, b) => b.people.size - a.people.size || placeOf(a) - placeOf(b))
    .slice(0, MAX_GROUP_WORDS)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map(({ forms }) => [...forms].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))[0]?.[0] ?? '')
}
