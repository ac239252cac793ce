import { randomInt } from 'node:crypto'

/** Returns how often a fault is repeated, and the seed of its moments. The seed is printed so that a run can be repeated. */
export function readPlan(defaultCount: number): { count: number; random: () => number } {
  const count = Number(process.env.FAULTS_COUNT ?? defaultCount)
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(1, 2 ** 31))
  console.log(`faults: ${count} moments from seed ${seed}`)
  return { count, random: createRandom(seed) }
}

/** Creates a small seeded generator of numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
