import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'

/** Creates a pass-through that counts and hashes bytes. It fails with `too_large` beyond `maxBytes`. */
export function measure(maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes)
        return done(new AppError('too_large', `The file is larger than ${describeSize(maxBytes)}.`))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ size, sha256: hash.digest('hex') }) }
}

/** @throws AppError `storage_full` */
export function storageFull(cause: unknown): AppError {
  return new AppError('storage_full', 'The storage is full. Free some space and try again.', { cause })
}

function describeSize(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`
}
