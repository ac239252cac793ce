import { before, type Detail } from './detail.ts'
import {
  CLOSING,
  capitalParticles,
  DOES,
  dottedTitles,
  GERMAN,
  greetings,
  isGiven,
  isSurname,
  LABEL,
  NOT_GERMAN,
  PERSON_BEFORE,
  PLACE_BEFORE,
  particles,
  placeNames,
  REPORTS,
  relations,
  stopWords,
  titles,
} from './person-words.ts'
import { splitWords, type Word } from './words.ts'

const MAX_NAME_WORDS = 5
/** Characters before a name that may say that it is one. */
const CONTEXT = 70

type Name = { first: number; last: number }

/**
 * Finds names of persons: words after a title, a greeting, a label or the end of a letter; given names, with what follows them; and
 * surnames that the same text has in a whole name.
 */
export function findPersons(text: string): Detail[] {
  const words = splitWords(text)
  const names: Name[] = []
  const isGerman = count(text, GERMAN) > count(text, NOT_GERMAN)
  for (let at = 0; at < words.length; at++) {
    const name = readName(text, words, at) ?? readAlone(text, words, at, isGerman)
    if (!name || isFirm(text, words, name)) continue
    names.push(name)
    at = name.last
  }
  return [...names, ...repeated(words, names)].map(({ first, last }) => rangeOf(text, words, first, last))
}

function readName(text: string, words: readonly Word[], at: number): Name | null {
  const word = words[at]
  if (!word) return null
  const titled = isTitle(text, words, at) ? afterTitle(text, words, at) : null
  if (titled) return titled
  if (!isNameWord(word)) return null
  const context = before(text, word.at, CONTEXT)
  const run = runFrom(text, words, at)
  if (isLabelled(context)) return told(text, words, { first: at, last: run })
  if (isAfterClosing(context) && signs(text, words, at, run)) return { first: at, last: run }
  const previous = words[at - 1]
  const isNext = previous !== undefined && /^,? $/.test(text.slice(previous.end, word.at))
  const wordBefore = isNext ? previous.text.toLowerCase() : ''
  if (relations.has(wordBefore) && isGiven(word.text)) return { first: at, last: run }
  if (greetings.has(wordBefore) && greeted(text, words, at, run)) return { first: at, last: run }
  return byGiven(text, words, at, run)
}

