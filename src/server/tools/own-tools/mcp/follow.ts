import { AppError } from '#shared/platform/errors.ts'
import { sayPrivate } from '../say-private.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findListing, findSet, writeFailure } from './mcp-store.ts'
import { serverOf } from './server-of.ts'
import { storeListing } from './store-listing.ts'

/** What a server offered is asked again before a call, when it is older than this. */
const FRESH_MS = 60_000

const underWay = new Map<string, Promise<void>>()

/** Asks a server anew what it offers, and stores it; one question at a time. @throws AppError with why it did not answer */
export function followServer(deps: OwnToolDeps, setId: string): Promise<void> {
  const going = underWay.get(setId)
  if (going) return going
  const following = ask(deps, setId).finally(() => underWay.delete(setId))
  underWay.set(setId, following)
  return following
}

/** The same unless it was asked a moment ago. */
export async function followUnlessFresh(deps: OwnToolDeps, setId: string): Promise<void> {
  const listing = await findListing(deps.db, setId)
  const age = deps.clock.now().getTime() - (listing?.listed_at.getTime() ?? 0)
  if (age > FRESH_MS || listing?.error) await followServer(deps, setId)
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
