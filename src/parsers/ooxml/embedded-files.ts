import { posix } from 'node:path'
import { AttachedFiles } from '../elements/attach-files.ts'
import type { Job } from '../elements/port.ts'
import type { Package } from './package.ts'

/** Types of relations to whole files: embedded documents, and files that Word inserts when it opens the document. */
const FILES = new Set(['package', 'aFChunk'])
/** Parts that people see; the workbook behind a chart belongs to the chart. */
const HOLDERS = new Set(['header', 'footer', 'slide', 'worksheet'])

/** Attaches the files embedded in a package, which become documents of their own. */
export async function attachEmbedded(job: Job, file: Package): Promise<void> {
  const files = new AttachedFiles(job)
  const holders = new Set([file.main])
  for (const holder of holders) {
    for (const { type, target, isExternal } of (await file.relations(holder)).values()) {
      if (isExternal || !file.zip.has(target)) continue
      if (HOLDERS.has(type)) holders.add(target)
      if (!FILES.has(type)) continue
      const bytes = await file.zip.read(target)
      if (bytes) await files.addBytes(posix.basename(target), bytes)
    }
  }
  if (files.skipped > 0) job.warn({ code: 'attachments_skipped', values: { count: files.skipped } })
}
