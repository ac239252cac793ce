/**
 * Text of an event stream as it goes over the wire, made once for all who are sent the same: in the frame that HTTP/1.1
 * puts around each chunk (RFC 9112, 7.1), and without it for readers that know no chunks.
 */
export type Chunk = { framed: Buffer; plain: Buffer }

export type Encode = (text: string) => Chunk

/** What follows the last chunk. */
export const lastChunk = '0\r\n\r\n'

export function encodeChunk(text: string): Chunk {
  const bytes = Buffer.byteLength(text)
  const head = `${bytes.toString(16)}\r\n`
  const framed = Buffer.from(`${head}${text}\r\n`)
  return { framed, plain: framed.subarray(head.length, head.length + bytes) }
}

/** Gives the same chunk for the same text in a row. */
export function createSharedEncode(): Encode {
  let last: { text: string; chunk: Chunk } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, chunk: encodeChunk(text) }
    return last.chunk
  }
}
