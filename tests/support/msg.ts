import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'

/** Content of an Outlook mail: properties by tag (`0037001F`), as text, bytes or numbers. */
export type MsgMail = {
  properties: Record<string, string | Uint8Array | number>
  recipients?: Record<string, string | number>[]
  attachments?: { properties: Record<string, string | Uint8Array | number>; mail?: MsgMail }[]
}

const ROOT = 5
const FOLDER = 1
const STREAM = 2

/** Creates a mail in Outlook's format ([MS-OXMSG]). */
export function msgOf(mail: MsgMail): Uint8Array {
  const entries: Entry[] = [{ name: 'Root Entry', type: ROOT, length: 0, children: [] }]
  writeMail(entries, 0, mail, 32)
  const names = addFolder(entries, 0, '__nameid_version1.0')
  for (const id of ['00020102', '00030102', '00040102'])
    addStream(entries, names, `__substg1.0_${id}`, new Uint8Array())
  return burn(entries)
}

function writeMail(entries: Entry[], folder: number, mail: MsgMail, head: number): void {
  const { properties, recipients = [], attachments = [] } = mail
  writeProperties(entries, folder, properties, head)
  recipients.forEach((one, at) => {
    writeProperties(entries, addFolder(entries, folder, `__recip_version1.0_#${hex(at)}`), one, 8)
  })
  attachments.forEach((one, at) => {
    const own = addFolder(entries, folder, `__attach_version1.0_#${hex(at)}`)
    writeProperties(entries, own, one.properties, 8)
    if (one.mail) writeMail(entries, addFolder(entries, own, '__substg1.0_3701000D'), one.mail, 24)
  })
}

function writeProperties(
  entries: Entry[],
  folder: number,
  properties: Record<string, string | Uint8Array | number>,
  head: number,
): void {
  const rows = Object.entries(properties).map(([tag, value]) => {
    const row = Buffer.alloc(16)
    row.writeUInt32LE(Number.parseInt(tag, 16))
    row.writeUInt32LE(6, 4)
    if (typeof value === 'number') {
      if (tag.endsWith('0040')) row.writeBigUInt64LE(BigInt(value), 8)
      else row.writeUInt32LE(value, 8)
      return row
    }
    const bytes = typeof value === 'string' ? bytesOf(tag, value) : value
    row.writeUInt32LE(bytes.length + (tag.endsWith('001F') ? 2 : 0), 8)
    addStream(entries, folder, `__substg1.0_${tag}`, bytes)
    return row
  })
  addStream(entries, folder, '__properties_version1.0', Buffer.concat([Buffer.alloc(head), ...rows]))
}

const bytesOf = (tag: string, text: string) => Buffer.from(text, tag.endsWith('001F') ? 'utf16le' : 'latin1')
const hex = (at: number) => at.toString(16).toUpperCase().padStart(8, '0')

function addFolder(entries: Entry[], parent: number, name: string): number {
  return add(entries, parent, { name, type: FOLDER, length: 0, children: [] })
}

function addStream(entries: Entry[], parent: number, name: string, bytes: Uint8Array): void {
  add(entries, parent, {
    name,
    type: STREAM,
    length: bytes.length,
    binaryProvider: () => Uint8Array.from(bytes),
  })
}

function add(entries: Entry[], parent: number, entry: Entry): number {
  entries[parent]?.children?.push(entries.length)
  return entries.push(entry) - 1
}
