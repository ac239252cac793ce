import type { Job } from '../elements/port.ts'
import { addCues } from '../subtitles/add-cues.ts'
import { readCues } from '../subtitles/read-cues.ts'
import { addParagraphs } from './add-paragraphs.ts'
import { readText } from './read-text.ts'

/** Reads text without markup: paragraphs are separated by empty lines. Subtitles become segments with their times. */
export async function parse(job: Job): Promise<void> {
  const text = await readText(job)
  const cues = readCues(text)
  if (cues && cues.length > 0) addCues(job, cues)
  else addParagraphs(job, text)
}
