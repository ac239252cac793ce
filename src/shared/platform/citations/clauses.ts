import { scaleOf } from './number-words.ts'
import { remember } from './remember.ts'
import { canonicalWord } from './synonyms.ts'
import { fold } from './text-language.ts'
import { isUnitWord } from './units.ts'

const EMPTY = new Set(
  (
    'the and for are was were has have had its his her their this that these those with from into upon may can will shall should would must been being all any our your who which ' +
    'les des une est sont etait dans pour par sur avec aux ses son leur cette ces qui que doit peut sera ete avait plus ' +
    'der die das den dem des und ist sind wird werden von fur mit auf eine einen einem einer kann darf muss hat haben wurde wurden sich ' +
    'los las del una son fue por con para este esta puede debe sera han era que sus ' +
    'not never none cannot nor neither without pas jamais aucun aucune rien ni sans nicht kein keine keinen nie niemals ohne nunca jamas sin ningun ninguna nadie forbidden prohibited ' +
    'she they them him her hers elle elles ils lui leur eux sie ihr ihm ihn wir ella ellos ellas ' +
    'permitted allowed permit permits allow allows autorise autorisee autorises autorisees permis permet permettent erlaubt gestattet permite permiten permitido permitida permitidos ' +
    'interdit interdite interdits interdites verboten untersagt prohibido prohibida only does did doesn didn isn aren wasn don won there here also ' +
    'one uhr but while when whereas because although than then both each such within bei bis vom zum zur innerhalb binnen alle aller wenn als dass wobei quand lorsque tandis alors cuando mientras si'
  ).split(' '),
)

/** A part of a sentence with its words by their beginnings, in order. */
export type Clause = {
  text: string
  words: string[]
  /** The subject of the sentence, which its later clauses leave out. Null for the first clause. */
  inherited: string | null
}

/** Words that carry meaning, in their order, by their beginnings. */
export function stemsOf(text: string): string[] {
  // "Group A" and "Group B" differ by their letter alone.
  const lettered = text
    .replace(HAPPENS, ' ')
    .replace(PREFIXED, '$1$2')
    .replace(NUMBERED, (_, noun: string, number: string) => `${noun}qx${letterOf(number)}`)
    .replace(/(?<!\p{L})(\p{L}{3,40})\s([A-Z])(?![\p{L}\d])/gu, '$1 $1qx$2')
  return (fold(lettered).match(/\p{L}+/gu) ?? [])
    .filter((word) => word.length >= 3 && !EMPTY.has(word))
    .map((word) => (/qx[a-z]{1,3}$/.test(word) ? word : withoutEnding(canonicalWord(word)).slice(0, 5)))
}

/** Verbs that only say that something happens; they fit any event. */
const HAPPENS =
  /(?<!\p{L})(?:(?:a|ont|aura|auront|ait|avait) (?:eu )?lieu|(?:will |to )?(?:takes?|took|taking) place|(?:tiene|tienen|tendrá|tuvo) lugar)(?!\p{L})/giu

/** "Non-residents" are no residents. */
export const PREFIXED = /(?<!\p{L})(non|nicht)-(?=\p{L})()/giu

/** German participles begin with "ge": "gewählt" is "wählt". Plurals and verbs end in "s". */
const withoutEnding = (word: string) =>
  word.replace(/^ge(?=[^aeiou]\p{L}{3,20}t$)/u, '').replace(/(?<=\p{L}{2}[^s])s$/u, '')

/** A number behind one of these nouns is a name: "line 4" is another line than "line 8". */
export const NUMBERED =
  /(?<!\p{L})(lines?|ligne|linie|linea|línea|articles?|artikel|art[ií]culo|section|abschnitt|secci[oó]n|chapter|chapitre|kapitel|cap[ií]tulo|rooms?|raum|zimmer|salle|sala|gate|lot|phase|fase|level|niveau|zone|zona|block|bloc|batch|step|[ée]tape|paso|class|classe|klasse|clase|team|[ée]quipe|route|track|gleis|voie|v[ií]a|plant|werk|halle|hall|table|tabelle|tabla|figure|abbildung|annex|annexe|anhang|anexo|version|versi[oó]n)\s(\d{1,3})(?![\d.,%]\d|\d)/giu
/** Letters for the digits of a name. */
const letterOf = (number: string) =>
  [...number].map((digit) => String.fromCharCode(97 + Number(digit))).join('')

const SENTENCE = /(?<=[.!?;:])\s+|\n+|\s[–—]\s/u
const JOINT =
  /,\s|\s(?:and|but|while|whereas|et|mais|tandis que|alors que|und|aber|wahrend|während|sondern|y|pero|mientras que)\s/iu
/** A clause of its own has so many words; shorter pieces belong to the one before them. */
const CLAUSE_WORDS = 2

