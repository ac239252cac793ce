import { createHash, type Hash } from 'node:crypto'
import * as z from 'zod'

/** Name of the last entry: the number of entries and one checksum over all of them. */
export const endName = 'end.json'
export const End = z.object({ entries: z.number(), sha256: z.string() })

/** Creates a checksum over the names, sizes and contents of all entries. Its size is constant. */
export function createSum() {
  const hash: Hash = createHash('sha256')
  let entries = 0
  return {
    begin(name: string, size: number) {
      entries += 1
      hash.update(`${name}\0${size}\0`)
    },
    async *watch(content: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
    },
    end: () => ({ entries, sha256: hash.copy().digest('hex') }),
  }
}
