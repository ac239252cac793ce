import { createHash } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { ServerAddress } from '#shared/own-tools/mcp-servers.ts'
import { reaches } from '../../access/access.ts'
import { readUser } from '../../accounts/accounts.ts'
import type { McpServer } from '../../mcp/mcp.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { findSet } from './mcp-store.ts'

/**
 * How the server of a set is connected to. Its secrets are opened here, and go nowhere else.
 * @throws AppError `conflict`, and `forbidden` for a command of somebody who is no super admin any more
 */
export async function serverOf(deps: OwnToolDeps, setId: string): Promise<McpServer> {
  const set = await findSet(deps.db, setId)
  if (!set) throw new AppError('conflict', 'This is no MCP server, or it is gone.')
  const { address } = set.connection
  if (address.kind === 'stdio') assertMayRun({ kind: 'user', ...(await readUser(deps, set.user_id)) })
  return describeServer(setId, set.name, address, await openSecrets(deps, setId))
}

/** A server as it is connected to; its id changes with how it is reached, so that no earlier connection is used. */
export function describeServer(
  setId: string,
  name: string,
  address: ServerAddress,
  secrets: Record<string, string>,
): McpServer {
  const mark = createHash('sha256')
    .update(JSON.stringify([address, secrets]))
    .digest('base64url')
    .slice(0, 16)
  const reached = address.kind === 'http' ? { ...address, headers: secrets } : { ...address, env: secrets }
  return { id: `${setId}:${mark}`, name, address: reached }
}

/** The set a server belongs to. */
export const setOf = (serverId: string): string => serverId.slice(0, serverId.indexOf(':'))

/** @throws AppError `forbidden` */
export function assertMayRun(person: Parameters<typeof reaches>[0]): void {
  if (!reaches(person, 'super_admin'))
    throw new AppError('forbidden', 'Only super admins may connect a command of this machine.')
}
