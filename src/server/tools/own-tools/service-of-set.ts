import { AppError } from '#shared/platform/errors.ts'
import { ApiConnection } from './http/api-kind.ts'
import { McpConnection } from './mcp/definition.ts'
import { listOrigins } from './oauth/account-store.ts'
import { findService, knownService } from './oauth/find-service.ts'
import { type Service, serviceOfAuth } from './oauth/oauth-service.ts'
import { type OwnToolDeps, openSecrets } from './secrets-of.ts'
import type { SetKind } from './store.ts'

type SetRow = { id: string; kind: SetKind; connection: Record<string, unknown> }
/** Where people sign in for a set, and the origins its tools call with that. */
export type Signing = { service: Service | null; origins: string[] }

const MOST_ORIGINS = 20

/**
 * How people sign in for a set. With `callback` the service of an MCP server is looked for, and this product registered there.
 * @throws AppError `conflict` where nobody has to sign in, and as `findService` does
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
    listOrigins(deps.db, set.id, MOST_ORIGINS),
  ])
  return { service: serviceOfAuth(auth, secrets), origins }
}

const nobodyHas = () => new AppError('conflict', 'Nobody has to connect an account to use these tools.')
