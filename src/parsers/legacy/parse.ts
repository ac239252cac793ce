import { readFile } from 'node:fs/promises'
import { type Format, type Job, type Parse, Unreadable } from '../elements/port.ts'
import { convert } from '../soffice/convert.ts'
import { isLocked } from './is-locked.ts'

const newer: Partial<
  Record<Format, { format: 'docx' | 'xlsx' | 'pptx'; load: () => Promise<{ parse: Parse }> }>
> = {
  doc: { format: 'docx', load: () => import('../docx/parse.ts') },
  xls: { format: 'xlsx', load: () => import('../xlsx/parse.ts') },
  ppt: { format: 'pptx', load: () => import('../pptx/parse.ts') },
}

/** Office files from before 2007: LibreOffice converts them to current formats, which are then read as usual. */
export async function parse(job: Job): Promise<void> {
  const to = newer[job.format]
  if (!to) throw new Unreadable('unsupported', { format: job.format })
  if (job.size < 64_000_000 && isLocked(await readFile(job.path), job.format))
    throw new Unreadable('encrypted')
  const path = await convert(job, to.format)
  const { parse: read } = await to.load()
  await read({ ...job, path, format: to.format })
}