// The ends are looked at first, because the whole expressions take longer.
const isLabelled = (context: string) => /[:=|][ "'*_“«]{0,6}$/.test(context) && LABEL.test(context)
const isAfterClosing = (context: string) => /\n {0,3}$/.test(context) && CLOSING.test(context)

/** A name under a letter has its line for itself. An unknown single word is none. */
function signs(text: string, words: readonly Word[], first: number, last: number): boolean {
  const isKnown = words.slice(first, last + 1).some((word) => isGiven(word.text) || isSurname(word.text))
  return isKnown || (last > first && /^[ ]*(?:\n|$)/.test(text.slice(words[last]?.end ?? 0)))
}

/** Returns the name after a title, with further titles between them. */
function afterTitle(text: string, words: readonly Word[], title: number): Name | null {
  let first = title + 1
  while (isTitle(text, words, first) && isJoined(text, words[first - 1], words[first])) first++
  let name = first
  while (name < first + 2 && isParticle(words[name]) && isJoined(text, words[name], words[name + 1])) name++
  const word = words[name]
  if (!isNameWord(word) || !isJoined(text, words[first - 1], words[first])) return null
  return { first, last: runFrom(text, words, name) }
}

function isTitle(text: string, words: readonly Word[], at: number): boolean {
  const word = words[at]
  if (!word) return false
  const bare = word.text.replace(/\.$/, '').toLowerCase()
  if (!titles.has(bare)) return false
  if (
    word.shape === 'lower' &&
    !['monsieur', 'madame', 'mademoiselle', 'maître', 'docteur', 'professeur'].includes(bare)
  )
    return false
  if (!dottedTitles.has(bare)) return true
  return word.text.endsWith('.') || text[word.end] === '.' || bare === 'me'
}

/** A label tells a name even when no list has it. A word of a form is none. */
function told(text: string, words: readonly Word[], { first, last }: Name): Name | null {
  const [end, next] = [words[last], words[last + 1]]
  const isReversed = end && next && text.slice(end.end, next.at) === ', ' && isNameWord(next)
  const hasGiven = words.slice(first, last + 1).some((word) => isGiven(word.text) === 'sure')
  if (isReversed && !hasGiven && isGiven(next.text)) return { first, last: last + 1 }
  const all = words.slice(first, last + 1)
  const isKnown = all.some(({ text }) => isGiven(text) !== null || isSurname(text))
  return isKnown || all.length > 1 || (words[first]?.text.length ?? 0) > 2 ? { first, last } : null
}

/** A single ambiguous given name or a surname, where the words around it speak of a person. */
function readAlone(text: string, words: readonly Word[], at: number, isGerman: boolean): Name | null {
  const word = words[at]
  if (!word || !isNameWord(word)) return null
  const after = text.slice(word.end, word.end + 30)
  if (isSurname(word.text) && REPORTS.test(after)) return { first: at, last: at }
  if (isGiven(bare(word.text)) !== 'maybe') return null
  const context = before(text, word.at, 24)
  const isPlace = placeNames.has(word.text.toLowerCase())
  if (PERSON_BEFORE.test(context) && !(isGerman && !DOES.test(after))) return { first: at, last: at }
  if (DOES.test(after) && !PLACE_BEFORE.test(context) && isInside(context)) return { first: at, last: at }
  const isAlone = isInside(context) && !isGerman && !isPlace && words[at + 1]?.shape !== 'capital'
  return isAlone && /^[,.!?;:\s]|^$/.test(after) ? { first: at, last: at } : null
}

/** Returns whether a place is inside a sentence, where a capital is no beginning. */
const isInside = (context: string) => /[\p{Ll},;–—] {1,2}$/u.test(context)

/** “Johnson & Johnson” is a firm. */
function isFirm(text: string, words: readonly Word[], { first, last }: Name): boolean {
  const [start, end] = [words[first], words[last]]
  if (!start || !end || first !== last) return false
  return /^ & \p{Lu}/u.test(text.slice(end.end, end.end + 4)) || / & $/.test(before(text, start.at, 3))
}

const count = (text: string, expression: RegExp) => text.slice(0, 2_000).match(expression)?.length ?? 0

function greeted(text: string, words: readonly Word[], first: number, last: number): boolean {
  if (words.slice(first, last + 1).some((word) => isGiven(word.text) || isSurname(word.text))) return true
  return first === last && /^ ?[,!\n]/.test(text.slice(words[last]?.end ?? 0))
}

/** Returns the name at `at` if a given name begins it, or follows a surname. */
function byGiven(text: string, words: readonly Word[], at: number, last: number): Name | null {
  const [word, next] = [words[at], words[at + 1]]
  if (!word) return null
  const more = last > at ? next : undefined
  const certainty = isGiven(bare(word.text))
  if (certainty === 'sure') return { first: at, last: cutRun(words, at, last) }
  if (certainty === 'maybe' && more && supports(more, words[at + 2])) return { first: at, last }
  const isHeading = /(?:^|\n) {0,3}$/.test(before(text, word.at, 4))
  const follows = more !== undefined && more.shape === 'capital' && more.text.length > 2
  if (word.shape === 'initial' && follows && (isSurname(more.text) || !isHeading)) return { first: at, last }
  return surnameFirst(text, words, at, last)
}

/** “DUPONT Marie”, “Dupont, Marie” at the beginning of a line, “Müller Anna”. */
function surnameFirst(text: string, words: readonly Word[], at: number, last: number): Name | null {
  const [word, next] = [words[at], words[at + 1]]
  if (!word || !next || isGiven(word.text) === 'sure') return null
  const isFirst = /(?:^|[\n|;\t"»«“(]|- ) {0,3}$/.test(before(text, word.at, 6))
  const gap = text.slice(word.end, next.at)
  const given = isGiven(next.text)
  if (gap === ', ' && isFirst && given === 'sure' && next.shape !== 'lower')
    return { first: at, last: at + 1 }
  if (last === at) return null
  const isCapitals = word.shape === 'upper' && word.text.length > 2 && next.shape === 'capital'
  if (isCapitals && given) return { first: at, last }
  if (given === 'sure' && isSurname(word.text) && (isFirst || last === at + 1)) return { first: at, last }
  return null
}

/** Returns whether the next word makes an ambiguous given name a name: a capitalised word or an initial. */
function supports(next: Word, after: Word | undefined): boolean {
  if (next.shape === 'initial') return true
  if (next.shape === 'lower') return after !== undefined && isSurname(after.text)
  return next.text.length > 2
}

/** A name has no more than two words after its given names unless they belong to it. */
function cutRun(words: readonly Word[], first: number, last: number): number {
  let at = first
  while (at < last && isGiven(words[at + 1]?.text ?? '') === 'sure') at++
  let surnamesLeft = 2
  while (at < last && surnamesLeft > 0) {
    at++
    if (words[at]?.shape !== 'lower' && words[at]?.shape !== 'initial') surnamesLeft--
  }
  return words[at]?.shape === 'lower' ? at - 1 : at
}

/** Returns the last word of the capitalised words from `at`, with particles and initials between them. */
function runFrom(text: string, words: readonly Word[], at: number): number {
  let last = at
  while (last - at + 1 < MAX_NAME_WORDS) {
    const [word, next, after] = [words[last], words[last + 1], words[last + 2]]
    if (!next || !isJoined(text, word, next)) return last
    if (isNameWord(next)) last += 1
    else if (isParticle(next) && after && isNameWord(after) && isJoined(text, next, after)) last += 2
    else if (isParticle(next) && after && isParticle(after) && isNameWord(words[last + 3])) last += 3
    else return last
  }
  return last
}

function isParticle(word: Word | undefined): boolean {
  if (!word) return false
  return word.shape === 'lower' ? particles.has(word.text) : capitalParticles.has(word.text.toLowerCase())
}

function isNameWord(word: Word | undefined): boolean {
  if (!word || word.shape === 'lower') return false
  if (word.shape === 'initial') return true
  const text = bare(word.text).toLowerCase()
  return !stopWords.has(text) && !titles.has(text) && text.length > 1
}

/** Without the ending of an English possessive. */
const bare = (word: string) => word.replace(/['’]s$/, '')

/** Words of a name are joined by one blank. A line may end inside a name nowhere. */
function isJoined(text: string, word: Word | undefined, next: Word | undefined): boolean {
  if (!word || !next) return false
  const gap = text.slice(word.end, next.at)
  return (
    gap === ' ' ||
    gap === '\u00a0' ||
    gap === '\u202f' ||
    (gap === '. ' && titleLike(word)) ||
    (gap === '' && word.shape === 'initial')
  )
}

const titleLike = ({ text }: Word) => titles.has(text.toLowerCase())

/** Finds the words of whole names again where they stand alone. */
function repeated(words: readonly Word[], names: readonly Name[]): Name[] {
  const known = new Set<string>()
  const taken = new Set<number>()
  for (const { first, last } of names)
    for (let at = first; at <= last; at++) {
      const word = words[at]
      taken.add(at)
      if (word && isRecognisable(word)) known.add(bare(word.text))
    }
  return words.flatMap((word, at) =>
    !taken.has(at) && known.has(bare(word.text)) && isNameWord(word) ? [{ first: at, last: at }] : [],
  )
}

const isRecognisable = ({ text, shape }: Word) =>
  shape !== 'initial' && shape !== 'lower' && text.length > 3 && isGiven(text) !== 'maybe'

function rangeOf(text: string, words: readonly Word[], first: number, last: number): Detail {
  const [start, stop] = [words[first], words[last]]
  const at = start?.at ?? 0
  const found = text.slice(at, stop?.end ?? at)
  return { kind: 'person', at, end: at + bare(found).length }
}
