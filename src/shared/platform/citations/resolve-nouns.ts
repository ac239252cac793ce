import { scaleOf } from './number-words.ts'
import { remember } from './remember.ts'
import { isUnitWord } from './units.ts'

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
