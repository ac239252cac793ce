import type { Document } from '#shared/knowledge/documents/documents.ts'

/** Suffixes that Teams, Zoom and subtitle tools append to the name that a recording and its transcript share. */
const ENDING =
  /[ ._-]{1,3}(?:(?:meeting )?(?:recording|transcript|captions?|subtitles?)|[a-z]{2}(?:-[a-z]{2})?|\d{3,4}x\d{3,4})$/

/** Returns the part of a file name that a recording and its transcript share. */
export function stemOf(name: string): string {
  let stem = name.toLowerCase().replace(/\.[a-z0-9]{2,5}$/, '')
  for (
    let shorter = stem.replace(ENDING, '');
    shorter !== stem && shorter !== '';
    shorter = stem.replace(ENDING, '')
  )
    stem = shorter
  return stem.trim()
}

/** Returns the recording with the name of a transcript, the closest in duration if there are several; null if there is none. */
export function recordingOf(
  transcript: Pick<Document, 'name' | 'duration'>,
  recordings: readonly Document[],
): Document | null {
  const wanted = stemOf(transcript.name)
  const distance = ({ duration }: Document) => Math.abs((duration ?? 0) - (transcript.duration ?? 0))
  const same = recordings.filter(({ name }) => stemOf(name) === wanted)
  return same.sort((one, other) => distance(one) - distance(other))[0] ?? null
}
