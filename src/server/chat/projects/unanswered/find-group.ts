/** Questions that mean the same. */
export type Group = { id: string; size: number; centre: number[] }

/**
 * Questions whose mean cosine to the questions of a group reaches this have its meaning, by embedding. Chosen on 120 labelled questions
 * in English and French; see `find-group.test.ts`. Vectors of words are farther apart.
 */
export const minimumOf = (model: string): number => (model === 'atrium/lexical' ? 0.24 : 0.87)

/** Returns the group whose questions a unit vector is nearest to on average, or null when none is near enough. */
export function findGroup(vector: readonly number[], groups: Iterable<Group>, minimum: number): Group | null {
  let nearest: Group | null = null
  let most = minimum
  for (const group of groups) {
    // The product with the mean of unit vectors is the mean of the cosines.
    const cosine = vector.reduce((sum, value, at) => sum + value * (group.centre[at] ?? 0), 0)
    if (cosine < most || (nearest && cosine === most)) continue
    nearest = group
    most = cosine
  }
  return nearest
}

/** Adds a vector to a group. */
export function addTo(group: Group, vector: readonly number[]): void {
  const { centre, size } = group
  group.centre = vector.map((value, at) => ((centre[at] ?? 0) * size + value) / (size + 1))
  group.size += 1
}

/** Returns a vector with the length 1; zeros stay zeros. */
export function unitOf(vector: ArrayLike<number>): number[] {
  const values = Array.from(vector)
  const length = Math.hypot(...values) || 1
  return values.map((value) => value / length)
}
