/**
 * Text of an event stream, encoded once for all its readers: with the chunk framing of HTTP/1.1 (RFC 9112, 7.1), and plain
 * for readers without chunked encoding.
 */
export type Chunk = { framed: Buffer; plain: Buffer }

export type Encode = (text: string) => Chunk

/** Terminates a chunked body. */
export const lastChunk = '0\r\n\r\n'

export function encodeChunk(text: string): Chunk {
  const bytes = Buffer.byteLength(text)
  const head = `${bytes.toString(16)}\r\n`
  const framed = Buffer.from(`${head}${text}\r\n`)
  return { framed, plain: framed.subarray(head.length, head.length + bytes) }
}

/** Returns an encoder that reuses the last chunk for identical text. */
export function createSharedEncode(): Encode {
  let last: { text: string; chunk: Chunk } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, chunk: encodeChunk(text) }
    return last.chunk
  }
}
