/** Maximum values of a result that are searched. */
const MAX_VALUES = 10_000

/** Returns the ids of the first pictures that a tool's result refers to, in order. */
export function findReferences(result: unknown, most: number): string[] {
  const ids = new Set<string>()
  const waiting = [result]
  for (let looked = 0; waiting.length > 0 && looked < MAX_VALUES && ids.size < most; looked++) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const { type, id, media_type } = value as Record<string, unknown>
    if (type === 'media_reference' && typeof id === 'string' && String(media_type).startsWith('image/'))
      ids.add(id)
    else waiting.push(...Object.values(value).toReversed())
  }
  return [...ids]
}
