import { cleanCharacters } from '../../../platform/db/db.ts'
import type { OpenedMail } from '../../../platform/mailbox/mailbox.ts'

/** Characters of a mail that a prompt has. A longer text is also attached as a document. */
const MAX_TEXT_CHARACTERS = 10_000
const MAX_SUBJECT_CHARACTERS = 1_000

/** Returns the text of a mail as a prompt has it. */
export function textOf({ text }: OpenedMail): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return cleanCharacters(text)
  return cleanCharacters(`${text.slice(0, MAX_TEXT_CHARACTERS)} […]`.toWellFormed())
}

export function subjectOf({ subject }: OpenedMail): string {
  return cleanCharacters(subject.slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed())
}

/** Returns the attachments, and a text that is longer than what a prompt has. */
export function filesOf({ text, attachments }: OpenedMail): OpenedMail['attachments'] {
  if (text.length <= MAX_TEXT_CHARACTERS) return attachments
  return [...attachments, { name: 'mail.txt', bytes: Buffer.from(text) }]
}
