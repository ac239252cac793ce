import { AppError } from '#shared/platform/errors.ts'

/** Reads packet lines: four hexadecimal digits with the length, then the content. Null is a flush packet. @throws AppError `unavailable` */
export async function* readPackets(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer | null> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let length = lengthOf(rest); length !== null && rest.length >= length; length = lengthOf(rest)) {
      yield length === FLUSH ? null : rest.subarray(4, length)
      rest = rest.subarray(length)
    }
  }
  if (rest.length > 0) throw new AppError('unavailable', 'The Git server ended its answer too early.')
}

/** Bytes of a flush packet. */
const FLUSH = 4

/** Returns the bytes of the next packet with its length; null until that has arrived. A flush packet has the length 0. */
function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < 4) return null
  const digits = bytes.toString('latin1', 0, 4)
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1
  if (length === 0) return FLUSH
  if (length <= FLUSH) throw new AppError('unavailable', 'The Git server does not answer as expected.')
  return length
}

/** Writes a packet line. */
export const packetOf = (text: string): string =>
  (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
