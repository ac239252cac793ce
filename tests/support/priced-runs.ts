import { createRandom } from '../faults/random.ts'

/** Random draws from a seed. */
export type Chance = ReturnType<typeof createChance>

export function createChance(seed: number) {
  const random = createRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return {
    below: (most: number) => Math.floor(random() * most),
    isHit: (share: number) => random() < share,
    /** Around a median, occasionally far above it, like the lengths of answers. */
    spread: (middle: number, width: number) => middle * Math.exp(width * normal()),
    /** Above a minimum, with a heavy tail (Pareto). */
    heavy: (least: number, tail: number) => least / (1 - random()) ** (1 / tail),
    /** Number of repetitions, from 1. */
    often: (share: number, most: number) => {
      let count = 1
      while (count < most && random() < share) count += 1
      return count
    },
  }
}

type Run = { known: number; paid: number }
type World = (chance: Chance, at: number) => Run

const INPUT = 3e-6
const OUTPUT = 15e-6

/** Returns a reply in a chat of up to a dozen turns. Each call reads everything before it and adds some text. */
function aReply(chance: Chance, calls: number, length: () => number): Run {
  const context = 1_500 + chance.below(12) * 700
  let read = context * 1.1
  let paid = 0
  for (let call = 1; call <= calls; call++) {
    const said = Math.min(32_000, length())
    paid += read * INPUT + said * OUTPUT
    read += said + chance.spread(800, 1)
  }
  return { known: context * INPUT, paid }
}

/** Usage patterns of assistants: each returns the run at a position in a series of runs. */
export const worlds: Record<string, World> = {
  'one call, answers of a length': (chance) => aReply(chance, 1, () => chance.spread(400, 0.5)),
  'tools now and then': (chance) => aReply(chance, chance.often(0.5, 12), () => chance.spread(300, 0.7)),
  'a heavy tail': (chance) => aReply(chance, chance.often(0.6, 60), () => chance.heavy(200, 1.5)),
  'ever longer answers': (chance, at) =>
    aReply(chance, chance.often(0.3, 12), () => chance.spread(300, 0.6) * 2 ** (at / 50)),
  'three times longer from one day on': (chance, at) =>
    aReply(chance, chance.often(0.3, 12), () => chance.spread(300, 0.6) * (at > 50 ? 3 : 1)),
  'questions and plans': (chance) =>
    chance.isHit(0.7)
      ? aReply(chance, 1, () => chance.spread(200, 0.5))
      : aReply(chance, 6 + chance.below(6), () => chance.spread(600, 0.6)),
}
