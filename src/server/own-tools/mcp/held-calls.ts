import type { Exchange } from '../../mcp/mcp.ts'

/** A call waits so long for a person with its connection open; then it is cancelled. */
const HELD_MS = 15 * 60_000
/** Calls that wait in this process. */
const MOST_HELD = 40

type Held = { exchange: Exchange; timer: NodeJS.Timeout }

/** Calls that stand still in this process while a person is asked. */
export type HeldCalls = {
  hold: (executionId: string, exchange: Exchange) => void
  take: (executionId: string) => Exchange | null
}

export function createHeldCalls(): HeldCalls {
  const held = new Map<string, Held>()
  const letGo = (id: string) => {
    const one = held.get(id)
    if (!one) return
    held.delete(id)
    clearTimeout(one.timer)
    one.exchange.cancel(new Error('Nobody answered in time.'))
  }
  return {
    hold: (id, exchange) => {
      letGo(id)
      const oldest = held.size >= MOST_HELD ? held.keys().next().value : undefined
      if (oldest !== undefined) letGo(oldest)
      exchange.onProgress = null
      held.set(id, { exchange, timer: setTimeout(() => letGo(id), HELD_MS).unref() })
    },
    take: (id) => {
      const one = held.get(id)
      if (!one) return null
      held.delete(id)
      clearTimeout(one.timer)
      return one.exchange
    },
  }
}
