import { stat } from 'node:fs/promises'
import { type Job, Unreadable } from '../elements/port.ts'
import { findProgram } from '../elements/programs.ts'
import { convert } from '../soffice/convert.ts'
import { openZip } from '../zip/open-zip.ts'

/** Larger workbooks are not calculated, because it would take minutes. */
const MAX_BYTES = 5_000_000
/** A cell with a formula and no value, as written by programs that do not calculate. */
const UNCACHED =
  /<c\b[^<>]{0,300}>\s{0,9}<f\b[^<>]{0,300}(?:\/>|>[^<]{0,9000}<\/f>)\s{0,9}(?:<v\s?\/>|<v>\s{0,9}<\/v>)?\s{0,9}<\/c>/g

/**
 * The same job on a copy of the workbook in which LibreOffice has calculated the formulas without a result, and their
 * number. Null if there are none or nothing here can calculate them.
 */
export async function calculate(job: Job): Promise<{ job: Job; count: number } | null> {
  if (job.pipeline === 'low_latency' || job.size > MAX_BYTES || !findProgram('soffice')) return null
  try {
    const count = await countUncached(job)
    if (count === 0) return null
    const path = await convert(job, 'xlsx')
    return { job: { ...job, path, size: (await stat(path)).size }, count }
  } catch (error) {
    job.signal.throwIfAborted()
    // The parser reports why a file cannot be read, and counts the formulas without a result.
    if (error instanceof Unreadable) return null
    throw error
  }
}

async function countUncached(job: Job): Promise<number> {
  const zip = await openZip(job)
  try {
    let count = 0
    for (const { name, isEncrypted } of zip.entries) {
      if (isEncrypted || !/^xl\/worksheets\/[^/]+\.xml$/.test(name)) continue
      const text = (await zip.read(name))?.toString('latin1') ?? ''
      count += text.match(UNCACHED)?.length ?? 0
    }
    return count
  } finally {
    zip.close()
  }
}
