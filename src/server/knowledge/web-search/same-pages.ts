import { createHash } from 'node:crypto'

/** Texts that share at least this fraction of their word runs are duplicates. */
const ALIKE = 0.7
const RUN_WORDS = 5
/** Runs compared per text: those with the smallest hashes, which similar texts share. */
const SKETCH = 200

/** Keeps the first of nearly identical texts, so that mirrors and reprints count once. */
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

/** Estimates the share of common runs from the smallest hashes of both (Broder 1997, On the resemblance and containment of documents). */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = [...new Set([...a, ...b])].sort().slice(0, SKETCH)
  if (least.length === 0) return 0
  return least.filter((hash) => a.has(hash) && b.has(hash)).length / least.length
}
