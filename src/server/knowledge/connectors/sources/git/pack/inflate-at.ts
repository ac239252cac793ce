import { promisify } from 'node:util'
import { createInflate, type Inflate, inflate, inflateSync } from 'node:zlib'
import { AppError } from '#shared/platform/errors.ts'
import type { PackFile } from './pack-file.ts'

/** Largest object that is inflated in the event loop, in bytes. Larger ones are inflated in another thread. */
const MAX_SYNC_BYTES = 32 * 1024
const CHUNK_BYTES = 256 * 1024

type Place = { data: number; size: number }
/** With the option `info`, the decoder is returned as well. It knows how many bytes it took. */
type Inflated = { buffer: Buffer; engine: Inflate }
type WithInfo = { info: true; maxOutputLength: number }
const inflateAsync = promisify(inflate) as unknown as (bytes: Buffer, options: WithInfo) => Promise<Inflated>
const inflateNow = inflateSync as unknown as (bytes: Buffer, options: WithInfo) => Inflated

/** Returns an object, and the number of its compressed bytes. @throws AppError `unavailable` */
export async function inflateAt(
  file: PackFile,
  { data, size }: Place,
): Promise<{ bytes: Buffer; length: number }> {
  // Compressed bytes are at most a little more than the others.
  const input = await file.read(data, size + Math.ceil(size / 100) + 1024)
  const options = { info: true as const, maxOutputLength: Math.max(size, 1) }
  const isSmall = size <= MAX_SYNC_BYTES
  const { buffer, engine } = isSmall ? inflateNow(input, options) : await inflateAsync(input, options)
  if (buffer.length !== size) throw new AppError('unavailable', 'The repository arrived damaged.')
  return { bytes: buffer, length: engine.bytesWritten }
}

/** Inflates an object in parts that are not stored, and returns the number of its compressed bytes. @throws AppError `unavailable` */
export async function skipAt(
  file: PackFile,
  { data, size }: Place,
  onBytes: (bytes: Buffer) => void,
): Promise<number> {
  const engine = createInflate()
  let [left, hasEnded] = [size, false]
  const ended = new Promise<void>((resolve, reject) => {
    engine.on('error', reject)
    engine.on('end', () => {
      hasEnded = true
      resolve()
    })
  })
  ended.catch(() => undefined)
  engine.on('data', (bytes: Buffer) => {
    left -= bytes.length
    if (left < 0) engine.destroy(new AppError('unavailable', 'The repository arrived damaged.'))
    else onBytes(bytes)
  })
  for (let at = data; !hasEnded && at < file.size; at += CHUNK_BYTES) {
    const chunk = Buffer.from(await file.read(at, CHUNK_BYTES))
    // At the end of the object the decoder takes no more.
    await Promise.race([ended, new Promise((resolve) => engine.write(chunk, resolve))])
  }
  if (!hasEnded) engine.end()
  await ended
  if (left !== 0) throw new AppError('unavailable', 'The repository arrived damaged.')
  return engine.bytesWritten
}
