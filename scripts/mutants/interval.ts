/** The 95 % point of the normal distribution. */
const Z = 1.959964

/**
 * Where the share of a whole lies, in 95 of 100 samples, when `hits` of `size` were found in a sample: the ends of
 * Wilson's interval, from 0 to 1.
 */
export function wilson(hits: number, size: number): [number, number] {
  const share = hits / size
  const square = Z ** 2 / size
  const middle = share + square / 2
  const half = Z * Math.sqrt((share * (1 - share) + square / 4) / size)
  return [(middle - half) / (1 + square), (middle + half) / (1 + square)]
}
