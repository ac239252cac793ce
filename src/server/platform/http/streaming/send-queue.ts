import type { ServerResponse } from 'node:http'
import { type Chunk, type Encode, encodeChunk, lastChunk } from '../chunk.ts'
import type { Backlog } from './backlog.ts'

/** Maximum unread bytes of a reader, not counting the one piece sent when it had read everything. */
const maxBehindBytes = 256 * 1024
/** Maximum characters passed to the socket in one write. The rest waits here, where it is counted exactly. */
const pieceLength = 32 * 1024

/** Text that is serialized piece by piece as it is read. `bytes` is its size in memory until then. */
export type Pieces = { pieces: Iterable<string>; bytes: number }

export type SendQueue = {
  /** `encode` may share its result between readers of the same text. */
  write(text: string, encode?: Encode): void
  /** Serializes lazily, so that other readers need not wait for the whole text. */
  writePieces(text: Pieces): void
  /** Ends the answer after everything written. */
  end(): void
  /** Discards what was not sent. */
  drop(): void
}

/**
 * Writes an answer, whose head is already sent, as fast as it is read. A reader that has read everything receives the next
 * piece, whatever its size. A reader faster than the stream is therefore never cut, because it is at most that piece and
 * `maxBehindBytes` behind.
 */
export function createSendQueue(
  raw: ServerResponse,
  { backlog, who, cut }: { backlog: Backlog; who: string; cut: () => void },
): SendQueue {
  const share = backlog.open(who, cut)
  // Chunks arrive framed. Node would frame them again for each reader, in four writes.
  const isChunked = raw.chunkedEncoding
  raw.chunkedEncoding = false
  let waiting: { pieces: Iterator<string>; bytes: number }[] = []
  let waitingBytes = 0
  let grantedBytes = 0
  let isEnding = false
  const put = ({ framed, plain }: Chunk) => {
    // An empty chunk would end the body.
    if (plain.length > 0) raw.write(isChunked ? framed : plain)
  }
  const pump = () => {
    while (waiting.length > 0 && !raw.writableNeedDrain) {
      const [{ pieces, bytes }] = waiting as [(typeof waiting)[0]]
      const { value, done } = pieces.next()
      if (!done) {
        put(encodeChunk(value))
        continue
      }
      waiting.shift()
      waitingBytes -= bytes
      share.grow(-bytes)
    }
    if (!isEnding || waiting.length > 0) return
    if (isChunked) raw.end(lastChunk)
    else raw.end()
  }
  raw.on('drain', pump)
  const writePieces = ({ pieces, bytes }: Pieces) => {
    const behind = waitingBytes + raw.writableLength
    if (behind === 0) grantedBytes = bytes
    else if (behind + bytes > grantedBytes + maxBehindBytes) return cut()
    waiting.push({ pieces: pieces[Symbol.iterator](), bytes })
    waitingBytes += bytes
    share.grow(bytes)
    pump()
  }
  return {
    writePieces,
    write: (text, encode = encodeChunk) => {
      const behind = waitingBytes + raw.writableLength
      const isSmall = text.length <= pieceLength
      if (behind === 0 && isSmall) {
        grantedBytes = 0
        return put(encode(text))
      }
      const bytes = Buffer.byteLength(text)
      const hasRoom = behind + bytes <= grantedBytes + maxBehindBytes
      if (isSmall && hasRoom && waiting.length === 0 && !raw.writableNeedDrain) return put(encode(text))
      writePieces({ pieces: splitText(text), bytes })
    },
    end: () => {
      isEnding = true
      pump()
    },
    drop: () => {
      const bytes = waitingBytes
      waiting = []
      waitingBytes = 0
      if (bytes > 0) share.grow(-bytes)
    },
  }
}

/** Splits text without separating surrogate pairs. */
function* splitText(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    let end = start + pieceLength
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    if (isHalf) end -= 1
    yield text.slice(start, end)
    start = end
  }
}
