import { decompressRTF } from '@kenjiuno/decompressrtf'
import { Unreadable } from '../elements/port.ts'
import { decodeHtml } from '../html/decode-html.ts'
import { readRtf } from '../rtf/read-rtf.ts'
import { type Properties, readProperties } from './mapi-properties.ts'
import { trimZeros } from './trim-zeros.ts'

/** A mail in Outlook's own format, as in `winmail.dat`. */
export type OutlookMail = {
  subject: string
  from: string
  html: string
  text: string
  attachments: { name: string; type: string; bytes: Uint8Array }[]
}

/** The first bytes of such a file. */
export const TNEF_SIGNATURE = '\x78\x9f\x3e\x22'

/** Attributes ([MS-OXTNEF] 2.1.3.3), by the lower half of their number. */
const SUBJECT = 0x8004
const BODY = 0x800c
const MESSAGE = 0x9003
const CODE_PAGE = 0x9007
const ATTACH_BEGIN = 0x9002
const ATTACH_NAME = 0x8010
const ATTACH_BYTES = 0x800f
const ATTACH_PROPERTIES = 0x9005
/** Properties of a message and of an attachment ([MS-OXPROPS]). */
const P = {
  subject: 0x0037,
  from: 0x0c1a,
  fromAddress: 0x0c1f,
  text: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  attachBytes: 0x3701,
  attachShortName: 0x3704,
  attachName: 0x3707,
  attachType: 0x370e,
}

/** Reads a TNEF stream: body, subject and attachments. An embedded mail is returned as another TNEF file. @throws Unreadable */
export function readTnef(bytes: Uint8Array): OutlookMail {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return toMail(attributesOf(data))
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('damaged', {}, { cause: error })
  }
}

type Attribute = { id: number; value: Buffer }

/** Level, number, length, value and a checksum of two bytes. The lost part of a truncated file is left out. */
function attributesOf(data: Buffer): Attribute[] {
  if (data.toString('latin1', 0, 4) !== TNEF_SIGNATURE) throw new Unreadable('damaged')
  const attributes: Attribute[] = []
  for (let at = 6; at + 9 <= data.length; ) {
    const id = data.readUInt16LE(at + 1)
    const length = data.readUInt32LE(at + 5)
    const value = data.subarray(at + 9, at + 9 + length)
    if (value.length < length) break
    attributes.push({ id, value })
    at += 9 + length + 2
  }
  return attributes
}

function toMail(attributes: Attribute[]): OutlookMail {
  const page = attributes.find(({ id }) => id === CODE_PAGE)?.value
  const encoding = encodingOf(page && page.length >= 4 ? page.readUInt32LE(0) : 1252)
  const plain = (value: Buffer) => trimZeros(new TextDecoder(encoding).decode(value))
  const mail: OutlookMail = { subject: '', from: '', html: '', text: '', attachments: [] }
  for (const { id, value } of attributes) {
    const last = mail.attachments.at(-1)
    if (id === SUBJECT) mail.subject ||= plain(value)
    else if (id === BODY) mail.text ||= plain(value)
    else if (id === MESSAGE) addMessage(mail, readProperties(value, encoding))
    else if (id === ATTACH_BEGIN) mail.attachments.push({ name: '', type: '', bytes: new Uint8Array() })
    else if (last && id === ATTACH_NAME) last.name ||= plain(value)
    else if (last && id === ATTACH_BYTES) last.bytes = value
    else if (last && id === ATTACH_PROPERTIES) addFile(last, readProperties(value, encoding))
  }
  for (const [at, one] of mail.attachments.entries()) one.name ||= `attachment-${at + 1}`
  return { ...mail, attachments: mail.attachments.filter(({ bytes }) => bytes.length > 0) }
}

function addMessage(mail: OutlookMail, properties: Properties): void {
  const html = properties.bytes(P.html)
  mail.subject = properties.text(P.subject) || mail.subject
  const [name, address] = [properties.text(P.from), properties.text(P.fromAddress)]
  mail.from = name && address.includes('@') ? `${name} <${address}>` : name || address
  if (html) mail.html = decodeHtml(html).text
  mail.text = properties.text(P.text) || mail.text || textOfRtf(properties.bytes(P.rtf))
}

function textOfRtf(compressed: Uint8Array | null): string {
  if (!compressed || compressed.length < 16) return ''
  const rtf = Buffer.from(decompressRTF([...compressed])).toString('latin1')
  return readRtf(rtf)
    .elements.map(({ text }) => text)
    .join('\n\n')
}

type File = OutlookMail['attachments'][number]

/** The bytes of an embedded mail come after the 16 bytes of its interface. */
function addFile(file: File, properties: Properties): void {
  file.name = properties.text(P.attachName) || file.name || properties.text(P.attachShortName)
  file.type = properties.text(P.attachType) || file.type
  const own = properties.bytes(P.attachBytes)
  if (!own || file.bytes.length > 0) return
  const isMail = Buffer.from(own).toString('latin1', 16, 20) === TNEF_SIGNATURE
  file.bytes = isMail ? own.subarray(16) : own
  if (isMail && !/\.dat$/i.test(file.name)) file.name = `${file.name || 'message'}.dat`
}

function encodingOf(page: number): string {
  const names: Record<number, string> = {
    932: 'shift_jis',
    936: 'gb18030',
    949: 'euc-kr',
    950: 'big5',
    20866: 'koi8-r',
  }
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  return names[page] ?? (page === 65_001 ? 'utf-8' : 'windows-1252')
}
