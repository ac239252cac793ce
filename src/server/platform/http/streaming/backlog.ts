/** What one reader has not read yet, as part of what all of a process have not. */
export type Share = {
  /** More, or with a negative number less. May cut readers, this one too. */
  grow(bytes: number): void
}

type Lagging = { who: string; bytes: number; cut: () => void }

/** Counts what all readers of a process have not read yet. `open` takes whose reader it is and how it is cut. */
export type Backlog = { open(who: string, cut: () => void): Share }

/**
 * Bounds what waits for all readers together. Past the bound the person who holds most loses their largest share, so
 * one person's unread streams never cost another person's.
 */
export function createBacklog(maxBytes: number): Backlog {
  const lagging = new Set<Lagging>()
  let total = 0
  return {
    open: (who, cut) => {
      const own: Lagging = { who, bytes: 0, cut }
      return {
        grow: (bytes) => {
          own.bytes += bytes
          total += bytes
          if (own.bytes > 0) lagging.add(own)
          else lagging.delete(own)
          // A reader that is cut gives its share back.
          while (total > maxBytes) largest([...lagging])?.cut()
        },
      }
    },
  }
}

function largest(lagging: Lagging[]): Lagging | undefined {
  const sums = new Map<string, number>()
  for (const { who, bytes } of lagging) sums.set(who, (sums.get(who) ?? 0) + bytes)
  const [most] = [...sums].sort(([, one], [, other]) => other - one)
  return lagging.filter(({ who }) => who === most?.[0]).sort((one, other) => other.bytes - one.bytes)[0]
}
