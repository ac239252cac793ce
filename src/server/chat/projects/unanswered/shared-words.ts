import { MAX_GROUP_WORDS, MIN_ASKERS } from '#shared/chat/projects/unanswered.ts'
import { contentWords } from '#shared/platform/citations/check.ts'

export type Asked = { userId: string; content: string }
type Use = { people: Set<string>; places: number[]; forms: Map<string, Set<string>> }

/** Characters of a question that are read. */
const MAX_READ = 2_000

/**
 * Returns the words that at least five different people used in their questions, in the order of the questions, at most eight. A word that
 * fewer people used could tell who asked, so a question is never shown. Inflected forms count as one, and an inflection of fewer people is
 * not returned: then it is what all of the forms begin with. Parts of the given names are not returned either.
 */
export function findSharedWords(questions: readonly Asked[], names: readonly string[] = []): string[] {
  const hidden = new Set(names.flatMap(contentWords))
  const uses = new Map<string, Use>()
  for (const { userId, content } of questions) {
    const words = content.slice(0, MAX_READ).match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
    words.forEach((word, at) => {
      const [stem] = contentWords(word)
      if (!stem || hidden.has(stem)) return
      const use: Use = uses.get(stem) ?? { people: new Set(), places: [], forms: new Map() }
      uses.set(stem, use)
      use.people.add(userId)
      use.places.push(at / words.length)
      const form = word.normalize('NFC').toLowerCase()
      use.forms.set(form, (use.forms.get(form) ?? new Set()).add(userId))
    })
  }
  const placeOf = ({ places }: Use) => places.reduce((sum, place) => sum + place, 0) / places.length
  return [...uses.values()]
    .filter(({ people, forms }) => people.size >= MIN_ASKERS && wordOf(forms) !== null)
    .sort((a, b) => b.people.size - a.people.size || placeOf(a) - placeOf(b))
    .slice(0, MAX_GROUP_WORDS)
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map(({ forms }) => wordOf(forms) ?? '')
}

/** Shortest beginning of words that is shown. */
const MIN_BEGINNING = 4

/** Returns the form of most people, or else the beginning of all forms; null when it says too little. */
function wordOf(forms: Use['forms']): string | null {
  const [[form, people] = ['', new Set()]] = [...forms].sort(
    ([a, x], [b, y]) => y.size - x.size || a.localeCompare(b),
  )
  if (people.size >= MIN_ASKERS) return form
  const shared = [...forms.keys()].reduce(sharedBeginning)
  if (shared.length < MIN_BEGINNING) return null
  return forms.has(shared) ? shared : `${shared}…`
}

function sharedBeginning(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return one.slice(0, at)
}
