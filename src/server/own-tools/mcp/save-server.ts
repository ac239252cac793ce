import { AppError } from '#shared/errors.ts'
import type { McpServerChanges, NewMcpServer, ServerAddress } from '#shared/own-tools/mcp-servers.ts'
import type { Caller } from '../../http/serve.ts'
import { assertShares, keepSealed } from '../save-tool.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { insertSet, keepSecrets, listShares, writeSet, writeShares } from '../store.ts'
import { findSet } from './mcp-store.ts'
import { assertMayRun, describeServer } from './server-of.ts'
import { storeListing } from './store-listing.ts'

/**
 * Connects a server: it is asked what it offers before anything is stored. @throws AppError `forbidden` for a command by somebody
 * who is no super admin, `unavailable` with why it did not answer, `conflict` beyond the most tools one person may have
 */
export async function createServer(deps: OwnToolDeps, user: Caller, wish: NewMcpServer): Promise<string> {
  const { name, address, secrets = {} } = wish
  assertAddress(user, address)
  assertNames(secrets)
  const companies = assertShares(user, wish.companies ?? [], [])
  const listing = await listOnce(deps, name, address, secrets)
  return deps.db.transaction().execute(async (trx) => {
    const id = await insertSet(trx, { user_id: user.id, kind: 'mcp', name, connection: { address } })
    await keepSealed(trx, deps, id, secrets)
    await writeShares(trx, id, companies)
    await storeListing(trx, deps, { id, user_id: user.id }, listing)
    return id
  })
}

/** Changes a server; reached in another way, it is asked anew before anything is stored. @throws as `createServer` */
export async function changeServer(
  deps: OwnToolDeps,
  user: Caller,
  setId: string,
  changes: McpServerChanges,
): Promise<void> {
  const set = await findSet(deps.db, setId)
  if (!set) throw new AppError('conflict', 'This is no MCP server, or it is gone.')
  const { name = set.name, address = set.connection.address } = changes
  assertAddress(user, address)
  const shared = await listShares(deps.db, setId)
  const companies = changes.companies && assertShares(user, changes.companies, shared)
  const isReachedAnew = changes.address !== undefined || changes.secrets !== undefined
  // Secrets go to the address they were given for, and to no other.
  const isElsewhere =
    changes.address !== undefined && originOf(changes.address) !== originOf(set.connection.address)
  const secrets = changes.secrets ?? (isElsewhere ? {} : await openSecrets(deps, setId))
  assertNames(secrets)
  const listing = isReachedAnew ? await listOnce(deps, name, address, secrets) : null
  await deps.db.transaction().execute(async (trx) => {
    await writeSet(trx, setId, { name, connection: { address } }, deps.clock.now())
    if (isReachedAnew) {
      await keepSecrets(trx, setId, Object.keys(secrets))
      await keepSealed(trx, deps, setId, secrets)
    }
    if (companies) await writeShares(trx, setId, companies)
    if (listing) await storeListing(trx, deps, set, listing)
  })
}

/** Asks over a connection of its own, which is not kept. */
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

/** @throws AppError `invalid` for what is no name of a header or a variable */
function assertNames(secrets: Record<string, string>): void {
  const wrong = Object.keys(secrets).find((name) => !/^[A-Za-z_][\w-]{0,99}$/.test(name))
  if (wrong !== undefined)
    throw new AppError('invalid', `“${wrong.slice(0, 50)}” is no name of a header or a variable.`)
}

function assertAddress(user: Caller, address: ServerAddress): void {
  if (address.kind === 'stdio') assertMayRun(user)
  else if (!/^https?:\/\//i.test(address.url) || !URL.canParse(address.url))
    throw new AppError('invalid', 'The address of an MCP server begins with http:// or https://.')
}

function originOf(address: ServerAddress): string {
  return address.kind === 'http' ? new URL(address.url).origin : JSON.stringify(address)
}
