/** The unread bytes of one reader, as a share of those of the whole process. */
export type Share = {
  /** Adds bytes; a negative number removes them. May cut readers, including this one. */
  grow(bytes: number): void
}

type Lagging = { who: string; bytes: number; cut: () => void }

/** Counts the unread bytes of all readers of a process. `open` takes the reader's owner and a function that cuts the reader. */
export type Backlog = { open(who: string, cut: () => void): Share }

/**
 * Limits the unread bytes of all readers together. Beyond the limit, the person with the most unread bytes loses their
 * largest stream, so their backlog never costs other people a stream.
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
          // Cutting a reader releases its share.
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
