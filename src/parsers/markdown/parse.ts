import type { Job } from '../elements/port.ts'
import { addParagraphs } from '../text/add-paragraphs.ts'
import { readText } from '../text/read-text.ts'
import { isMadeToStall } from './is-made-to-stall.ts'
import { readMarkdown } from './read-markdown.ts'

/** Markdown as it is: its blocks are the elements, each with its own source. */
export async function parse(job: Job): Promise<void> {
  const text = await readText(job)
  // A reader of Markdown looks at the whole of these again with each of their signs.
  if (isMadeToStall(text)) return addParagraphs(job, text)
  const { elements, facts } = readMarkdown(text)
  job.describe(facts)
  for (const element of elements) job.add(element)
  job.progress(1, 1)
}
