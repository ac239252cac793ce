import type { Job } from '../elements/port.ts'
import { addParagraphs } from './add-paragraphs.ts'
import { readText } from './read-text.ts'

/** Text without markup: paragraphs are what empty lines separate. */
export async function parse(job: Job): Promise<void> {
  addParagraphs(job, await readText(job))
}
