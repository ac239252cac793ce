import { Buffer } from 'node:buffer'

/** The lower-case ASCII letters and digits of a text, with their positions in it. */
export type Letters = { text: string; at: Uint32Array }

/**
 * Returns only the letters and digits of a text, so that case, line breaks, spaces, separators, invisible characters and
 * fullwidth forms make no difference when texts are compared.
 */
export function lettersOf(text: string): Letters {
  const letters = Buffer.allocUnsafe(text.length)
  const at = new Uint32Array(text.length)
  let count = 0
  for (let place = 0; place < text.length; place += 1) {
    let code = text.charCodeAt(place)
    if (code >= FULLWIDTH_FIRST && code <= FULLWIDTH_LAST) code -= FULLWIDTH_OFFSET
    if (code >= UPPER_A && code <= UPPER_Z) code += CASE_OFFSET
    const isLetter = (code >= LOWER_A && code <= LOWER_Z) || (code >= DIGIT_0 && code <= DIGIT_9)
    if (!isLetter) continue
    letters[count] = code
    at[count] = place
    count += 1
  }
  return { text: letters.toString('latin1', 0, count), at: at.subarray(0, count) }
}

const [UPPER_A, UPPER_Z, LOWER_A, LOWER_Z, DIGIT_0, DIGIT_9] = [0x41, 0x5a, 0x61, 0x7a, 0x30, 0x39]
const CASE_OFFSET = LOWER_A - UPPER_A
const [FULLWIDTH_FIRST, FULLWIDTH_LAST, FULLWIDTH_OFFSET] = [0xff01, 0xff5e, 0xfee0]
