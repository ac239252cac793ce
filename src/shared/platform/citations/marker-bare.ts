import { type Marker, NONE, PARTIAL } from './markers/marker-result.ts'
import { wordNumbers } from './number-words.ts'
import { fold, languageOf } from './text-language.ts'

const ONE = /^\s?(?:\((\d{1,2})\)|（(\d{1,2})）|\{(\d{1,2})\}|([①-⑳]))/
/** A bare number, or several, while they are still arriving. */
const BEGUN = /^(?:\s?(?:\(\d{1,2}\)|（\d{1,2}）|\{\d{1,2}\}|[①-⑳]))*\s?(?:\(\d{0,2}|（\d{0,2}|\{\d{0,2})?$/
/** The end of a statement after its marker. */
const END = /^\s?(?:[.!?;](?=\s|$)|[。！？；]|\n)/
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Words before a number that refer to something other than a source, without accents: parts of a text, kinds and prepositions. */
const LEADS = new Set(
  (
    'section sections paragraph paragraphs item items point points step steps option options rule rules clause clauses article articles equation equations eq ' +
    'formula figure fig table chapter part page line row column level type class group phase stage version number no case example question answer note ' +
    'alinea paragraphe etape regle article equation figure tableau chapitre partie ligne niveau groupe numero exemple ' +
    'absatz satz punkt schritt regel artikel gleichung abbildung tabelle kapitel teil seite zeile stufe gruppe nummer beispiel ziffer ' +
    'seccion parrafo punto paso opcion regla clausula articulo ecuacion figura tabla capitulo parte pagina linea nivel grupo ejemplo ' +
    'in of to from by at with and or see is are was were than as the a an for on about en de du des la le les et ou par avec est sont voir ' +
    'von mit und oder der die das ist sind siehe nach bei zu el los las y o con por es son ver'
  ).split(' '),
)
/** Minimum words of a statement. */
const MIN_WORDS = 3

/** The line before a bare number, and what is known about the answer. */
export type BareContext = {
  /** The line so far, without markers. */
  line: string
  /** True when the answer has named sources in this way before. */
  isUsual: boolean
  isPassage: (number: number) => boolean
}

/**
 * Reads a number without square brackets, such as `(3)`, `{3}` or `③`, as a marker if it clearly names a passage: it ends a statement,
 * and no word ahead of it gives it another meaning.
 */
export function readBare(text: string, isEnd: boolean, context: BareContext): Marker {
  const numbers: number[] = []
  let rest = text
  for (let found = ONE.exec(rest); found; found = ONE.exec(rest)) {
    numbers.push(numberOf(found))
    rest = rest.slice(found[0].length)
  }
  if (!followsStatement(text, numbers, context)) return NONE
  if (!isEnd && (BEGUN.test(text) || /^\s?[.!?;]?$/.test(rest))) return PARTIAL
  if (numbers.length === 0 || !numbers.every(context.isPassage)) return NONE
  if (rest.trim() !== '' && !END.test(rest)) return NONE
  return { kind: 'marker', length: text.length - rest.length, numbers, ids: [] }
}

/** Returns whether a text is a bare number, which may also number a list. */
export const isBareNumber = (text: string) => ONE.test(text)

const numberOf = ([, round, wide, curly, circled]: RegExpExecArray) =>
  circled ? (circled.codePointAt(0) ?? 0) - 0x245f : Number(round ?? wide ?? curly)

/** Returns whether the line ends with a statement, so that its source may follow. */
function followsStatement(text: string, numbers: readonly number[], { line, isUsual }: BareContext): boolean {
  const before = line.trimEnd()
  const last = before.at(-1) ?? ''
  if (WIDE.test(last) || /[。！？]/.test(last)) return before.length > MIN_WORDS
  const isApart = line !== before || /[.!?;"”»)]/.test(last) || /^[①-⑳]/.test(text)
  const statement = before.split(/[.!?;]\s/).at(-1) ?? ''
  const words = statement.match(/[\p{L}\p{N}]+/gu) ?? []
  const word = words.at(-1) ?? ''
  if (!isApart || words.length < MIN_WORDS || /[:,(]$/.test(before)) return false
  if (LEADS.has(fold(word)) || /^\p{Lu}\p{L}{0,2}$/u.test(word)) return false
  // "Three (3)" and "3 (3)" say a number twice.
  const said = [...wordNumbers(word).map(({ value }) => value), Number(word)]
  if (numbers.some((number) => said.includes(number))) return false
  // "Her daughter Anna (3)" gives an age, unless the answer names its sources so. German writes every noun with a capital.
  return isUsual || !/^\p{Lu}/u.test(word) || languageOf(before) === 'de'
}
