import { readFile } from 'node:fs/promises'
import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { type Job, Unreadable } from '../elements/port.ts'
import { openOutlook, withBodies } from '../mail/open-outlook.ts'
import { type OutlookMail, readTnef, TNEF_SIGNATURE } from '../mail/read-tnef.ts'
import { sortAttached } from '../mail/sort-attached.ts'
import { writeMail } from '../mail/write-mail.ts'
import { decodeText, encodingOf } from '../text/decode-text.ts'

/** Reads a mail as it was sent (RFC 5322). */
export async function parse(job: Job): Promise<void> {
  if (job.size > job.limits.unpackedBytes)
    throw new Unreadable('too_large_inside', { megabytes: Math.round(job.limits.unpackedBytes / 1e6) })
  const bytes = await readFile(job.path)
  if (bytes.toString('latin1', 0, 4) === TNEF_SIGNATURE) return writeOutlookMail(job, readTnef(bytes))
  const mail = await read(encodingOf(bytes).encoding.startsWith('utf-16') ? fromUtf16(bytes) : bytes)
  const pictures = mail.attachments.filter(isPicture)
  const { attached, bodies } = openOutlook(
    job,
    mail.attachments
      .filter((one) => !isPicture(one))
      .map((one) => ({ name: one.filename ?? nameOf(one), type: one.mimeType, bytes: bytesOf(one) })),
  )
  await writeMail(job, {
    from: people(mail.from ? [mail.from] : []),
    to: people(mail.to),
    cc: people(mail.cc),
    date: dateOf(mail.date),
    subject: (mail.subject ?? '').replace(/\s+/g, ' '),
    ...withBodies({ html: mail.html ?? '', text: mail.text ?? '' }, bodies),
    attachments: sortAttached(job, attached),
    pictures: new Map(
      pictures.map((one) => [
        (one.contentId ?? '').replace(/^<|>$/g, ''),
        { type: one.mimeType, bytes: bytesOf(one) },
      ]),
    ),
  })
}

/** A file of Outlook on its own: `winmail.dat`. */
function writeOutlookMail(job: Job, { attachments, ...mail }: OutlookMail): Promise<void> {
  const sorted = sortAttached(job, attachments)
  return writeMail(job, { ...mail, to: '', cc: '', date: '', attachments: sorted, pictures: new Map() })
}

/** A mail saved as UTF-16 is converted to UTF-8, including the charset it declares. */
function fromUtf16(bytes: Uint8Array): Uint8Array {
  return Buffer.from(decodeText(bytes).text.replace(/charset="?utf-16(le|be)?"?/gi, 'charset=utf-8'))
}

async function read(bytes: Uint8Array) {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: 50, maxHeadersSize: 1_000_000 })
  } catch (error) {
    throw new Unreadable('damaged', {}, { cause: error })
  }
}

/** Pictures that the text of the mail shows itself: logos, signatures. */
function isPicture({ related, contentId, mimeType }: Attachment): boolean {
  return related === true && contentId !== undefined && mimeType.startsWith('image/')
}

function nameOf({ mimeType }: Attachment): string {
  return mimeType === 'message/rfc822' ? 'message.eml' : `attachment.${mimeType.split('/').at(-1) ?? 'bin'}`
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

function people(list: Address[] = []): string {
  return list
    .flatMap((one) => ('group' in one && one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .filter(Boolean)
    .join(', ')
}

function dateOf(date: string | undefined): string {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
