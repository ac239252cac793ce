import type { Job } from '../port.ts'
import { escapeMarkdown } from '../runs.ts'
import { readText } from './read-text.ts'

/** Text without markup: paragraphs are what empty lines separate. */
export async function parse(job: Job): Promise<void> {
  for (const paragraph of (await readText(job)).split(/\n[ \t]*\n/)) {
    const text = paragraph.trim()
    if (!text) continue
    const markdown = escapeMarkdown(text)
    job.add({ type: 'NarrativeText', text, ...(markdown !== text && { markdown }) })
  }
  job.progress(1, 1)
}
