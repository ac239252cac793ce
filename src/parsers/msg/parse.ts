import { readFile } from 'node:fs/promises'
import library, { type FieldsData } from '@kenjiuno/msgreader'
import { type Job, Unreadable } from '../elements/port.ts'
import { decodeHtml } from '../html/decode-html.ts'
import { type Attached, sortAttached } from '../mail/sort-attached.ts'
import { writeMail } from '../mail/write-mail.ts'

// A CommonJS module: its class is one level deeper when Node loads it.
const MsgReader = 'default' in library ? (library as { default: typeof library }).default : library

/** Reads a mail of Outlook ([MS-OXMSG]). */
export async function parse(job: Job): Promise<void> {
  if (job.size > job.limits.unpackedBytes)
    throw new Unreadable('too_large_inside', { megabytes: Math.round(job.limits.unpackedBytes / 1e6) })
  const { fields, attachments } = read(await readFile(job.path))
  const html = fields.bodyHtml ?? (fields.html ? decodeHtml(fields.html).text : '')
  await writeMail(job, {
    from: person(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: people(fields, 'to'),
    cc: people(fields, 'cc'),
    date: dateOf(fields.messageDeliveryTime ?? fields.clientSubmitTime),
    subject: fields.subject ?? '',
    html,
    text: fields.body ?? '',
    attachments: sortAttached(job, attachments),
    pictures: new Map(),
  })
}

function read(bytes: Buffer) {
  try {
    const reader = readerOf(bytes)
    const fields = reader.getFileData()
    const attachments = (fields.attachments ?? []).map((one): Attached => {
      const { fileName, content } = reader.getAttachment(one)
      return {
        name: one.innerMsgContent ? `${one.name ?? 'message'}.msg` : (fileName ?? 'attachment'),
        type: one.attachMimeTag ?? '',
        bytes: content,
      }
    })
    return { fields, attachments }
  } catch (error) {
    throw new Unreadable('damaged', {}, { cause: error })
  }
}

/** Texts from before Unicode are in the code page of the mail, which is only known after reading it. */
function readerOf({ buffer, byteOffset, byteLength }: Buffer) {
  const open = (page: number) => {
    const reader = new MsgReader(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
    reader.parserConfig = { ansiEncoding: encodingOf(page) }
    return reader
  }
  const first = open(1252)
  const { messageCodepage = 1252, error } = first.getFileData()
  if (error) throw new Error(error)
  return messageCodepage === 1252 ? first : open(messageCodepage)
}

const pages = new Set([874, 932, 936, 949, 950, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258])

function encodingOf(page: number): string {
  if (page === 65_001) return 'utf8'
  return pages.has(page) ? `cp${page}` : 'cp1252'
}

function people({ recipients = [] }: FieldsData, kind: 'to' | 'cc'): string {
  return recipients
    .filter(({ recipType = 'to' }) => recipType === kind)
    .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email))
    .join(', ')
}

function person(name: string | undefined, address: string | undefined): string {
  if (!name || !address || name === address) return name || address || ''
  // Addresses within an organisation (`/O=…`) mean nothing to a person.
  return address.includes('@') ? `${name} <${address}>` : name
}

function dateOf(date: string | undefined): string {
  const time = new Date(date ?? '')
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
