import { readFile } from 'node:fs/promises'
import { type Job, Unreadable } from '../elements/port.ts'
import { readRtf } from './read-rtf.ts'

/** Reads rich text (RTF). */
export async function parse(job: Job): Promise<void> {
  if (job.size > job.limits.unpackedBytes)
    throw new Unreadable('too_large_inside', { megabytes: Math.round(job.limits.unpackedBytes / 1e6) })
  const { elements, title } = readRtf((await readFile(job.path)).toString('latin1'))
  if (title) job.describe({ title })
  for (const element of elements) job.add(element)
  job.progress(1, 1)
}
