import { AttachedFiles } from '../elements/attach-files.ts'
import { listItemOf } from '../elements/elements.ts'
import { type Job, Unreadable } from '../elements/port.ts'
import { openZip, type ZipEntry } from './open-zip.ts'

/** Reads an archive: the names of its files are its text, and each file becomes a separate document. */
export async function parse(job: Job): Promise<void> {
  const zip = await openZip(job)
  try {
    const entries = zip.entries.filter(({ name }) => !isOfSystem(name))
    if (entries.length > 0 && entries.every(({ isEncrypted }) => isEncrypted))
      throw new Unreadable('encrypted')
    const files = new AttachedFiles(job)
    let skipped = zip.refused.length
    for (const [at, entry] of entries.entries()) {
      job.signal.throwIfAborted()
      if (entry.isEncrypted) skipped += 1
      else await files.add(entry.name, entry.size, (path) => zip.unpack(entry.name, path))
      addName(job, entry)
      job.progress(at + 1, entries.length)
    }
    skipped += files.skipped
    if (skipped > 0) job.warn({ code: 'entries_skipped', values: { count: skipped } })
  } finally {
    zip.close()
  }
}

function addName(job: Job, { name }: ZipEntry): void {
  const element = listItemOf([{ text: name }], 0, '-')
  if (element) job.add(element)
}

/** Files that operating systems add to those of people. */
const isOfSystem = (name: string) =>
  /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i.test(name)
