import type { Attachment } from 'postal-mime'
import { AppError } from '#shared/platform/errors.ts'
import { MAX_ATTACHMENTS, type OpenedMail } from './mailbox-port.ts'
import { textOfHtml } from './text-of-html.ts'

const MAX_NESTING = 50
const MAX_HEADER_BYTES = 1_000_000

/** Parses a mail. @throws AppError `malformed`, `too_large` for too many attachments */
export async function openMail(source: Uint8Array): Promise<OpenedMail> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(source, {
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
  }).catch((error) => {
    throw new AppError('malformed', 'The mail cannot be read: it is damaged.', { cause: error })
  })
  const files = mail.attachments.filter((one) => !isPictureOfText(one))
  if (files.length > MAX_ATTACHMENTS)
    throw new AppError('too_large', `The mail has more than ${MAX_ATTACHMENTS} attachments.`)
  return {
    subject: (mail.subject ?? '').replace(/\s+/g, ' ').trim(),
    text: (mail.text ?? textOfHtml(mail.html ?? '')).trim(),
    attachments: files.map((one) => ({ name: one.filename ?? nameOf(one), bytes: bytesOf(one) })),
  }
}

/** Logos and signatures, which the text shows itself. */
function isPictureOfText({ related, contentId, mimeType }: Attachment): boolean {
  return related === true && contentId !== undefined && mimeType.startsWith('image/')
}

function nameOf({ mimeType }: Attachment): string {
  return mimeType === 'message/rfc822' ? 'message.eml' : `attachment.${mimeType.split('/').at(-1) ?? 'bin'}`
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
