import type { Phase } from './store.ts'

/** Milliseconds each phase takes for a byte of a file. */
export type Speed = Record<Phase, number>
/** What documents took here of late, by kind of file; `ALL_KINDS` stands for those that were not read yet. */
export type Speeds = Map<string, Speed>

export const ALL_KINDS = ''

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
 * took here of late. Null where nothing is known of either.
 */
export function secondsLeft(document: UnderWay, now: Date, speeds: Speeds): number | null {
  const { phase, size, format, extension } = document
  const speed = speeds.get(format ?? extension) ?? speeds.get(ALL_KINDS)
  const rest = restOfPhase(document, now, speed)
  if (rest === null) return null
  const behind = order.slice(order.indexOf(phase) + 1).map((one) => (speed?.[one] ?? 0) * size)
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
  if (done > 0) return (elapsed / done) * Math.max(0, total - done)
  return speed ? Math.max(0, speed[phase] * size - elapsed) : null
}
