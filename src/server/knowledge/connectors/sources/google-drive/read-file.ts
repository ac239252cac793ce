import type { Readable } from 'node:stream'
import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import { openWithToken } from '../../sign-in/with-token.ts'
import { bodyOf } from '../../source-requests.ts'
import { exportOf, isNative, nameOf } from './drive-files.ts'
import { assertDriveAnswered, type Drive } from './drive-requests.ts'
import settings from './google-drive-settings.ts'

const SECONDS = 60

/** Opens the content of a file. Google's own documents are exported. @throws ItemRefused, SourceBusy, SignedOut */
export async function readFile(drive: Drive, id: string, signal: AbortSignal): Promise<Readable> {
  const { context, host, urlOf, ask } = drive
  const path = `/files/${encodeURIComponent(id)}`
  const Kind = z.object({ mimeType: z.string() })
  const { mimeType } = await ask(path, { supportsAllDrives: 'true', fields: 'mimeType' }, Kind)
  const format = exportOf(mimeType)
  if (!format && isNative(mimeType))
    throw new ItemRefused('unreadable', 'Google exports no file of this kind.')
  const url = format
    ? urlOf(`${path}/export`, { mimeType: format.type })
    : urlOf(path, { alt: 'media', supportsAllDrives: 'true' })
  const { maxBytes, config } = context
  const request = { signal, seconds: SECONDS, maxBytes, trusted: [settings.of(config).GOOGLE_DRIVE_URL] }
  const answer = await openWithToken(context, url, request)
  assertDriveAnswered(host, answer, answer.ok ? '' : await answer.text())
  return bodyOf(answer, host)
}

/** Returns the name, address and size of a file. */
export async function describeFile({ ask }: Drive, id: string) {
  const File = z.object({
    ...{ name: z.string(), mimeType: z.string(), size: z.string().optional() },
    webViewLink: z.string().optional(),
  })
  const parameters = { supportsAllDrives: 'true', fields: 'name,mimeType,size,webViewLink' }
  const file = await ask(`/files/${encodeURIComponent(id)}`, parameters, File)
  const size = file.size === undefined || isNative(file.mimeType) ? null : Number(file.size)
  return { name: nameOf(file), size, ...(file.webViewLink && { url: file.webViewLink }) }
}
