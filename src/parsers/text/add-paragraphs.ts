import type { Job } from '../elements/port.ts'
import { escapeMarkdown } from '../elements/runs.ts'

/** A longer paragraph is split, because its readers process it as a whole. */
const MAX_PARAGRAPH_LENGTH = 100_000

/** Splits text into paragraphs at empty lines. */
export function addParagraphs(job: Pick<Job, 'add' | 'progress'>, text: string): void {
  for (const whole of text.split(/\n[ \t]*\n/)) {
    for (let from = 0; from < whole.length; from += MAX_PARAGRAPH_LENGTH) {
      const paragraph = whole
        .slice(from, from + MAX_PARAGRAPH_LENGTH)
        .toWellFormed()
        .trim()
      if (!paragraph) continue
      const markdown = escapeMarkdown(paragraph)
      job.add({ type: 'NarrativeText', text: paragraph, ...(markdown !== paragraph && { markdown }) })
    }
  }
  job.progress(1, 1)
}
