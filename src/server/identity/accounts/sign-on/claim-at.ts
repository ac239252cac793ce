const MAX_DEPTH = 8

/**
 * Returns the claim of this name; without one, the value at the path it names, such as `realm_access.roles`. Names may contain dots, as
 * addresses do, so the whole name counts first. Undefined without a value.
 */
export function claimAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return Reflect.get(claims, path)
  const parts = path.split('.')
  if (parts.length === 1 || parts.length > MAX_DEPTH) return undefined
  let value: unknown = claims
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
