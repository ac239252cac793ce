import type { Job } from '../elements/port.ts'
import { escapeMarkdown } from '../elements/runs.ts'
import { placeWords } from '../media/segment.ts'
import type { Cue } from './read-cues.ts'

/** Cues of one speaker within this pause form one segment, up to a maximum length, in seconds. */
const MAX_PAUSE_SECONDS = 2
const MAX_SEGMENT_SECONDS = 30

/** Adds subtitles as segments with their seconds. The speaker precedes the text when it changes. */
export function addCues(job: Pick<Job, 'add' | 'describe' | 'progress'>, cues: Cue[]): void {
  for (const { start, end, text, speaker } of joinCues(cues)) {
    const said = speaker ? `${speaker}: ${text}` : text
    const markdown = speaker
      ? `**${escapeMarkdown(speaker)}:** ${escapeMarkdown(text)}`
      : escapeMarkdown(text)
    job.add({
      type: 'transcript_segment',
      text: said,
      ...(markdown === said ? {} : { markdown }),
      place: { start, end, words: placeWords(text, start, end, 1) },
      ...(speaker ? { extra: { speaker } } : {}),
    })
  }
  job.describe({ duration: cues.reduce((last, { end }) => Math.max(last, end), 0) })
  job.progress(1, 1)
}

function joinCues(cues: Cue[]): Cue[] {
  const joined: Cue[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    const isSame =
      last &&
      last.speaker === cue.speaker &&
      cue.start - last.end <= MAX_PAUSE_SECONDS &&
      cue.end - last.start <= MAX_SEGMENT_SECONDS &&
      (cue.speaker !== null || !/[.!?…。？！]["”’»)]*$/u.test(last.text))
    if (isSame) Object.assign(last, { end: cue.end, text: `${last.text} ${cue.text}` })
    else joined.push({ ...cue })
  }
  return joined
}
