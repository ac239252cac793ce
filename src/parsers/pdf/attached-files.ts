import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AttachedFiles } from '../elements/attach-files.ts'
import type { Job } from '../elements/port.ts'
import type { PinnedFile } from './page/read-notes.ts'

/** Extracts embedded files, each once: attachments of the document, files of a portfolio and files pinned to pages. */
export async function attachFiles(pdf: PDFDocumentProxy, job: Job, pinned: PinnedFile[]): Promise<void> {
  const files = new AttachedFiles(job)
  const listed = await pdf.getAttachments()
  let unread = 0
  const all = new Map<string, string>()
  for (const [id, { filename, rawFilename }] of listed ?? []) all.set(id, filename || rawFilename || id)
  for (const { id, name } of pinned) if (!all.has(id)) all.set(id, name)
  for (const [id, name] of all) {
    job.signal.throwIfAborted()
    const content = await contentOf(pdf, id, pinned)
    if (content) await files.addBytes(name, content)
    else unread += 1
  }
  const skipped = files.skipped + unread
  if (skipped > 0) job.warn({ code: 'attachments_skipped', values: { count: skipped } })
}

/** Returns the bytes of an attachment; null if the PDF only references it or it is damaged. */
async function contentOf(
  pdf: PDFDocumentProxy,
  id: string,
  pinned: PinnedFile[],
): Promise<Uint8Array | null> {
  const own = pinned.find((one) => one.id === id)?.content
  try {
    return (await pdf.getAttachmentContent(id)) ?? own ?? null
  } catch {
    // The caller counts and reports unreadable attachments.
    return own ?? null
  }
}
