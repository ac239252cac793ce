import { createHash } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import { giveTurns } from '../../../give-turns.ts'
import { applyDelta } from './apply-delta.ts'
import { inflateAt, skipAt } from './inflate-at.ts'
import type { PackFile } from './pack-file.ts'
import { readEntryHead } from './read-entry-head.ts'

const MAX_OBJECTS = 200_000
/** Bytes that all objects may have together. A small pack can describe any number of them. */
const MAX_INFLATED_BYTES = 4 * 1024 * 1024 * 1024
const [MAX_CHAIN, MAX_CHAIN_BYTES] = [4096, 64 * 1024 * 1024]
const CACHE_BYTES = 32 * 1024 * 1024
const types: Record<number, string> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }

/** An object of a pack: at `data` its compressed bytes begin. `base` is the offset or the name of the object that a delta changes. */
type Entry = { type: number; size: number; data: number; base: number | string | null }
type Content = { type: number; bytes: Buffer }

/** The objects of a repository by name. */
export type Pack = {
  /** Returns the bytes of an object; null when it is unknown or too large to compute. */
  sizeOf(oid: string): number | null
  /** Returns an object; null for one that does not exist or is larger than the limit. */
  read(oid: string): Promise<{ type: string; bytes: Buffer } | null>
  close(): Promise<void>
}

/** Reads the names of all objects of a pack. `maxBytes` limits a single one. @throws AppError `unavailable`, `not_available` */
export async function openPack(file: PackFile, maxBytes: number, signal: AbortSignal): Promise<Pack> {
  try {
    const reader = new PackReader(file, maxBytes)
    await reader.scan(signal)
    await reader.resolveDeltas(signal)
    return {
      sizeOf: (oid) => reader.objects.get(oid)?.size ?? null,
      read: async (oid) => {
        const found = reader.objects.get(oid)
        const content = found ? await reader.contentAt(found.at) : null
        return content && { type: types[content.type] ?? '', bytes: content.bytes }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    if (error instanceof AppError || signal.aborted) throw error
    throw new AppError('unavailable', 'The repository cannot be read.', { cause: error })
  }
}

class PackReader {
  readonly objects = new Map<string, { at: number; size: number }>()
  readonly #entries = new Map<number, Entry>()
  readonly #cache = new Map<number, Content>()
  readonly #file: PackFile
  readonly #maxBytes: number
  #cached = 0
  #inflated = 0

  constructor(file: PackFile, maxBytes: number) {
    this.#file = file
    this.#maxBytes = maxBytes
  }

  /** Reads all objects once. Only the end of one tells where the next begins. */
  async scan(signal: AbortSignal): Promise<void> {
    const head = await this.#file.read(0, 12)
    if (head.toString('latin1', 0, 4) !== 'PACK') throw damaged()
    const count = head.readUInt32BE(8)
    if (count > MAX_OBJECTS) throw tooMany()
    const turn = giveTurns()
    for (let [at, left] = [12, count]; left > 0; left -= 1) {
      signal.throwIfAborted()
      await turn()
      const { length, ...entry } = readEntryHead(await this.#file.read(at, 40), at)
      const data = at + length
      const hash = entry.base === null ? this.#hashOf(entry.type, entry.size) : null
      this.#spend(entry.size)
      this.#entries.set(at, { ...entry, data })
      const start = at
      at = data + (await this.#readThrough({ ...entry, data }, (bytes) => hash?.update(bytes)))
      if (hash) this.objects.set(hash.digest('hex'), { at: start, size: entry.size })
    }
  }

  /** Computes the names of objects that are stored as changes of others. A base may be named before it is known. */
  async resolveDeltas(signal: AbortSignal): Promise<void> {
    let waiting = [...this.#entries].filter(([, { base }]) => base !== null)
    const turn = giveTurns()
    for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
      before = waiting.length
      const unknown: typeof waiting = []
      for (const one of waiting) {
        signal.throwIfAborted()
        await turn()
        const [at, { base }] = one
        if (typeof base === 'string' && !this.objects.has(base)) unknown.push(one)
        else await this.#nameDelta(at)
      }
      waiting = unknown
    }
  }

  /** Returns an object; null for one that is too large or whose base is missing. */
  async contentAt(start: number): Promise<Content | null> {
    const chain: { at: number; delta: Buffer }[] = []
    let [at, bytes, found] = [start, 0, null as Content | null]
    while (!found) {
      const entry = this.#entries.get(at)
      if (!entry || entry.size > this.#maxBytes) return null
      found = this.#cache.get(at) ?? null
      if (found) break
      const inflated = await this.#inflate(entry)
      if (entry.base === null) {
        found = { type: entry.type, bytes: inflated }
        this.#remember(at, found)
        break
      }
      bytes += inflated.length
      if (chain.push({ at, delta: inflated }) > MAX_CHAIN || bytes > MAX_CHAIN_BYTES) return null
      at = typeof entry.base === 'number' ? entry.base : (this.objects.get(entry.base)?.at ?? -1)
    }
    for (const { at: own, delta } of chain.reverse()) {
      const changed = applyDelta(found.bytes, delta, this.#maxBytes)
      if (!changed) return null
      found = { type: found.type, bytes: changed }
      this.#remember(own, found)
    }
    return found
  }

  async #nameDelta(at: number): Promise<void> {
    const content = await this.contentAt(at)
    if (!content) return
    this.#spend(content.bytes.length)
    const oid = this.#hashOf(content.type, content.bytes.length).update(content.bytes).digest('hex')
    if (!this.objects.has(oid)) this.objects.set(oid, { at, size: content.bytes.length })
  }

  #hashOf(type: number, size: number) {
    if (!types[type]) throw damaged()
    return createHash('sha1').update(`${types[type]} ${size}\0`)
  }

  async #readThrough(entry: Entry, onBytes: (bytes: Buffer) => void): Promise<number> {
    if (entry.size > this.#maxBytes) return skipAt(this.#file, entry, onBytes)
    const { bytes, length } = await inflateAt(this.#file, entry)
    onBytes(bytes)
    return length
  }

  async #inflate(entry: Entry): Promise<Buffer> {
    return (await inflateAt(this.#file, entry)).bytes
  }

  #spend(bytes: number): void {
    this.#inflated += bytes
    if (this.#inflated > MAX_INFLATED_BYTES) throw tooMany()
  }

  #remember(at: number, content: Content): void {
    const size = content.bytes.length
    if (size > CACHE_BYTES / 4 || this.#cache.has(at)) return
    this.#cache.set(at, content)
    this.#cached += size
    for (const [first, { bytes }] of this.#cache) {
      if (this.#cached <= CACHE_BYTES) return
      this.#cache.delete(first)
      this.#cached -= bytes.length
    }
  }
}

const damaged = () => new AppError('unavailable', 'The repository arrived damaged.')
const tooMany = () =>
  new AppError(
    'not_available',
    'The repository is too large: at most 200,000 objects and 4 GB of files are read.',
  )
