import { getUpload, type Upload } from '#shared/knowledge/documents/uploads.ts'
import { beginImportUpload, createImport, type Import } from '#shared/lifecycle/imports/imports.ts'
import { sendParts } from '../../knowledge/uploads/uploads.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'

type Sending = {
  file: File
  signal: AbortSignal
  onSent: (bytes: number) => void
  onLost: (isLost: boolean) => void
}

const KEY = 'importUpload'

/** Uploads an export file and returns its import. A file whose upload was interrupted, also by a reload, continues. */
export async function sendExport(sending: Sending): Promise<Import> {
  const upload = await begin(sending)
  localStorage.setItem(KEY, JSON.stringify({ id: upload.id, ...nameOf(sending.file) }))
  await sendParts(sending, upload)
  const made = await call(createImport, { body: { upload_id: upload.id }, signal: sending.signal })
  localStorage.removeItem(KEY)
  return made
}

const nameOf = ({ name, size, lastModified }: File) => ({ name, size, lastModified })

async function begin({ file, signal }: Sending): Promise<Upload> {
  const { name, size } = file
  const known = readKnown(file)
  const found = known && (await callOrNotFound(getUpload, { params: { uploadId: known }, signal }))
  if (found && !('notFound' in found)) return found
  return call(beginImportUpload, { body: { name, size }, signal })
}

/** Returns the upload that was begun with this file. */
function readKnown(file: File): string | null {
  try {
    const { id, ...name } = JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? {}
    return JSON.stringify(name) === JSON.stringify(nameOf(file)) ? String(id) : null
  } catch {
    return null
  }
}
