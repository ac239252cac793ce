import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'

/** A spoken word; times in seconds, `confidence` from 0 to 1. */
export type SubtitleWord = {
  id: string
  text: string
  startTime: number
  endTime: number
  confidence: number
}
/** What is said in one breath. */
export type SubtitleSegment = {
  id: string
  text: string
  startTime: number
  endTime: number
  words: SubtitleWord[]
}
/** What is said at a moment: a segment, and its word, −1 before the first. */
export type Spoken = { segment: number; word: number }

/** The spoken segments of a recording, in their order. */
export function segmentsOf(parts: readonly DocumentPart[]): SubtitleSegment[] {
  const elements = parts.flatMap((part) => part.elements)
  const segments = elements.flatMap(({ element_id: id, text, metadata: { start, end, words } }) => {
    if (start === null || end === null) return []
    const spoken = words.length > 0 ? words : [{ text, start, end, confidence: 1 }]
    return {
      ...{ id, text, startTime: start, endTime: end },
      words: spoken.map((word, at) => ({
        ...{ id: `${id}.${at}`, text: word.text, confidence: word.confidence },
        ...{ startTime: word.start, endTime: word.end },
      })),
    }
  })
  return segments.sort((one, other) => one.startTime - other.startTime)
}

/** What is said at a time, in seconds; null while nobody speaks. A word lasts until the next one of its segment. */
export function spokenAt(segments: readonly SubtitleSegment[], time: number): Spoken | null {
  const segment = lastBegun(segments, time)
  const found = segments[segment]
  return found && time < found.endTime ? { segment, word: lastBegun(found.words, time) } : null
}

/** Place of the last that has begun; −1 before the first. */
function lastBegun(all: readonly { startTime: number }[], time: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (all[middle]!.startTime <= time) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** Characters of a line over the picture. */
const LINE = 46

/** The line of a segment that a word stands in: as many words as fit, their places counted in the segment. */
export function lineAround({ words }: SubtitleSegment, word: number): { from: number; to: number } {
  let [from, length] = [0, 0]
  for (const [at, { text }] of words.entries()) {
    if (length > 0 && length + text.length > LINE) {
      if (at > word) return { from, to: at }
      from = at
      length = 0
    }
    length += text.length + 1
  }
  return { from, to: words.length }
}
