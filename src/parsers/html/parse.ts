import { readFile } from 'node:fs/promises'
import type { Job } from '../elements/port.ts'
import { warnOfEncoding } from '../text/decode-text.ts'
import { readArticle } from './article.ts'
import { cleanHtml } from './clean-html.ts'
import { decodeHtml } from './decode-html.ts'
import { readHtml } from './read-html.ts'

/** A page of the web: its content as elements, and for the viewer the page without anything that runs or loads. */
export async function parse(job: Job): Promise<void> {
  const { text, ...encoding } = decodeHtml(await readFile(job.path), job.encoding)
  warnOfEncoding(job, encoding)
  const article = job.articleOnly ? readArticle(text) : null
  const { elements, facts } = readHtml(article?.html ?? text)
  job.describe({ ...facts, ...article?.facts })
  for (const element of elements) job.add(element)
  if (!job.articleOnly) await job.keep('view.html', Buffer.from(cleanHtml(text)))
  job.progress(1, 1)
}
