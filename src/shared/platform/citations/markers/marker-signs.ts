import { expandList } from './marker-brackets.ts'
import { type Marker, NONE, PARTIAL } from './marker-result.ts'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SUPERSCRIPT_RUN = /^[⁰¹²³⁴-⁹]{1,3}(?:[,˒⁻–][⁰¹²³⁴-⁹]{1,3})*/
const SUP = /^<sup>\s?\[?\^?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\]?\s?<\/sup>/i
const SUP_BEGUN = /^<(?:s(?:u(?:p(?:>\s?\[?\^?[\d\s,;–-]{0,60}\]?\s?(?:<(?:\/(?:s(?:u(?:p)?)?)?)?)?)?)?)?)?$/i
const PRIVATE = /^\uE200[^\uE201\n]{0,190}\uE201/
/** A sign behind the end of a statement or behind a whole word is a footnote; behind a number or a unit it is a power. */
const STATEMENT = /[.,;:!?)\]"'»”’\s]$/
const WHOLE_WORD = /\p{L}{4}$/u
const UNIT_WORD =
  /(?:met(?:er|re)s?|mètres?|metros?|feet|foot|inch(?:es)?|pieds?|fuß|kilometers?|kilometres?)$/iu

/** Reads footnote signs: raised digits, `<sup>`, daggers, and the private characters some models use. */
export function readSign(text: string, isEnd: boolean, before: string): Marker {
  if (!/^(?:<s|[†‡⁰¹²³⁴-⁹\uE200])/i.test(text)) return NONE
  if (text[0] === '\uE200') {
    const found = PRIVATE.exec(text)?.[0]
    return found ? { kind: 'marker', length: found.length, numbers: [], ids: [] } : PARTIAL
  }
  if (/^<s?/i.test(text) && SUP_BEGUN.test(text) && isNote(before)) return text === '<' ? NONE : PARTIAL
  const sup = isNote(before) ? SUP.exec(text) : null
  if (sup) return { kind: 'marker', length: sup[0].length, numbers: expandList(sup[1] ?? ''), ids: [] }
  if (/^[†‡]/.test(text) && /[.,;:!?)]$/.test(before))
    return { kind: 'marker', length: 1, numbers: [], ids: [] }
  return readSuperscript(text, isEnd, before)
}

function readSuperscript(text: string, isEnd: boolean, before: string): Marker {
  const run = SUPERSCRIPT_RUN.exec(text)?.[0]
  if (run === undefined || !isNote(before)) return NONE
  if (run.length === text.length && !isEnd) return PARTIAL
  const list = [...run].map((sign) =>
    SUPERSCRIPTS.includes(sign) ? SUPERSCRIPTS.indexOf(sign) : sign === '˒' ? ',' : sign,
  )
  return { kind: 'marker', length: run.length, numbers: expandList(list.join('').replace('⁻', '-')), ids: [] }
}

const isNote = (before: string) =>
  STATEMENT.test(before) || (WHOLE_WORD.test(before) && !UNIT_WORD.test(before))
