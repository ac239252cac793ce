import { round } from '../measure/statistics.ts'
import type { LoadResult } from './load.ts'

/** One count of streams, measured directly from the provider and through a server. */
export type Rung = LoadResult & { added_p95_ms: number; passed: boolean; attempts: number }

export const ADDED_P95_LIMIT_MS = 50

/** Compares a server's load with the direct one of the same count. */
export function judge(load: LoadResult, direct: LoadResult, attempts: number): Rung {
  const added = round(load.p95_ms - direct.p95_ms)
  const whole = load.lost + load.repeated + load.disordered === 0 && Object.keys(load.errors).length === 0
  const passed = whole && load.generator.kept_pace && added < ADDED_P95_LIMIT_MS
  return { ...load, added_p95_ms: added, passed, attempts }
}

type Way = 'floor' | 'product'

export type Climb = {
  direct: LoadResult[]
  floor: Rung[]
  product: Rung[]
  /** The highest count that passed; 0 when none did. */
  highest: Record<Way, number>
  /** Why no higher count was tried. */
  ended: Record<Way, 'missed the limit' | 'generator could not keep pace' | 'no more counts'>
}

type Measure = {
  direct: (streams: number) => Promise<LoadResult>
  through: (way: Way, streams: number) => Promise<LoadResult>
}

/**
 * Increases the counts for both servers in turn, each until it misses the limit twice at one count. Then halves the last
 * step until `resolution` streams remain between a passed and a missed count.
 */
export async function climb(
  counts: number[],
  ways: Way[],
  resolution: number,
  measure: Measure,
): Promise<Climb> {
  const result: Climb = {
    direct: [],
    floor: [],
    product: [],
    highest: { floor: 0, product: 0 },
    ended: { floor: 'no more counts', product: 'no more counts' },
  }
  const direct = rememberDirect(result, measure)
  const missed: Partial<Record<Way, number>> = {}
  const open = new Set(ways)
  for (const streams of counts) {
    if (open.size === 0) break
    if (!(await direct(streams)).generator.kept_pace) {
      for (const way of open) result.ended[way] = 'generator could not keep pace'
      break
    }
    for (const way of [...open]) {
      if (await tryCount(result, measure, way, streams, await direct(streams))) continue
      open.delete(way)
      missed[way] = streams
      result.ended[way] = 'missed the limit'
    }
  }
  for (const way of ways) {
    let above = missed[way] ?? 0
    while (above - result.highest[way] > resolution) {
      const streams = Math.round((above + result.highest[way]) / 2)
      const passed = await tryCount(result, measure, way, streams, await direct(streams))
      if (!passed) above = streams
    }
  }
  return result
}

function rememberDirect(result: Climb, measure: Measure) {
  return async (streams: number) => {
    const known = result.direct.find((load) => load.streams === streams)
    if (known) return known
    const load = await measure.direct(streams)
    result.direct.push(load)
    return load
  }
}

/** A count is tried a second time before it counts as missed, because of other load on the machine. */
async function tryCount(result: Climb, measure: Measure, way: Way, streams: number, direct: LoadResult) {
  let rung = judge(await measure.through(way, streams), direct, 1)
  if (!rung.passed) rung = judge(await measure.through(way, streams), direct, 2)
  result[way].push(rung)
  if (rung.passed) result.highest[way] = Math.max(result.highest[way], streams)
  return rung.passed
}
