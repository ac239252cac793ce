/** Limits concurrency to `count`. Others wait in order. */
export function createSlots(count: number): { use: <T>(work: () => Promise<T>) => Promise<T> } {
  const waiting: (() => void)[] = []
  let free = count
  return {
    use: async (work) => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
