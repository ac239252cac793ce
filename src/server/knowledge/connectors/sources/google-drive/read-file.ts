import type { Readable } from 'node:stream'
import * as z from 'zod'
import { ItemRefused } from '../../define-connector.ts'
import { openWithToken } from '../../sign-in/with-token.ts'
import { bodyOf } from '../../source-requests.ts'
import { exportOf, isNative } from './drive-files.ts'
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
