import { createHash } from 'node:crypto'
import type { ServerClaim } from '#shared/tools/tools/server-claim.ts'

/** What a tool of a server says of its effects; every value is the server's own word. */
export type Hints = {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

/**
 * What a server claims about a tool. A tool that claims to read only and also to destroy, to have more effect with each call or
 * to act on an open world contradicts itself: it counts as one that writes.
 */
export function readClaim({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
}: Hints): ServerClaim {
  if (readOnlyHint === true) {
    const alsoWrites = destructiveHint === true || idempotentHint === false || openWorldHint === true
    return alsoWrites ? 'contradicts' : 'reads'
  }
  return readOnlyHint === false || destructiveHint === true ? 'writes' : 'silent'
}

/** A hash of all a server says of a tool: leave given for one description is none for another. */
export function markOf(said: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(said, 0)))
    .digest('base64url')
}

/** Nested deeper than this a schema is cut before it is stored anyway. */
const MAX_DEPTH = 64

/** The same value with the names of its objects in one order. */
function sortKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((one) => sortKeys(one, depth + 1))
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, sortKeys(one, depth + 1)])
}
