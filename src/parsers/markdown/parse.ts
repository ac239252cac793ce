import type { Job } from '../elements/port.ts'
import { addParagraphs } from '../text/add-paragraphs.ts'
import { readText } from '../text/read-text.ts'
import { isMadeToStall } from './is-made-to-stall.ts'
import { readMarkdown } from './read-markdown.ts'

/** Reads Markdown: its blocks are the elements, each with its own source. */
export async function parse(job: Job): Promise<void> {
  const text = await readText(job)
  // A Markdown parser would scan all of it again for each of these characters.
  if (isMadeToStall(text)) return addParagraphs(job, text)
  const { elements, facts } = readMarkdown(text)
  job.describe(facts)
  for (const element of elements) job.add(element)
  job.progress(1, 1)
}
