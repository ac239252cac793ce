import { fold } from './history-rows.ts'

/** Keys typed within this time form one word. */
export const TYPE_AHEAD_MS = 700

/**
 * Returns the index of the next title with this prefix, from `from` on and wrapping around; -1 without one. A repeated
 * letter moves from hit to hit.
 */
export function findTyped(titles: readonly string[], typed: string, from: number): number {
  const letters = fold(typed)
  if (letters === '') return -1
  const isRepeated = [...letters].every((letter) => letter === letters[0])
  const wanted = isRepeated ? letters.charAt(0) : letters
  const start = isRepeated ? from + 1 : from
  for (let step = 0; step < titles.length; step += 1) {
    const index = (start + step + titles.length) % titles.length
    if (fold(titles[index] ?? '').startsWith(wanted)) return index
  }
  return -1
}
