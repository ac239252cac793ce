import type { FuzzedProduct } from './fuzzed-product.ts'
import type { FuzzedRequest } from './requests.ts'
import type { People, Who } from './rows.ts'
import { send } from './send.ts'

export type ToMeasure = {
  what: string
  /** Groups requests that are parsed the same way. */
  like: string
  who: Who
  ask: () => FuzzedRequest
  endsToken?: boolean
}
/** Cost of a request. For an expensive one, the lowest of several tries. */
export type Cost = { what: string; who: Who; stalledMs: number; grewMb: number; status: number }

const STALL_MS = 50
const GROWTH_MB = 64
const TRIES = 5
/** Share of a limit from which it is measured again, without earlier garbage. */
const NEAR = 0.6
/** Measuring with earlier garbage is cheap; without it, each measurement takes a garbage collection. */
const MEASUREMENTS_PER_COLLECTION = 40

/** Measures each request in sequence. */
export async function measureAll(
  fuzzed: FuzzedProduct,
  people: People,
  all: readonly ToMeasure[],
): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const [n, one] of all.entries()) {
    if (n % MEASUREMENTS_PER_COLLECTION === 0) {
      await fuzzed.db.deleteFrom('rate_limits').execute()
      await fuzzed.collect()
    }
    costs.push(await measure(fuzzed, people, one))
    if (!fuzzed.isSameProcess()) throw new Error(`the server was killed by ${one.who}: ${one.what}`)
  }
  return costs
}

/** Returns the requests beyond the limits, worst first. `patience` multiplies the limits for a slow machine. */
export function tooCostly(costs: readonly Cost[], patience = 1): Cost[] {
  const held = ({ stalledMs, grewMb }: Cost) =>
    stalledMs >= STALL_MS * patience || grewMb >= GROWTH_MB * patience
  return costs.filter(held).sort((a, b) => b.stalledMs - a.stalledMs)
}

/** Summarizes the costs in one line: the count, and the maximum stall and memory with their requests. */
export function summarise(costs: readonly Cost[]): string {
  const [stall] = [...costs].sort((a, b) => b.stalledMs - a.stalledMs)
  const [memory] = [...costs].sort((a, b) => b.grewMb - a.grewMb)
  if (!stall || !memory) return 'nothing was measured'
  return `${costs.length} requests measured; at most ${stall.stalledMs} ms (${stall.what}) and ${memory.grewMb} MB (${memory.what})`
}

const isTooMuch = ({ stalledMs, grewMb }: Cost) => stalledMs >= STALL_MS || grewMb >= GROWTH_MB

const isNear = ({ stalledMs, grewMb }: Cost) => stalledMs >= NEAR * STALL_MS || grewMb >= NEAR * GROWTH_MB

async function measure(fuzzed: FuzzedProduct, people: People, one: ToMeasure): Promise<Cost> {
  await fuzzed.reset()
  let best = await tryOnce(fuzzed, people, one)
  for (let n = 1; n < (isTooMuch(best) ? TRIES : 2) && isNear(best); n += 1) {
    await fuzzed.collect()
    const next = await tryOnce(fuzzed, people, one)
    best = {
      ...{ ...next, stalledMs: Math.min(best.stalledMs, next.stalledMs) },
      grewMb: Math.min(best.grewMb, next.grewMb),
    }
  }
  return best
}

async function tryOnce(fuzzed: FuzzedProduct, people: People, one: ToMeasure): Promise<Cost> {
  const { what, who, ask, endsToken } = one
  const token = endsToken ? await people.aDisposableToken(who) : people.tokens[who]
  const asked = ask()
  // A stream that follows a chat stays open; a reply ends.
  const streamMs = asked.method === 'GET' ? 200 : 5_000
  // A server that has read enough answers and closes the connection during the upload.
  const { status } = await send(fuzzed.product.url, asked, token, streamMs).catch(() => ({ status: 0 }))
  const { stalledMs, grewBytes } = await fuzzed.read()
  return { what, who, status, stalledMs: Math.round(stalledMs), grewMb: Math.round(grewBytes / 1024 / 1024) }
}
