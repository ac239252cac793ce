import type { ServerResponse } from 'node:http'
import { type Chunk, type Encode, encodeChunk, lastChunk } from '../chunk.ts'
import type { Backlog } from './backlog.ts'

/** How far a reader may be behind, beyond the one piece it was sent when it had read all. */
const maxBehindBytes = 256 * 1024
/** What is handed to the socket at once, in characters: the rest waits here, where it is counted exactly. */
const pieceLength = 32 * 1024

/** Text that is made piece by piece as it is read; `bytes` is what it takes until then. */
export type Pieces = { pieces: Iterable<string>; bytes: number }

export type SendQueue = {
  /** `encode` may share what it makes with others who are sent the same. */
  write(text: string, encode?: Encode): void
  /** Nobody else waits for the whole of it to be made. */
  writePieces(text: Pieces): void
  /** Ends the answer after all that was written. */
  end(): void
  /** Lets go of what was not sent. */
  drop(): void
}

/**
 * Writes to an answer whose head is sent, as fast as it is read. A reader that has read all gets whatever comes next,
 * however large; one that reads faster than the stream speaks is then never cut, because it is at most that and
 * `maxBehindBytes` behind.
 */
export function createSendQueue(
  raw: ServerResponse,
  { backlog, who, cut }: { backlog: Backlog; who: string; cut: () => void },
): SendQueue {
  const share = backlog.open(who, cut)
  // Chunks come in their frames: Node would make them for each reader anew, in four writes.
  const isChunked = raw.chunkedEncoding
  raw.chunkedEncoding = false
  let waiting: { pieces: Iterator<string>; bytes: number }[] = []
  let waitingBytes = 0
  let grantedBytes = 0
  let isEnding = false
  const put = ({ framed, plain }: Chunk) => {
    // A chunk of nothing would be the last one.
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

/** In pieces that never part the two halves of a character. */
function* splitText(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    let end = start + pieceLength
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    if (isHalf) end -= 1
    yield text.slice(start, end)
    start = end
  }
}
