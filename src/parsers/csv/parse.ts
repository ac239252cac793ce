import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Job } from '../elements/port.ts'
import { SheetBook } from '../sheets/book.ts'
import type { SheetCell } from '../sheets/cells.ts'
import { createDecoder } from '../text/decode-bytes.ts'
import { decodeText, type Encoding, encodingOf, warnOfEncoding } from '../text/decode-text.ts'
import { guessEncoding } from '../text/guess-encoding.ts'
import { delimiterOf, quoteOf } from './delimiter.ts'
import { kindOf } from './kind-of.ts'
import { readRows } from './read-rows.ts'

const HEAD_BYTES = 64 * 1024
const SAMPLE_BYTES = 1024 * 1024

/** A table in text, of any size: read as a stream. */
export async function parse(job: Job): Promise<void> {
  const head = await readHead(job.path)
  const found = await encodingOfFile(job, head)
  warnOfEncoding(job, found)
  const { encoding } = found
  const { text } = decodeText(head, encoding)
  // Excel writes and reads this line.
  const declared = /^sep=(.)\r?\n/i.exec(text)?.[1]
  const delimiter = declared ?? delimiterOf(text)?.delimiter ?? ','
  const book = new SheetBook(job)
  const sheet = book.begin({ name: job.name.replace(/\.\w+$/, '') }, { isNamed: false })
  let row = declared === undefined ? 0 : -1
  for await (const values of readRows(textOf(job, encoding), {
    delimiter,
    quote: quoteOf(text, delimiter),
  })) {
    if (row >= 0) await sheet.add(row, values.map(cellOf))
    row += 1
  }
  await sheet.end()
  await book.end()
  job.describe({ sheets: 1, rows: Math.max(0, row) })
  job.progress(job.size, job.size)
}

/** A long file may have its first sign beyond plain letters far behind its head: the whole of it tells its encoding. */
async function encodingOfFile(job: Job, head: Uint8Array): Promise<Encoding> {
  const found = encodingOf(head, job.encoding)
  if (job.encoding) return found
  const isOpen = found.isGuessed || found.encoding === 'utf-8'
  if (!isOpen || job.size <= head.length) return found
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUnicode = !found.isGuessed
  const sample: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of createReadStream(job.path)) {
    job.signal.throwIfAborted()
    if (isUnicode) isUnicode = isDecodable(decoder, chunk)
    if (bytes < SAMPLE_BYTES && (chunk as Uint8Array).some((byte) => byte > 127)) {
      sample.push(chunk)
      bytes += chunk.length
    }
    if (!isUnicode && bytes >= SAMPLE_BYTES) break
  }
  return isUnicode
    ? { encoding: 'utf-8', isGuessed: false }
    : { encoding: guessEncoding(Buffer.concat(sample)), isGuessed: true }
}

function isDecodable(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: true })
    return true
  } catch {
    return false
  }
}

async function* textOf(job: Job, encoding: string): AsyncGenerator<string> {
  if (encoding.startsWith('utf-32')) {
    const bytes: Uint8Array[] = []
    for await (const chunk of createReadStream(job.path)) bytes.push(chunk)
    return yield decodeText(Buffer.concat(bytes), encoding).text
  }
  const decode = createDecoder(encoding)
  let done = 0
  for await (const chunk of createReadStream(job.path)) {
    job.signal.throwIfAborted()
    done += chunk.length
    job.progress(done, job.size)
    yield decode(chunk, true)
  }
  yield decode()
}

function cellOf(value: string, column: number): SheetCell {
  const text = value.trim()
  return { column, text, kind: kindOf(text) }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
