import type { Phase } from './store.ts'

/** Milliseconds each phase takes for a byte of a file, and the bytes of the largest file this was measured on. */
export type Speed = Record<Phase, number> & { largest: number }
/** What documents took here of late, by kind of file. */
export type Speeds = Map<string, Speed>

/** Larger files than so many times the largest measured one are not estimated: starting costs as much as reading in small ones. */
const MAX_BEYOND = 4
/** The first part of a phase holds its start: it says how long the rest takes from this share on, and after so many milliseconds. */
const MIN_SHARE = 0.05
const MIN_ELAPSED_MS = 2_000

const order: Phase[] = ['PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING']

export type UnderWay = {
  phase: Phase
  done: number
  total: number
  phase_began_at: Date | null
  /** What the embedding of what is done took, in however many turns. */
  embedding_ms: number | null
  size: number
  format: string | null
  extension: string
}

/**
 * Seconds until a document is completed: the rest of its phase at the speed of the part that is done, and the phases behind it as they
 * took here of late for files of its kind. Null where one of these is not known.
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

/** In milliseconds. */
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
