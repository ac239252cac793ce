import { createHash } from 'node:crypto'
import { AppError } from '#shared/platform/errors.ts'
import type { ServerAddress } from '#shared/tools/own-tools/mcp-servers.ts'
import { readUser } from '../../../identity/accounts/accounts.ts'
import type { McpServer } from '../../../platform/mcp/mcp.ts'
import { knownService } from '../oauth/find-service.ts'
import { type Account, openAccount } from '../oauth/open-account.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { assertMayRun } from './may-connect.ts'
import { findSet, type ServerSet } from './mcp-store.ts'

/**
 * Returns the connection settings of a set's server for a person, by default its owner. Secrets are decrypted here and
 * passed to no one else.
 * @throws AppError `conflict` if the person has not connected their account, and `forbidden` for a command of someone who
 * is no longer a super admin
 */
export async function serverOf(deps: OwnToolDeps, setId: string, personId?: string): Promise<McpServer> {
  const set = await findSet(deps.db, setId)
  if (!set) throw new AppError('conflict', 'This MCP server does not exist.')
  const { address } = set.connection
  if (address.kind === 'stdio') assertMayRun({ kind: 'user', ...(await readUser(deps, set.user_id)) })
  const account = await accountAt(deps, set, personId ?? set.user_id)
  return describeServer(setId, set.name, address, await openSecrets(deps, setId), account)
}

async function accountAt(
  deps: OwnToolDeps,
  { id: setId, connection: { address, oauth } }: ServerSet,
  userId: string,
): Promise<Account | null> {
  if (!oauth || address.kind !== 'http') return null
  return openAccount(deps, {
    ...{ setId, userId, service: await knownService(deps, setId), origin: new URL(address.url).origin },
    page: `${deps.publicUrl()}/tools/servers/${setId}`,
  })
}

/**
 * Returns a server's connection settings. The id depends on the address and the account, so that connections with other
 * settings or of other people are never reused.
 */
export function describeServer(
  setId: string,
  name: string,
  address: ServerAddress,
  secrets: Record<string, string>,
  account: Account | null = null,
): McpServer {
  const mark = createHash('sha256')
    .update(JSON.stringify([address, secrets, account?.id ?? null]))
    .digest('base64url')
    .slice(0, 16)
  const reached =
    address.kind === 'http' ? { ...address, headers: secrets, account } : { ...address, env: secrets }
  return { id: `${setId}:${mark}`, name, address: reached }
}

/** Returns the set of a server. */
export const setOf = (serverId: string): string => serverId.slice(0, serverId.indexOf(':'))
