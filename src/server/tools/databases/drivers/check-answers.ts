import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Client } from 'pg'
import { AppError } from '#shared/platform/errors.ts'

const HEADER_BYTES = 5
const [ERROR, NOTICE] = [0x45, 0x4e]
const unreadable = () => new AppError('unavailable', 'The server does not answer like PostgreSQL.')

/**
 * Closes the connection of a client when its server breaks the protocol. The parser of `pg` throws on some malformed messages, outside of
 * any query, and never returns from an error message without an end.
 */
export function checkAnswers(client: Client): void {
  const { connection } = client as unknown as {
    connection: { attachListeners: (stream: EventEmitter) => void }
  }
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const source = stream as Duplex
    const checked = new EventEmitter()
    const check = createCheck()
    source.on('data', (chunk: Buffer) => {
      if (source.destroyed) return
      try {
        check(chunk)
        checked.emit('data', chunk)
      } catch (error) {
        source.destroy(error instanceof RangeError ? unreadable() : (error as Error))
      }
    })
    source.on('end', () => checked.emit('end'))
    attach(checked)
  }
}

/** Follows the messages through chunks. @throws AppError `unavailable` for a length that is none, or an error message without an end */
function createCheck(): (chunk: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES)
  let headed = 0
  let left = 0
  /** The last two bytes of the message. */
  let tail: [number, number] = [1, 1]
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (headed < HEADER_BYTES) {
        header[headed] = chunk[at] ?? 0
        headed += 1
        at += 1
        if (headed < HEADER_BYTES) continue
        left = header.readUInt32BE(1) - 4
        if (left < 0) throw unreadable()
      }
      const end = Math.min(chunk.length, at + left)
      if (end > at) tail = [end - at > 1 ? (chunk[end - 2] ?? 0) : tail[1], chunk[end - 1] ?? 0]
      left -= end - at
      at = end
      if (left > 0) continue
      const isError = header[0] === ERROR || header[0] === NOTICE
      if (isError && (tail[0] !== 0 || tail[1] !== 0)) throw unreadable()
      headed = 0
      // An empty message has no bytes that could end it.
      tail = [1, 1]
    }
  }
}
