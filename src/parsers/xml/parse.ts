import { createReadStream } from 'node:fs'
import { type Job, Unreadable } from '../elements/port.ts'
import { walkBlocks } from '../html/walk-blocks.ts'
import { elementsOfData } from '../records/records.ts'
import { factsOf } from './front.ts'
import { readXmlStart } from './read-start.ts'
import { toData } from './to-data.ts'
import { toHtml } from './to-html.ts'
import { isText } from './vocabulary.ts'

/** Reads XML: texts with their headings, paragraphs, lists and tables; everything else as data. */
export async function parse(job: Job): Promise<void> {
  const { root, isCut } = await readXmlStart(chunksOf(job), job.limits.characters)
  if (!root) throw new Unreadable('damaged', {}, { cause: new Error('no element') })
  if (isCut) job.warn({ code: 'text_cut', values: { characters: job.limits.characters } })
  if (isText(root)) job.describe(factsOf(root))
  const elements = isText(root) ? walkBlocks(toHtml(root)) : elementsOfData(toData(root))
  for (const element of elements) job.add(element)
}

async function* chunksOf(job: Job): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const chunk of createReadStream(job.path)) {
    job.signal.throwIfAborted()
    done += chunk.length
    job.progress(done, job.size)
    yield chunk
  }
}
