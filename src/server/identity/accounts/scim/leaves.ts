import { barePath, flag, unwrapCore } from './user-draft.ts'

/** Returns whether a PUT deactivates the user, even if other parts are invalid. */
export function leavesByPut(body: unknown): boolean {
  return valuesOf(unwrapCore(body), 'active').map(readFlag).at(-1) === false
}

/** Returns whether a PATCH does so; the last operation on `active` counts. */
export function leavesByPatch(body: unknown): boolean {
  const operations = valuesOf(body, 'operations').at(-1)
  if (!Array.isArray(operations)) return false
  const said = operations.flatMap((operation) => {
    const [op, path, value] = ['op', 'path', 'value'].map((key) => valuesOf(operation, key).at(-1))
    if (String(op).toLowerCase() === 'remove') return []
    if (typeof path !== 'string' || barePath(path) === '')
      return Object.entries(value && typeof value === 'object' ? (unwrapCore(value) as object) : {})
        .filter(([key]) => isActive(key))
        .map(([, one]) => one)
    return isActive(path) ? [value] : []
  })
  return said.map(readFlag).findLast((flag) => flag !== undefined) === false
}

const isActive = (path: string) => barePath(path).toLowerCase() === 'active'

/** Parses a boolean; undefined for anything else. */
function readFlag(value: unknown): boolean | undefined {
  return flag.safeParse(value).data
}

/** Returns the values of a key in any case. */
function valuesOf(body: unknown, key: string): unknown[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body)
    .filter(([name]) => name.toLowerCase() === key)
    .map(([, value]) => value)
}
