import type { ServerHealth } from '#shared/tools/own-tools/mcp-health.ts'

const HALF_HOUR_MS = 1_800_000
const SHOWN = 48

export type HalfHour = { at: Date; state: 'none' | 'answered' | 'slow' | 'failed' }

/** Returns the half hours of the last day, oldest first, including those without requests. */
export function stripOf(known: ServerHealth['half_hours'], now: Date): HalfHour[] {
  const last = Math.floor(now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS
  const byTime = new Map(known.map((one) => [new Date(one.at).getTime(), one]))
  return Array.from({ length: SHOWN }, (_, index) => {
    const at = last - (SHOWN - 1 - index) * HALF_HOUR_MS
    return { at: new Date(at), state: stateOf(byTime.get(at)) }
  })
}

function stateOf(one: ServerHealth['half_hours'][number] | undefined): HalfHour['state'] {
  if (!one) return 'none'
  if (one.failures > 0) return 'failed'
  return one.slow > 0 ? 'slow' : 'answered'
}

/** Returns whether two times fall on the same local day. */
export const isSame = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString()
