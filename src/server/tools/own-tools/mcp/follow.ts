import { AppError } from '#shared/platform/errors.ts'
import { sayPrivate } from '../say-private.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findListing, findSet, writeFailure } from './mcp-store.ts'
import { serverOf } from './server-of.ts'
import { storeListing } from './store-listing.ts'

/** Age from which a server's offer is refreshed before a call. */
const MAX_AGE_MS = 60_000

const underWay = new Map<string, Promise<void>>()

/** Lists a server again and stores the result, one listing at a time. @throws AppError with the reason for a missing answer */
export function followServer(deps: OwnToolDeps, setId: string): Promise<void> {
  const going = underWay.get(setId)
  if (going) return going
  const following = ask(deps, setId).finally(() => underWay.delete(setId))
  underWay.set(setId, following)
  return following
}

/** Does the same, unless the server was listed very recently. */
export async function followUnlessFresh(deps: OwnToolDeps, setId: string): Promise<void> {
  const listing = await findListing(deps.db, setId)
  const age = deps.clock.now().getTime() - (listing?.listed_at.getTime() ?? 0)
  if (age > MAX_AGE_MS || listing?.error) await followServer(deps, setId)
}

async function ask(deps: OwnToolDeps, setId: string): Promise<void> {
  try {
    const listing = await deps.mcp.list(await serverOf(deps, setId))
    const set = await findSet(deps.db, setId)
    if (set) await deps.db.transaction().execute((trx) => storeListing(trx, deps, set, listing))
  } catch (failure) {
    const error = sayPrivate(failure)
    if (error instanceof AppError) await writeFailure(deps.db, setId, error.detail)
    throw error
  }
}
