import type { TimedWord } from '../elements/port.ts'

/** A spoken phrase. Times are in seconds from the beginning of the recording. */
export type Segment = { text: string; start: number; end: number; words: TimedWord[] }

/** Returns the words of a segment, with times estimated from their lengths. */
export function placeWords(text: string, start: number, end: number, confidence: number): TimedWord[] {
  const words = text.split(/\s+/).filter(Boolean)
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  let at = start
  return words.map((word) => {
    const from = at
    at += ((end - start) * word.length) / letters
    return { text: word, start: rounded(from), end: rounded(at), confidence, approximate: true }
  })
}

export const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000