/** A time, a place or a condition at the head of a sentence. */
const FRONTED =
  /^\s*(?:compared (?:with|to)|according to|under|in|on|at|before|after|since|until|during|for|with|without|from|by|avant|après|apres|depuis|pendant|en|dans|pour|sans|à|au|aux|im|am|vor|nach|seit|bis|bei|für|mit|ohne|gegenüber|laut|gemäß|par rapport à|selon|según|frente a|antes|después|durante|desde|para|sin|con)\s/iu

/** A name between commas: "its conductor, Mara Ilic, succeeded …". */
const APPOSITION = /, (\p{Lu}[\p{L}.]{1,30}(?:\s\p{Lu}[\p{L}.]{1,30}){0,3}), (?=\p{Ll})/gu

/** Auxiliary verbs. A piece with one is a clause. */
const AUXILIARY =
  /(?<!\p{L})(?:is|are|was|were|may|must|can|does|do|did|will|has|est|sont|peut|peuvent|doit|doivent|ist|sind|darf|d[üu]rfen|muss|m[üu]ssen|wird|werden|kann|est[áa]n?|puede|debe|pueden|deben)(?!\p{L})/iu

/** The clauses of a text; enumerations stay with the clause they belong to. */
export const clausesOf = remember(splitClauses)

function splitClauses(text: string): readonly Clause[] {
  let before = ''
  return text.split(SENTENCE).flatMap((line) => {
    // A date or a number was blanked: "In      the plant closed".
    const sentence = line
      .replace(/^\s*(?:in|on|by|at|im|am|um|en|el|le|au|à)\s{3,}/iu, '')
      .replace(APPOSITION, ' $1 ')
    const pieces: string[] = []
    for (const piece of sentence.split(JOINT)) {
      const last = pieces.at(-1)
      if (last !== undefined && isFronted(last, pieces.length)) pieces[0] = `${piece} ${last}`
      else if (last !== undefined && isPart(piece, last)) pieces[pieces.length - 1] = `${last} ${piece}`
      else pieces.push(withPredicate(piece, last ?? before))
    }
    before = line.endsWith(';') ? (pieces.at(-1) ?? '') : ''
    return pieces
      .map((piece, at) => ({
        text: piece,
        words: stemsOf(piece),
        inherited: at === 0 ? null : (stemsOf(pieces[0] ?? '')[0] ?? null),
      }))
      .filter(({ words }) => words.length > 0)
  })
}

const isFronted = (piece: string, count: number) =>
  count === 1 && FRONTED.test(piece) && stemsOf(piece).length <= 3

/** Returns whether a possible subject precedes the verb of a clause, or a name begins the clause. */
export function hasFirstWord(text: string): boolean {
  const verb = AUXILIARY.exec(text)
  if (verb) return stemsOf(text.slice(0, verb.index)).length > 0
  return /^\s*(?:(?:whereas|while|but|and)\s)?\p{Lu}/u.test(text)
}

/** Returns whether a piece is part of the clause before. */
function isPart(piece: string, last: string): boolean {
  const [own, before] = [stemsOf(piece).length, stemsOf(last).length]
  if (own > 0 && before > 0 && AUXILIARY.test(piece) && AUXILIARY.test(last)) return false
  return own < CLAUSE_WORDS || before < CLAUSE_WORDS
}

const ELLIPSIS =
  /(?<!\p{L})(?:is|are|was|were|may|must|can|does|do|did|will|has|ist|sind|darf|kann|wird)(?:\snot|\snicht)?[.;\s]*$/iu

/** "Pets are allowed, but smoking is not" leaves out the predicate of the clause before. */
function withPredicate(piece: string, last: string): string {
  if (!ELLIPSIS.test(piece)) return piece
  const found = AUXILIARY.exec(last)
  const predicate = found
    ? last.slice(found.index + found[0].length).replace(/^\s(?:not|nicht)(?!\p{L})/iu, '')
    : ''
  return `${piece.trimEnd().replace(/[.;]$/, '')}${predicate}`
}

/** The share of a clause's words that another one has. */
export function overlapOf(said: Clause, known: Clause): number {
  const words = new Set(known.words)
  return said.words.filter((word) => words.has(word)).length / Math.max(1, said.words.length)
}

const NOUN =
  /(?<!\p{L})(?:(those|that|celles?|ceux|celui|las?|los|el)|(\p{L}{3,40}))(?=\s(?:of|de|du|des|del)(?!\p{L}))/giu

/** A text with the noun for the pronoun: "those of the southern plant" are the emissions that the text named before. */
export const resolveNouns = remember((text) => {
  let noun = ''
  return text.replace(NOUN, (word: string, pronoun: string | undefined) => {
    if (pronoun === undefined && !isUnitWord(word) && scaleOf(word) === null) noun = word
    return pronoun === undefined || noun === '' ? word : noun
  })
})
