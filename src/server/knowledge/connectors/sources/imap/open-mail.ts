import { Readable } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused } from '../../define-connector.ts'
import { type MailPlace, placeOfId } from './mail-id.ts'
import type { MailSession } from './mail-session.ts'

/** Bytes that are asked for with one command. Other mails are read between two of them. */
const CHUNK_BYTES = 1024 * 1024

/** Opens the source of a mail. It does not become read. @throws ItemRefused, SignedOut, SourceBusy, AppError `unavailable` */
export async function openMail(session: MailSession, id: string, signal: AbortSignal): Promise<Readable> {
  const place = placeOfId(id)
  if (!place) throw gone()
  const first = await readChunk(session, place, 0, signal)
  if (!first) throw gone()
  return Readable.from(readOn(session, place, first, signal))
}

const gone = () => new ItemRefused('not_found', 'The mail is no longer in its folder.')

async function* readOn(session: MailSession, place: MailPlace, first: Buffer, signal: AbortSignal) {
  let [chunk, size] = [first, 0]
  while (chunk.length > 0) {
    size += chunk.length
    if (size > session.maxBytes) throw new AppError('too_large', 'The mail is too large.')
    yield chunk
    if (chunk.length < CHUNK_BYTES) return
    chunk = (await readChunk(session, place, size, signal)) ?? Buffer.alloc(0)
  }
}

/** Returns a part of a mail; null when it is gone. */
function readChunk(
  session: MailSession,
  { mailbox, uidValidity, uid }: MailPlace,
  start: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return session.use(mailbox, signal, async (client) => {
    if (!client.mailbox || String(client.mailbox.uidValidity) !== uidValidity) return null
    const source = { start, maxLength: CHUNK_BYTES }
    const found = await client.fetchOne(String(uid), { source }, { uid: true })
    if (!client.usable) throw new AppError('unavailable', 'The connection to the mail server was lost.')
    return found ? (found.source ?? Buffer.alloc(0)) : null
  })
}
