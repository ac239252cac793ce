import type { Job } from '../port.ts'
import { readText } from '../text/read-text.ts'
import { readMarkdown } from './read-markdown.ts'

/** Markdown as it is: its blocks are the elements, each with its own source. */
export async function parse(job: Job): Promise<void> {
  const { elements, facts } = readMarkdown(await readText(job))
  job.describe(facts)
  for (const element of elements) job.add(element)
  job.progress(1, 1)
}
