import { open } from 'node:fs/promises'
import type { Job } from '../elements/port.ts'
import { decodeText, warnOfEncoding } from './decode-text.ts'

/** The text of a file, as much as the limit allows; says when that is not all, and when its encoding was guessed. */
export async function readText(
  job: Pick<Job, 'path' | 'size' | 'limits' | 'warn' | 'encoding'>,
): Promise<string> {
  const bytes = await readStart(job.path, Math.min(job.size, job.limits.characters * 4))
  const { text, ...encoding } = decodeText(bytes, job.encoding)
  warnOfEncoding(job, encoding)
  if (text.length <= job.limits.characters && job.size <= job.limits.characters * 4) return text
  job.warn({ code: 'text_cut', values: { characters: job.limits.characters } })
  return text.slice(0, job.limits.characters)
}

async function readStart(path: string, bytes: number): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
