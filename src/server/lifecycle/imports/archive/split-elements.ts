import type { ProblemReason } from '#shared/lifecycle/imports/imports.ts'

/** Bytes of one element; a larger one is skipped without being read into memory. */
const MAX_ELEMENT_BYTES = 16 * 1024 * 1024
/** Nested arrays and objects of one element. */
export const MAX_ELEMENT_DEPTH = 4_000

/** Arrays and objects of one element: about ten per message of the longest chat. */
const MAX_ELEMENT_NODES = 200_000

/** One element of a JSON file as text, or the reason why it cannot be read. */
type Element = { text: string } | { reason: ProblemReason }

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Space, tab, line feed, carriage return and the bytes of a byte order mark. */
const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/**
 * Yields the members of a top-level JSON array, or the only value, one at a time. It finds their ends without parsing them, so
 * that a file of any size needs the memory of its largest element.
 */
export async function* splitElements(source: AsyncIterable<Buffer>): AsyncGenerator<Element> {
  const splitter = new Splitter()
  for await (const chunk of source) {
    yield* splitter.read(chunk)
    if (splitter.isOver) return
  }
  yield* splitter.end()
}

class Splitter {
  isOver = false
  /** Depth at which elements begin: 1 in an array, 0 for a single value; null before the first byte. */
  private base: number | null = null
  private depth = 0
  private inText = false
  private isEscaped = false
  private isOpen = false
  private parts: Buffer[] = []
  private bytes = 0
  private nodes = 0
  private refusal: ProblemReason | null = null

  private readText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === ESCAPE) this.isEscaped = true
    else if (byte === QUOTE) this.inText = false
  }

  *read(chunk: Buffer): Generator<Element> {
    let from = 0
    for (let at = 0; at < chunk.length && !this.isOver; at += 1) {
      const byte = chunk[at] as number
      if (this.inText) {
        this.readText(byte)
        continue
      }
      if (!this.isOpen) {
        if (this.begins(byte)) from = at
        else continue
      }
      const ended = this.readSign(byte)
      if (ended === null) continue
      this.add(chunk.subarray(from, at + (ended ? 1 : 0)))
      yield this.take()
      if (!ended && byte === CLOSE_ARRAY) this.isOver = true
    }
    if (this.isOpen) this.add(chunk.subarray(from))
  }

  *end(): Generator<Element> {
    if (this.isOpen && this.base === 0 && this.depth === 0) yield this.take()
    else if (!this.isOver) yield { reason: 'damaged' }
  }

  /** Returns whether this byte begins an element. */
  private begins(byte: number): boolean {
    if (blank.has(byte)) return false
    if (this.base === null) {
      this.base = byte === OPEN_ARRAY ? 1 : 0
      this.depth = this.base
      if (this.base === 1) return false
    }
    if (byte === COMMA) return false
    if (byte === CLOSE_ARRAY) {
      this.isOver = true
      return false
    }
    this.isOpen = true
    return true
  }

  /** Returns true when the byte ends the element, false when the element ended before it, and null inside of it. */
  private readSign(byte: number): boolean | null {
    if (byte === QUOTE) this.inText = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      this.depth += 1
      this.nodes += 1
      if (this.depth > MAX_ELEMENT_DEPTH) this.refuse('too_deep')
      if (this.nodes > MAX_ELEMENT_NODES) this.refuse('too_many')
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (this.depth === this.base) return false
      this.depth -= 1
      if (this.depth === this.base) return true
    } else if (byte === COMMA && this.depth === this.base) return false
    return null
  }

  private add(part: Buffer): void {
    this.bytes += part.length
    if (this.bytes > MAX_ELEMENT_BYTES) this.refuse('too_large')
    if (this.refusal === null) this.parts.push(part)
  }

  private refuse(reason: ProblemReason): void {
    this.refusal ??= reason
    this.parts = []
  }

  private take(): Element {
    const element: Element = this.refusal
      ? { reason: this.refusal }
      : { text: Buffer.concat(this.parts).toString('utf8') }
    this.isOpen = false
    this.parts = []
    this.bytes = 0
    this.nodes = 0
    this.refusal = null
    if (this.base === 0) this.isOver = true
    return element
  }
}
