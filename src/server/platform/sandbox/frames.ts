import type { Readable, Writable } from 'node:stream'

/**
 * Format of files sent into a box and out of it: a length in four bytes, a JSON header, and as many bytes as the header's
 * `size` states. Output is untrusted: it is limited and treated as plain bytes.
 */
export type Header = Record<string, unknown> & { size?: number }

const HEADER_MAX = 1024 * 1024

export class BadFrame extends Error {}

export function frameHead(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text])
}

/** Writes, and waits while the other side does not read. */
export async function send(target: Writable, chunk: Buffer): Promise<void> {
  if (target.write(chunk)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      target.off('drain', go)
      target.off('close', go)
      resolve()
    }
    target.on('drain', go)
    target.on('close', go)
  })
}

/** Reads frames until the stream ends. `take` receives each header and a stream of its bytes. @throws BadFrame */
export async function readFrames(
  source: Readable,
  take: (header: Header, bytes: AsyncGenerator<Buffer>) => Promise<void>,
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }
  const need = async (count: number): Promise<Buffer | null> => {
    while (rest.length < count) if (!(await more())) return null
    const taken = rest.subarray(0, count)
    rest = rest.subarray(count)
    return taken
  }
  async function* bytesOf(size: number): AsyncGenerator<Buffer> {
    let left = size
    while (left > 0) {
      if (rest.length === 0 && !(await more())) throw new BadFrame('The bytes end too early.')
      const part = rest.subarray(0, left)
      rest = rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }
  while (true) {
    const length = await need(4)
    if (!length) return
    if (length.readUInt32BE() > HEADER_MAX) throw new BadFrame('A header is too long.')
    const text = await need(length.readUInt32BE())
    if (!text) return
    const header = parseHeader(text)
    const bytes = bytesOf(header.size ?? 0)
    await take(header, bytes)
    // Skips what was not consumed.
    for await (const _ of bytes);
  }
}

function parseHeader(text: Buffer): Header {
  try {
    const header: unknown = JSON.parse(text.toString())
    if (typeof header === 'object' && header !== null) {
      const { size = 0 } = header as Header
      if (Number.isSafeInteger(size) && size >= 0) return header as Header
    }
  } catch {
    // The check below reports it.
  }
  throw new BadFrame('A header cannot be read.')
}
