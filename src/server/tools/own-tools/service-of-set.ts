import { AppError } from '#shared/platform/errors.ts'
import type { Service } from '../../platform/outbound/oauth/oauth-service.ts'
import { ApiConnection } from './http/api-kind.ts'
import { McpConnection } from './mcp/definition.ts'
import { listOrigins } from './oauth/account-store.ts'
import { findService, knownService } from './oauth/find-service.ts'
import { serviceOfAuth } from './oauth/service-of-auth.ts'
import { type OwnToolDeps, openSecrets } from './secrets-of.ts'
import type { SetKind } from './store.ts'

type SetRow = { id: string; kind: SetKind; connection: Record<string, unknown> }
/** The sign-in service of a set, and the origins its tools call with the account. */
export type Signing = { service: Service | null; origins: string[] }

const MAX_ORIGINS = 20

/**
 * Returns how people sign in for a set. With `callback`, the service of an MCP server is discovered and Atrium registered
 * there.
 * @throws AppError `conflict` if no sign-in is needed, and as `findService` does
 */
export async function signingOf(deps: OwnToolDeps, set: SetRow, callback?: string): Promise<Signing> {
  if (set.kind === 'mcp') {
    const { address, oauth } = McpConnection.parse(set.connection)
    if (!oauth || address.kind !== 'http') throw nobodyHas()
    const { url } = address
    const service = callback
      ? await findService(deps, set.id, { url, callback })
      : await knownService(deps, set.id)
    return { service, origins: [new URL(url).origin] }
  }
  const { auth } = ApiConnection.parse(set.connection)
  if (auth.kind !== 'oauth2_user') throw nobodyHas()
  const [secrets, origins] = await Promise.all([
    openSecrets(deps, set.id),
    listOrigins(deps.db, set.id, MAX_ORIGINS),
  ])
  return { service: serviceOfAuth(auth, secrets), origins }
}

const nobodyHas = () => new AppError('conflict', 'These tools need no account.')
