import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from './port.ts'

/** Extracts embedded files within the limits of the job. `skipped` counts the files beyond them. */
export class AttachedFiles {
  readonly names: string[] = []
  skipped = 0
  private readonly job: Job
  private bytes = 0

  constructor(job: Job) {
    this.job = job
  }

  /** Adds a file of `bytes` bytes, or skips it when a limit is reached. `write` writes its content to the given path. */
  async add(name: string, bytes: number, write: (path: string) => Promise<void>): Promise<void> {
    const { limits, folder } = this.job
    const isTooMuch = this.names.length >= limits.entries || this.bytes + bytes > limits.unpackedBytes
    if (limits.depth < 1 || isTooMuch) {
      this.skipped += 1
      return
    }
    this.bytes += bytes
    const own = join(folder, 'inside')
    await mkdir(own, { recursive: true })
    const path = join(own, String(this.names.length))
    await write(path)
    const plain = plainFileName(name)
    this.names.push(plain)
    this.job.attach({ name: plain, path })
  }

  addBytes(name: string, bytes: Uint8Array): Promise<void> {
    return this.add(name, bytes.length, (path) => writeFile(path, bytes))
  }
}

/** Returns the last part of a path without characters that file names must not have, at most 200 long; `file` if none is left. */
export function plainFileName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  const plain = last.replace(/[\u0000-\u001f\u007f<>:"|?*\u202a-\u202e]/g, '').trim()
  return plain === '' || /^\.+$/.test(plain) ? 'file' : plain.slice(-200)
}
