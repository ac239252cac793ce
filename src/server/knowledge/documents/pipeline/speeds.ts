import type { Phase } from './store.ts'

/** Milliseconds per byte for each phase, and the size of the largest measured file. */
export type Speed = Record<Phase, number> & { largest: number }
/** Recent speeds by file format. */
export type Speeds = Map<string, Speed>

/** Files more than this many times larger than the largest measured one are not estimated: startup dominates small files. */
const MAX_BEYOND = 4
/** A phase's own speed counts only after this share of it and this many milliseconds, because its start includes startup time. */
const MIN_SHARE = 0.05
const MIN_ELAPSED_MS = 2_000

const order: Phase[] = ['PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING']

export type UnderWay = {
  phase: Phase
  done: number
  total: number
  phase_began_at: Date | null
  /** Total milliseconds of embedding so far, over all turns. */
  embedding_ms: number | null
  size: number
  format: string | null
  extension: string
}

/**
 * Returns the seconds until a document is completed: the rest of its phase at its current speed, plus the later phases at recent speeds for
 * its format. Null when one of these is unknown.
 */
export function secondsLeft(document: UnderWay, now: Date, speeds: Speeds): number | null {
  const { phase, size, format, extension } = document
  const found = speeds.get(format ?? extension)
  const speed = found && size <= found.largest * MAX_BEYOND ? found : undefined
  const rest = restOfPhase(document, now, speed)
  if (rest === null) return null
  const phases = order.slice(order.indexOf(phase) + 1)
  if (phases.length > 0 && !speed) return null
  const behind = phases.map((one) => (speed?.[one] ?? 0) * size)
  return Math.round(rest + behind.reduce((sum, ms) => sum + ms, 0)) / 1000
}

/** Returns milliseconds; null when unknown. */
function restOfPhase(
  { phase, done, total, phase_began_at, embedding_ms, size }: UnderWay,
  now: Date,
  speed: Speed | undefined,
): number | null {
  if (phase === 'EMBEDDING' && embedding_ms && done > 0)
    return (embedding_ms / done) * Math.max(0, total - done)
  const elapsed = phase_began_at ? now.getTime() - phase_began_at.getTime() : 0
  const isTelling = done > 0 && done >= total * MIN_SHARE && elapsed >= MIN_ELAPSED_MS
  if (isTelling) return (elapsed / done) * Math.max(0, total - done)
  return speed ? Math.max(0, speed[phase] * size - elapsed) : null
}
