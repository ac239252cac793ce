import { withoutFunctionWords } from '../../../platform/vectors/vectors.ts'

/** Words of a text that carry its meaning. */
export type FactWords = {
  /** Stems without function words, numbers as digits. */
  stems: string[]
  numbers: string[]
  isNegated: boolean
}

const NEGATIONS = new Set(
  'not no never cannot without none neither nor ne n pas jamais sans aucun aucune non'.split(' '),
)
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve|zero un deux trois quatre cinq six sept huit neuf dix onze douze'
    .split('|')
    .map((words) => words.split(' '))
/** Names of the person in a fact, and words that a fact adds to what was said. */
const NEUTRAL = new Set(
  'user person speaker utilisateur utilisatrice personne called named likes mr mrs ms'.split(' ').map(stem),
)

/** Reads the words of a text in English or French. */
export function readWords(text: string): FactWords {
  const raw = splitWords(text)
  const isNegated = raw.some((word) => NEGATIONS.has(plain(word)))
  const kept = tellingWords(tellingWords(raw, 'en'), 'fr')
  const stems = kept
    .map((word) => stem(numberOf(plain(word))))
    .filter((word) => !NEGATIONS.has(word) && !NEUTRAL.has(word))
  return { stems: [...new Set(stems)], numbers: stems.filter((word) => /^\d/.test(word)).sort(), isNegated }
}

/** Returns the key by which equal facts are found: the sorted words, with the numbers and the negation. */
export function keyOf(text: string): string {
  const { stems, isNegated } = readWords(text)
  const own = stems.length > 0 ? stems : splitWords(text).map(plain)
  return `${isNegated ? '!' : ''}${[...own].sort().join(' ')}`
}

function splitWords(text: string): string[] {
  const spaced = text.replace(/n['’]t\b/gi, ' not').replace(/['’]/g, ' ')
  return spaced.match(/\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}]+/gu) ?? []
}

/** Removes function words, all of them if there are no others. */
const tellingWords = (words: readonly string[], language: 'en' | 'fr') =>
  withoutFunctionWords([...words, 'end'], language).slice(0, -1)

const plain = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns whether a word is a number from two to twelve. */
export const isNumber = (word: string): boolean => /^\d/.test(numberOf(plain(word)))

function numberOf(word: string): string {
  for (const words of NUMBERS) {
    const at = words.indexOf(word)
    // “un” and “one” are mostly articles and pronouns.
    if (at > 1) return String(at)
  }
  return word
}

/** Removes the endings of plurals and verbs. */
function stem(word: string): string {
  if (/^\d/.test(word) || word.length < 4) return word
  let stemmed = word.replace(/(?:ies)$/, 'y').replace(/(?<=[^su])s$/, '')
  if (stemmed.length > 5) stemmed = stemmed.replace(/ing$|ees?$|ed$|er$/, '')
  stemmed = stemmed.replace(/([b-df-hj-np-tv-z])\1$/, '$1')
  return stemmed.length > 3 ? stemmed.replace(/e$/, '') : stemmed
}
