/**
 * Returns `next`, reusing every part that equals the same part of `previous`, so that unchanged
 * parts keep their identity. Plain data only.
 */
export function share<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) return next
  if (Array.isArray(previous) && Array.isArray(next)) return shareArray(previous, next) as T
  if (isRecord(previous) && isRecord(next)) return shareRecord(previous, next) as T
  return next
}

function shareArray(previous: unknown[], next: unknown[]): unknown[] {
  let isSame = previous.length === next.length
  const shared = next.map((value, at) => {
    const kept = share(previous[at], value)
    if (kept !== previous[at]) isSame = false
    return kept
  })
  return isSame ? previous : shared
}

function shareRecord(
  previous: Record<string, unknown>,
  next: Record<string, unknown>,
): Record<string, unknown> {
  const keys = Object.keys(next)
  let isSame = Object.keys(previous).length === keys.length
  const shared: Record<string, unknown> = {}
  for (const key of keys) {
    shared[key] = share(previous[key], next[key])
    if (shared[key] !== previous[key]) isSame = false
  }
  return isSame ? previous : shared
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
