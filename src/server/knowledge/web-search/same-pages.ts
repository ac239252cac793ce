import { createHash } from 'node:crypto'

/** Texts that have so much of their runs of words in common are one. */
const ALIKE = 0.7
const RUN_WORDS = 5
/** Of each text so many runs are compared: those with the least hashes, which are the same ones in texts that are alike. */
const SKETCH = 200

/** Keeps the first of texts that say nearly the same (ledger XT: mirrors and reprints count once). */
export function withoutNearDuplicates<One>(list: readonly One[], textOf: (one: One) => string): One[] {
  const kept: { one: One; sketch: Set<string> }[] = []
  for (const one of list) {
    const sketch = sketchOf(textOf(one))
    if (!kept.some((other) => likeness(other.sketch, sketch) >= ALIKE)) kept.push({ one, sketch })
  }
  return kept.map(({ one }) => one)
}

function sketchOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const runs = new Set<string>()
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1)
    runs.add(
      createHash('md5')
        .update(words.slice(at, at + RUN_WORDS).join(' '))
        .digest('hex')
        .slice(0, 12),
    )
  return new Set([...runs].sort().slice(0, SKETCH))
}

/** The share of runs in common, by the least hashes of both (Broder 1997, On the resemblance and containment of documents). */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = [...new Set([...a, ...b])].sort().slice(0, SKETCH)
  if (least.length === 0) return 0
  return least.filter((hash) => a.has(hash) && b.has(hash)).length / least.length
}
