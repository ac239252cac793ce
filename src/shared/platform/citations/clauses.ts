import { fold } from './text-language.ts'

const EMPTY = new Set(
  (
    'the and for are was were has have had its his her their this that these those with from into upon may can will shall should would must been being all any our your who which ' +
    'les des une est sont etait dans pour par sur avec aux ses son leur cette ces qui que doit peut sera ete avait plus ' +
    'der die das den dem des und ist sind war wird werden von fur mit auf eine einen einem einer kann darf muss hat haben wurde wurden sich ' +
    'los las del una son fue por con para este esta puede debe sera han era que sus ' +
    'not never none cannot nor neither without pas jamais aucun aucune rien ni sans nicht kein keine keinen nie niemals ohne nunca jamas sin ningun ninguna nadie forbidden prohibited ' +
    'she they them him her hers elle elles ils lui leur eux sie ihr ihm ihn wir ella ellos ellas ' +
    'interdit interdite verboten untersagt prohibido prohibida only does did doesn didn isn aren wasn don won there here also'
  ).split(' '),
)

/** A clause of a sentence: its text, and the stems of its words in order. */
export type Clause = { text: string; words: string[] }

/** Returns the stems of content words in order. */
export function stemsOf(text: string): string[] {
  // "Group A" and "Group B" differ only in their letter.
  const lettered = text.replace(/(?<!\p{L})(\p{L}{3,40})\s([A-Z])(?![\p{L}\d])/gu, '$1 $1qx$2')
  return (fold(lettered).match(/\p{L}+/gu) ?? [])
    .filter((word) => word.length >= 3 && !EMPTY.has(word))
    .map((word) => (/qx[a-z]$/.test(word) ? word : word.slice(0, 5)))
}

const SENTENCE = /(?<=[.!?;:])\s+|\n+|\s[–—]\s/u
const JOINT =
  /,\s|\s(?:and|but|while|whereas|et|mais|tandis que|alors que|und|aber|wahrend|während|sondern|y|pero|mientras que)\s/iu
/** Minimum words of a clause; shorter pieces belong to the previous one. */
const CLAUSE_WORDS = 2

/** Splits a text into clauses; enumerations stay with their clause. */
export function clausesOf(text: string): Clause[] {
  return text.split(SENTENCE).flatMap((sentence) => {
    const pieces: string[] = []
    for (const piece of sentence.split(JOINT)) {
      const last = pieces.at(-1)
      const isShort =
        stemsOf(piece).length < CLAUSE_WORDS || (last !== undefined && stemsOf(last).length < CLAUSE_WORDS)
      if (last !== undefined && isShort) pieces[pieces.length - 1] = `${last} ${piece}`
      else pieces.push(piece)
    }
    return pieces
      .map((piece) => ({ text: piece, words: stemsOf(piece) }))
      .filter(({ words }) => words.length > 0)
  })
}

/** Returns the share of a clause's words that occur in another one. */
export function overlapOf(said: Clause, known: Clause): number {
  const words = new Set(known.words)
  return said.words.filter((word) => words.has(word)).length / Math.max(1, said.words.length)
}
