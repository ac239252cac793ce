import type { Job } from '../elements/port.ts'
import { escapeMarkdown } from '../elements/runs.ts'

/** A paragraph that is longer is cut: what reads it looks at all of it at once. */
const PARAGRAPH_MOST = 100_000

/** Text as paragraphs, which empty lines separate. */
export function addParagraphs(job: Pick<Job, 'add' | 'progress'>, text: string): void {
  for (const whole of text.split(/\n[ \t]*\n/)) {
    for (let from = 0; from < whole.length; from += PARAGRAPH_MOST) {
      const paragraph = whole
        .slice(from, from + PARAGRAPH_MOST)
        .toWellFormed()
        .trim()
      if (!paragraph) continue
      const markdown = escapeMarkdown(paragraph)
      job.add({ type: 'NarrativeText', text: paragraph, ...(markdown !== paragraph && { markdown }) })
    }
  }
  job.progress(1, 1)
}
