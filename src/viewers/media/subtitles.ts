import type { DocumentPart } from '#shared/knowledge/documents/documents.ts'

/** A spoken word; times in seconds, `confidence` from 0 to 1. */
export type SubtitleWord = {
  id: string
  text: string
  startTime: number
  endTime: number
  confidence: number
}
/** A segment of continuous speech. */
export type SubtitleSegment = {
  id: string
  text: string
  /** The name of the speaker, if the text has it before the words. */
  speaker?: string
  startTime: number
  endTime: number
  words: SubtitleWord[]
}
/** Indexes of the current segment and word; the word is −1 before the first. */
export type Spoken = { segment: number; word: number }

/** Returns the spoken segments of a recording, in order. */
export function segmentsOf(parts: readonly DocumentPart[]): SubtitleSegment[] {
  const elements = parts.flatMap((part) => part.elements)
  const segments = elements.flatMap(({ element_id: id, text, metadata: { start, end, words } }) => {
    if (start === null || end === null) return []
    const spoken = words.length > 0 ? words : [{ text, start, end, confidence: 1 }]
    const speaker = speakerOf(text, spoken)
    return {
      ...{ id, text, startTime: start, endTime: end },
      ...(speaker && { speaker }),
      words: spoken.map((word, at) => ({
        ...{ id: `${id}.${at}`, text: word.text, confidence: word.confidence },
        ...{ startTime: word.start, endTime: word.end },
      })),
    }
  })
  return segments.sort((one, other) => one.startTime - other.startTime)
}

/** Returns the name before the spoken words: the text of a subtitle is `name: words` if its file names the speaker. */
function speakerOf(text: string, words: readonly { text: string }[]): string | null {
  const said = words.map((word) => word.text).join(' ')
  const whole = text.replace(/\s+/g, ' ')
  return whole.endsWith(`: ${said}`) ? whole.slice(0, -said.length - 2) : null
}

/** Returns the segment and word at a time in seconds; null in silence. A word lasts until the next one of its segment. */
export function spokenAt(segments: readonly SubtitleSegment[], time: number): Spoken | null {
  const segment = lastBegun(segments, time)
  const found = segments[segment]
  return found && time < found.endTime ? { segment, word: lastBegun(found.words, time) } : null
}

/** Returns the index of the last item that has started; −1 before the first. */
function lastBegun(all: readonly { startTime: number }[], time: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (all[middle]!.startTime <= time) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** Maximum characters of a subtitle line. */
const LINE = 46

/** Returns the line around a word: as many words as fit, as indexes within the segment. */
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
