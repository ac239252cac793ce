import { createHash } from 'node:crypto'
import type { ServerClaim } from '#shared/tools/tools/server-claim.ts'

/** Effects of a tool as claimed by its server. */
export type Hints = {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint?: boolean | undefined
}

/**
 * Returns a server's claim about a tool. A tool that claims to be read-only and also destructive, non-idempotent or open to
 * the world contradicts itself, so it counts as one that writes.
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

/** Hashes a tool's whole description, because a permission for one description does not apply to another. */
export function markOf(said: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(said, 0)))
    .digest('base64url')
}

/** Deeper schemas are truncated before they are stored. */
const MAX_DEPTH = 64

/** Returns the same value with sorted object keys. */
function sortKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((one) => sortKeys(one, depth + 1))
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => [name, sortKeys(one, depth + 1)])
}
