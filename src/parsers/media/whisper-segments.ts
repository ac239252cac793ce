import type { TimedWord } from '../elements/port.ts'
import { rounded, type Segment } from './segment.ts'

/** A token of Whisper: text or a time. `end` is the end of its speech, in seconds. */
export type Heard = { token: number; text: string; end: number; confidence: number }

/** The first token that represents a time; each following one is 20 ms later. */
const FIRST_TIME = 50_364
const STEP = 0.02

/** Splits tokens into segments at the time tokens. The attention of tokens gives the times of words. */
export function segmentsOf(heard: Heard[], seconds: number, offset: number): Segment[] {
  const segments: Segment[] = []
  let start = 0
  let said: Heard[] = []
  const finish = (end: number) => {
    const segment = segmentOf(said, start, Math.max(start, Math.min(end, seconds)), offset)
    if (segment) segments.push(segment)
    said = []
  }
  for (const one of heard) {
    if (one.token >= FIRST_TIME) {
      const time = (one.token - FIRST_TIME) * STEP
      if (said.length > 0) finish(time)
      start = time
    } else if (one.text !== '') said.push(one)
  }
  finish(said.at(-1)?.end ?? seconds)
  return segments
}

function segmentOf(said: Heard[], start: number, end: number, offset: number): Segment | null {
  const text = said
    .map((one) => one.text)
    .join('')
    .trim()
  if (text === '') return null
  const words: TimedWord[] = []
  let before = start
  for (const group of groupWords(said)) {
    const until = Math.max(before, Math.min(end, group.at(-1)?.end ?? end))
    const confidence = group.reduce((sum, one) => sum + one.confidence, 0) / group.length
    words.push({
      text: group
        .map((one) => one.text)
        .join('')
        .trim(),
      start: rounded(before + offset),
      end: rounded(until + offset),
      confidence: rounded(confidence),
    })
    before = until
  }
  return { text, start: rounded(start + offset), end: rounded(end + offset), words }
}

/** A word begins with a space; punctuation belongs to the previous word. */
function groupWords(said: Heard[]): Heard[][] {
  const groups: Heard[][] = []
  for (const one of said) {
    const last = groups.at(-1)
    if (last && !/^\s/.test(one.text)) last.push(one)
    else groups.push([one])
  }
  return groups
}
