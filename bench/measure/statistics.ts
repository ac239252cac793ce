/** Returns the median; NaN for an empty list. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}

const BIN_US = 100
const BINS = 100_000

/** Counts durations in bins of 0.1 ms up to 10 s, so that those of several processes can be added. */
export class Histogram {
  readonly bins = new Uint32Array(BINS)
  count = 0

  /** @param us microseconds; negative ones (clock granularity) count as 0. */
  add(us: number): void {
    const bin = us < 0 ? 0 : Math.min(BINS - 1, (us / BIN_US) | 0)
    this.bins[bin] = (this.bins[bin] ?? 0) + 1
    this.count += 1
  }

  /** Adds sparse bins from `toSparse`. */
  merge(sparse: [bin: number, count: number][]): void {
    for (const [bin, count] of sparse) {
      this.bins[bin] = (this.bins[bin] ?? 0) + count
      this.count += count
    }
  }

  toSparse(): [bin: number, count: number][] {
    const sparse: [number, number][] = []
    for (const [bin, count] of this.bins.entries()) if (count > 0) sparse.push([bin, count])
    return sparse
  }

  /** Returns the duration in milliseconds below which the share `p` (0–1) lies; NaN without any. */
  percentile(p: number): number {
    let left = Math.ceil(this.count * p)
    if (this.count === 0) return Number.NaN
    for (let bin = 0; bin < BINS; bin += 1) {
      left -= this.bins[bin] ?? 0
      if (left <= 0) return ((bin + 1) * BIN_US) / 1000
    }
    return (BINS * BIN_US) / 1000
  }
}
