import { AppError } from '#shared/platform/errors.ts'
import type { ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { type Listing, SignInNeeded } from '../../../platform/mcp/mcp.ts'
import { assertSignsIn } from '../oauth/find-service.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { sayWhy } from './say-why.ts'
import { describeServer } from './server-of.ts'

/**
 * Returns a server's offer, or that each person must sign in first.
 * @throws AppError `not_available` if it requires a sign-in but does not say how
 */
export async function reachServer(
  deps: OwnToolDeps,
  name: string,
  address: ServerAddress,
  secrets: Record<string, string>,
): Promise<{ listing: Listing | null; oauth: boolean }> {
  try {
    return { listing: await listOnce(deps, name, address, secrets), oauth: false }
  } catch (error) {
    if (!(error instanceof SignInNeeded) || address.kind !== 'http') return sayWhy(error)
    if (Object.keys(secrets).some((header) => header.toLowerCase() === 'authorization'))
      throw new AppError('not_available', `${name} refused the header Authorization (401).`)
    await assertSignsIn(deps, address.url).catch(sayWhy)
    return { listing: null, oauth: true }
  }
}

/** Uses a separate connection, which is closed afterwards. */
async function listOnce(
  deps: OwnToolDeps,
  name: string,
  address: ServerAddress,
  secrets: Record<string, string>,
) {
  const server = describeServer(`new-${crypto.randomUUID()}`, name, address, secrets)
  try {
    return await deps.mcp.list(server)
  } finally {
    await deps.mcp.forget(server.id)
  }
}
