/** Returns the first of these fields that the object has. */
export function pick(value: unknown, names: string[]): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map(Object.entries(value))
  return names.map((name) => fields.get(name)).find((field) => field !== undefined)
}
