import type { ServerResponse } from 'node:http'
import type { Backlog } from './backlog.ts'

/** How far a reader may be behind, beyond the one piece it was sent when it had read all. */
const maxBehindBytes = 256 * 1024
/** What is handed to the socket at once, in characters: the rest waits here, where it is counted exactly. */
const pieceLength = 32 * 1024

export type SendQueue = {
  write(chunk: string): void
  /** Ends the answer after all that was written. */
  end(): void
  /** Lets go of what was not sent. */
  drop(): void
}

/**
 * Writes to an answer as fast as it is read. A reader that has read all gets whatever comes next, however large; one that
 * reads faster than the stream speaks is then never cut, because it is at most that and `maxBehindBytes` behind.
 */
export function createSendQueue(
  raw: ServerResponse,
  { backlog, who, cut }: { backlog: Backlog; who: string; cut: () => void },
): SendQueue {
  const share = backlog.open(who, cut)
  let waiting: { text: string; bytes: number }[] = []
  let waitingBytes = 0
  let grantedBytes = 0
  let isEnding = false
  const pump = () => {
    while (waiting.length > 0 && !raw.writableNeedDrain) {
      const { text, bytes } = waiting.shift()!
      raw.write(text)
      waitingBytes -= bytes
      share.grow(-bytes)
    }
    if (isEnding && waiting.length === 0) raw.end()
  }
  raw.on('drain', pump)
  return {
    write: (chunk) => {
      const behind = waitingBytes + raw.writableLength
      const isSmall = chunk.length <= pieceLength
      if (behind === 0 && isSmall) {
        grantedBytes = 0
        raw.write(chunk)
        return
      }
      const bytes = Buffer.byteLength(chunk)
      if (behind === 0) grantedBytes = bytes
      else if (behind + bytes > grantedBytes + maxBehindBytes) return cut()
      if (isSmall && waiting.length === 0 && !raw.writableNeedDrain) return void raw.write(chunk)
      for (const text of splitText(chunk)) waiting.push({ text, bytes: Buffer.byteLength(text) })
      waitingBytes += bytes
      share.grow(bytes)
      pump()
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
function splitText(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = start + pieceLength
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
    if (isHalf) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
