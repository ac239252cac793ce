import { open } from 'node:fs/promises'
import { type Format, type Job, Unreadable } from '../elements/port.ts'
import { decodeText } from '../text/decode-text.ts'
import { promisedFormat } from './extensions.ts'
import { OLE_SIGNATURE, readOleNames } from './ole.ts'
import { sniffBinary } from './sniff-binary.ts'
import { sniffText } from './sniff-text.ts'
import { sniffZip } from './sniff-zip.ts'

type File = Pick<Job, 'path' | 'name' | 'limits' | 'signal' | 'encoding'> & { size: number }

/** The format of a file by its bytes, and whether its name suggests the same. Null if the format is not supported. */
export async function sniffFormat(
  head: Uint8Array,
  file: File,
): Promise<{ format: Format | null; isExpected: boolean }> {
  const promised = promisedFormat(file.name)
  const format = await formatOf(head, file, promised)
  return { format, isExpected: promised === null || promised === format }
}

async function formatOf(head: Uint8Array, file: File, promised: Format | null): Promise<Format | null> {
  const start = Buffer.from(head.subarray(0, 8)).toString('hex')
  if (/^504b(0304|0506|0708)/.test(start)) return sniffZip(file, promised)
  if (start === OLE_SIGNATURE) return sniffOle(file, promised)
  const binary = sniffBinary(head)
  if (binary !== undefined) return binary
  const { text } = decodeText(head, file.encoding)
  return isText(text) || file.encoding ? sniffText(text, promised, head.length >= file.size) : null
}

async function sniffOle({ path }: File, promised: Format | null): Promise<Format | null> {
  const file = await open(path)
  try {
    const names = new Set(await readOleNames(file))
    // Cut before its directory.
    if (names.size === 0) throw new Unreadable('damaged')
    // The reader of the format it was will say that it is encrypted.
    if (names.has('EncryptedPackage')) return promised === 'xlsx' || promised === 'pptx' ? promised : 'docx'
    if (names.has('WordDocument')) return 'doc'
    if (names.has('Workbook') || names.has('Book')) return 'xls'
    if (names.has('PowerPoint Document')) return 'ppt'
    return names.has('__nameid_version1.0') || names.has('__properties_version1.0') ? 'msg' : null
  } finally {
    await file.close()
  }
}

/** Text has hardly any control characters. */
function isText(text: string): boolean {
  const sample = text.slice(0, 8192)
  let odd = 0
  for (const sign of sample) {
    const code = sign.charCodeAt(0)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 27) || code === 0xfffd) odd += 1
  }
  return odd <= sample.length / 100
}
