import { AppError } from '#shared/platform/errors.ts'

type Readable = { headers: { get: (name: string) => string | null }; body: AsyncIterable<Uint8Array> | null }

/** Reads the body of an answer. It counts the bytes received, whatever length is announced. @throws AppError `too_large` */
export async function readAtMost({ headers, body }: Readable, maxBytes: number): Promise<Uint8Array> {
  if (Number(headers.get('content-length')) > maxBytes && !headers.get('content-encoding'))
    throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): AppError {
  const limit = maxBytes >= 1024 * 1024 ? `${Math.round(maxBytes / 1024 / 1024)} MB` : `${maxBytes} bytes`
  return new AppError('too_large', `The answer is too large: more than ${limit}.`)
}
