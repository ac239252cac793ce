import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order, Reading } from '../../src/parsers/elements/order.ts'
import type { Limits } from '../../src/parsers/elements/port.ts'
import { readDocument } from '../../src/parsers/reader/read-document.ts'

export type Parsed = Reading & {
  keptText(name: string): Promise<string>
  attached(name: string): Promise<Buffer>
}

export const testLimits: Limits = {
  pages: 1000,
  characters: 5_000_000,
  rows: 200_000,
  unpackedBytes: 200_000_000,
  entries: 2000,
  depth: 3,
}

const folders: string[] = []

/** Parses bytes as a document with this name, like the child process does. Its files last until `forgetParsed`. */
export async function parseBytes(
  name: string,
  bytes: Uint8Array | string,
  changes: Partial<Omit<Order, 'limits'>> & { limits?: Partial<Limits>; signal?: AbortSignal } = {},
): Promise<Parsed> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-parse-'))
  folders.push(folder)
  const [work, outFolder] = [await mkdtemp(join(folder, 'work-')), await mkdtemp(join(folder, 'out-'))]
  const path = join(folder, 'source')
  await writeFile(path, bytes)
  const { limits, signal, ...rest } = changes
  const order: Order = {
    path,
    name,
    pipeline: 'low_latency',
    folder: work,
    outFolder,
    language: 'en',
    settings: { ocrLanguages: ['eng'], transcription: null, modelsFolder: folder },
    ...rest,
    limits: { ...testLimits, ...limits },
  }
  const reading = await readDocument(order, signal ?? new AbortController().signal, () => {})
  return {
    ...reading,
    keptText: (kept) => readFile(join(outFolder, kept), 'utf8'),
    attached: (wanted) => {
      const found = reading.attachments.find((one) => one.name === wanted)
      if (!found) throw new Error(`no ${wanted} among ${reading.attachments.map((one) => one.name).join()}`)
      return readFile(found.path)
    },
  }
}

export async function forgetParsed(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}
