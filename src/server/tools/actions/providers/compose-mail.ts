import type { OutgoingMail } from './provider-port.ts'

export type ComposedMail = {
  envelope: { from: string; to: string[] }
  /** The whole mail, without the hidden recipients. */
  raw: Buffer
  messageId: string
}

/** Returns the Message-ID of a call: the same in every attempt. */
export const messageIdOf = (key: string, address: string): string =>
  `<${key}@${address.split('@')[1] ?? 'localhost'}>`

/**
 * Writes a mail (RFC 5322) as it is sent. The library loads with the first mail. `namesHidden`: the service reads the hidden recipients from
 * the mail, and removes them from it.
 */
export async function composeMail(
  mail: OutgoingMail,
  key: string,
  now: Date,
  { namesHidden = false } = {},
): Promise<ComposedMail> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js')
  const { from, to, cc, bcc, subject, body, answers } = mail
  const messageId = messageIdOf(key, from.address)
  const references = answers && `${answers.references} ${answers.message_id ?? ''}`.trim()
  const composer = new MailComposer({
    ...{ from: from.name === '' ? from.address : from, to, cc, subject, messageId, date: now },
    text: body.replace(/\r\n|\r|\n/g, '\r\n'),
    ...(answers?.message_id && { inReplyTo: answers.message_id }),
    ...(references && { references }),
    ...(namesHidden && { bcc }),
    // Texts of models name no files to attach.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const root = composer.compile()
  if (namesHidden) root.keepBcc = true
  const raw = await root.build()
  return { raw, messageId, envelope: { from: from.address, to: [...new Set([...to, ...cc, ...bcc])] } }
}
