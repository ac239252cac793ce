import { commonWords } from './common-words.ts'

/** Rows of keyboards, the alphabet and the digits: a password that walks along one is a common one. */
const walks = [
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn', 'qwertzuiop', 'yxcvbnm'],
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qazwsxedcrfvtgbyhnujmikolp', '1q2w3e4r5t6y7u8i9o0p'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', '1a2z3e4r5t6y7u8i9o0p', 'a1b2c3d4e5f6g7h8', '1a2b3c4d5e6f7g8h'],
].flatMap((row) => [row, [...row].reverse().join('')])
const MIN_WALK = 3
/** Digits and symbols at the ends of a word that do not make it less common: years, "123!". */
const MAX_PADDING = 6
const MIN_PERSONAL = 3
/** Letters a password needs besides the person's own words. */
const MIN_OTHER_LETTERS = 4

const letters: Record<string, string> = {
  ...{
    '0': 'o',
    '1': 'l',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '8': 'b',
    '9': 'g',
    '@': 'a',
    $: 's',
    '!': 'i',
  },
}

/** Returns whether a password is a common one, also in disguise: "P@ssw0rd2024!", "azerty123", "abcabcabc", "aaaaaaaa". */
export function isCommon(password: string): boolean {
  const plain = fold(password)
  return [plain, plain.replace(/[^\p{L}\p{N}]/gu, '')].some(isPlainCommon)
}

function isPlainCommon(plain: string): boolean {
  if (plain === '') return false
  const unit = unitOf(plain)
  if (unit.length < MIN_WALK + 1 || isWalked(plain)) return true
  // A year or "123!" is cut before "0" and "1" are read as letters.
  return [unit, trim(unit)].some((one) => [one, readLetters(one)].some((word) => isWord(unitOf(word))))
}

/** Returns whether little is left of a password without the person's names and address and the product's name. */
export function isPersonal(password: string, names: readonly (string | null)[]): boolean {
  const plain = fold(password)
  return [plain, readLetters(plain)].some((one) => {
    const rest = withoutWords(one, wordsOf(names))
    return rest !== one && rest.replace(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS
  })
}

const isWord = (word: string) => commonWords.has(word)

function withoutWords(plain: string, words: string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ' '), plain)
}

/** Returns the names, and their parts, in folded form; the longest first. */
function wordsOf(names: readonly (string | null)[]): string[] {
  const whole = [...names, 'atrium'].flatMap((name) => (name ? [fold(name)] : []))
  const parts = whole.flatMap((name) => [
    name.replace(/[^\p{L}\p{N}]/gu, ''),
    ...name.split(/[^\p{L}\p{N}]+/u),
  ])
  const words = new Set([...whole, ...parts].filter((word) => word.length >= MIN_PERSONAL))
  return [...words].sort((one, other) => other.length - one.length)
}

/** Lower case without accents. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const readLetters = (text: string) => [...text].map((one) => letters[one] ?? one).join('')

/** Cuts digits and symbols from the ends; returns the text itself when they are too many to be a mere addition. */
function trim(text: string): string {
  const symbols = [...text]
  const isLetter = (one: string) => /\p{L}/u.test(one)
  const from = symbols.findIndex(isLetter)
  const to = symbols.findLastIndex(isLetter)
  if (from < 0 || from + symbols.length - 1 - to > MAX_PADDING) return text
  return symbols.slice(from, to + 1).join('')
}

/** Returns the part that a text repeats, or the whole text. */
function unitOf(text: string): string {
  const again = (text + text).indexOf(text, 1)
  return again < text.length ? text.slice(0, again) : text
}

/** Returns whether a text consists of pieces of walks only, each at least three long. Symbols between them do not count. */
function isWalked(text: string): boolean {
  let at = 0
  while (at < text.length) {
    const longest = Math.max(...walks.map((walk) => sharedStart(text, at, walk)))
    if (longest >= MIN_WALK) at += longest
    else if (/[\p{L}\p{N}]/u.test(text.charAt(at)) && at < text.length - 2) return false
    else at += 1
  }
  return true
}

/** Returns the length of the longest piece of a walk that the text has at a place. */
function sharedStart(text: string, at: number, walk: string): number {
  const from = walk.indexOf(text.charAt(at))
  let length = 0
  while (from >= 0 && at + length < text.length && text.charAt(at + length) === walk.charAt(from + length))
    length += 1
  return length
}
