import { Decimal } from 'decimal.js'
import type { Language } from '#shared/platform/primitives.ts'
import { readScale, readSpelled } from './number-words.ts'
import { readRange } from './read-range.ts'

/** A number has decimal digits with a point; a word is lower case; a date and a time of day have their text. */
export type Token =
  | { kind: 'number'; value: string }
  | { kind: 'word'; word: string }
  /** `isTight`: between digits or letters without a space. */
  | { kind: 'sign'; sign: string; isTight?: boolean }
  | { kind: 'date'; text: string }
  | { kind: 'time'; text: string }
  /** A range of years, a phone number or an identifier, which is no operand. */
  | { kind: 'range'; text: string }

/** A text with more tokens is not read as a question. */
const most = 400
/** The calculator accepts no longer number. */
const mostDigits = 300

const date = /\d{4}[-/]\d{1,2}[-/]\d{1,2}(?!\d)|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)/y
const time = /\d{1,2}:\d{2}(?!\d)/y
/** 1.234,56 */
const byPoints = /\d{1,3}(?:\.\d{3})+,\d+/y
const spaced = /\d{1,3}(?:[ \u00a0\u202f]\d{3}(?!\d))+(?:[.,]\d+)?/y
const byCommas = { en: /\d{1,3}(?:,\d{3}(?!\d))+(?:\.\d+)?/y, fr: /\d{1,3}(?:,\d{3}(?!\d)){2,}(?:\.\d+)?/y }
const plain = /\d+(?:[.,]\d+)?(?:e[+-]?\d{1,2}(?![\p{L}\d]))?|\.\d+/iuy
const powerOfLength = /(?:[kcdm]?m|ft)[23](?![\p{L}\d])/iuy
/** 4x4 */
const tightTimes = /(?<=\d)x(?=\d)/iy
const word = /[\p{L}°]+[²³]?/uy
const signs: Record<string, string> = { '×': '*', '✕': '*', '÷': '/', '−': '-', '–': '-' }

/** Splits a question into words, numbers and symbols. Numbers in words become numbers. Returns nothing for a text that is too long. */
export function readTokens(text: string, language: Language): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const found = readToken(text, at, language)
    at = found.to
    if (found.token) tokens.push(found.token)
    if (tokens.length > most) return []
  }
  return spellOut(joinPercent(tokens), language)
}

function readToken(text: string, at: number, language: Language): { token: Token | null; to: number } {
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  const range = readRange(text, at)
  if (range) return { token: { kind: 'range', text: range }, to: at + range.length }
  const whole = read(date)
  if (whole) return { token: { kind: 'date', text: whole }, to: at + whole.length }
  const clock = read(time)
  if (clock) return { token: { kind: 'time', text: clock }, to: at + clock.length }
  const points = read(byPoints)
  if (points) return { token: aNumber(points.replaceAll('.', '').replace(',', '.')), to: at + points.length }
  const commas = read(byCommas[language])
  if (commas) return { token: aNumber(commas.replaceAll(',', '')), to: at + commas.length }
  const digits = read(spaced) ?? read(plain)
  if (digits)
    return {
      token: aNumber(digits.replace(/[ \u00a0\u202f]/g, '').replace(',', '.')),
      to: at + digits.length,
    }
  if (read(tightTimes)) return { token: { kind: 'sign', sign: '*', isTight: true }, to: at + 1 }
  const letters = read(powerOfLength) ?? read(word)
  if (letters) return { token: { kind: 'word', word: letters.toLowerCase() }, to: at + letters.length }
  return readSign(text, at)
}

function readSign(text: string, at: number): { token: Token | null; to: number } {
  const given = text[at] ?? ''
  if (text.startsWith('**', at)) return { token: { kind: 'sign', sign: '^' }, to: at + 2 }
  const isInWord = /\p{L}/u.test(text[at - 1] ?? '') && /\p{L}/u.test(text[at + 1] ?? '')
  if (/\s/.test(given) || given === "'" || given === '’' || (given === '-' && isInWord))
    return { token: null, to: at + 1 }
  const isTight =
    '-–/:'.includes(given) && /[\p{L}\d]/u.test(text[at - 1] ?? '') && /[\p{L}\d]/u.test(text[at + 1] ?? '')
  return { token: { kind: 'sign', sign: signs[given] ?? given, isTight }, to: at + 1 }
}

function aNumber(digits: string): Token {
  if (digits.length > mostDigits) return { kind: 'sign', sign: '…' }
  return { kind: 'number', value: new Decimal(digits).toFixed() }
}

export const wordAt = (tokens: Token[], at: number): string => {
  const token = tokens[at]
  return token?.kind === 'word' ? token.word : ''
}

/** “per cent” is one symbol. Otherwise “cent” would be read as a hundred. */
function joinPercent(tokens: Token[]): Token[] {
  return tokens.flatMap((token, at): Token[] => {
    const [before, here] = [wordAt(tokens, at - 1), wordAt(tokens, at)]
    if (here === 'percent' || here === 'pourcent') return [{ kind: 'sign', sign: '%' }]
    if (here === 'cent' && (before === 'per' || before === 'pour')) return [{ kind: 'sign', sign: '%' }]
    return (here === 'per' || here === 'pour') && wordAt(tokens, at + 1) === 'cent' ? [] : [token]
  })
}

/** Converts numbers in words to numbers, and “3 million” to one number. */
function spellOut(tokens: Token[], language: Language): Token[] {
  const words = tokens.map((_, at) => wordAt(tokens, at))
  const spelled: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    const found = readSpelled(words, at, language)
    const scale = token?.kind === 'number' ? readScale(words[at + 1] ?? '', language) : null
    if (found) spelled.push({ kind: 'number', value: found.value })
    else if (token?.kind === 'number' && scale)
      spelled.push({ kind: 'number', value: new Decimal(token.value).times(scale).toFixed() })
    else if (token) spelled.push(token)
    at += found?.length ?? (scale ? 2 : 1)
  }
  return spelled
}
