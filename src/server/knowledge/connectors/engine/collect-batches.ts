/** Collects what is written with one commit. */
export type Batches<T> = {
  /** Adds one. Waits while a full batch collects behind the one that is being written. @throws what writing threw */
  add(one: T): Promise<void>
  /** Writes the rest. @throws what writing threw */
  end(): Promise<void>
}

/**
 * Writes batches one after the other. While one is being written the next collects, so a fast source shares commits, and what a slow one delivers is
 * written immediately. After a failure nothing more is written.
 */
export function collectBatches<T>(write: (batch: T[]) => Promise<void>, most: number): Batches<T> {
  let pending: T[] = []
  let current: Promise<void> | null = null
  let failed: { error: unknown } | null = null
  const begin = () => {
    if (current || failed || pending.length === 0) return
    const batch = pending.splice(0, most)
    current = write(batch)
      .catch((error) => {
        failed = { error }
      })
      .finally(() => {
        current = null
        begin()
      })
  }
  const assertWritten = () => {
    if (failed) throw failed.error
  }
  return {
    async add(one) {
      assertWritten()
      pending.push(one)
      begin()
      while (current && pending.length >= most) await current
      assertWritten()
    },
    async end() {
      while (current) await current
      pending = []
      assertWritten()
    },
  }
}
