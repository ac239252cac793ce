/** The 97.5 % quantile of the normal distribution, for a two-sided 95 % interval. */
const Z = 1.959964

/**
 * Returns Wilson's 95 % interval, from 0 to 1, for the share in the whole population when `hits` of `size` were found
 * in a sample.
 */
export function wilson(hits: number, size: number): [number, number] {
  const share = hits / size
  const square = Z ** 2 / size
  const middle = share + square / 2
  const half = Z * Math.sqrt((share * (1 - share) + square / 4) / size)
  return [(middle - half) / (1 + square), (middle + half) / (1 + square)]
}
