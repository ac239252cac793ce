import type { Row } from './rows.ts'

type Waiting = { rows: Row[]; resolve: () => void; reject: (reason: unknown) => void }

/** Rows per write. Each write costs the same, however many rows it has. */
const MAX_ROWS_PER_WRITE = 1_000

/**
 * Serializes the writes of a table. Rows that arrive during a write are combined into the next one. The last of several rows with
 * the same id in a write counts.
 */
export function createWriteQueue(write: (rows: Row[]) => Promise<void>): (rows: Row[]) => Promise<void> {
  const waiting: Waiting[] = []
  let isWriting = false
  const work = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const turn = takeTurn()
      const rows = new Map(turn.flatMap((one) => one.rows).map((row) => [row.id, row]))
      try {
        await write([...rows.values()])
        for (const { resolve } of turn) resolve()
      } catch (error) {
        for (const { reject } of turn) reject(error)
      }
    }
    isWriting = false
  }
  const takeTurn = () => {
    let taken = 1
    let count = waiting[0]?.rows.length ?? 0
    for (const { rows } of waiting.slice(1)) {
      count += rows.length
      if (count > MAX_ROWS_PER_WRITE) break
      taken += 1
    }
    return waiting.splice(0, taken)
  }
  return (rows) =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject })
      if (!isWriting) void work()
    })
}
