import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import {
  DEFAULT_LIMIT_SECONDS,
  type McpServerChanges,
  type NewMcpServer,
  type ServerAddress,
} from '#shared/tools/own-tools/mcp-servers.ts'
import { type Audit, changed } from '../../../identity/audit/audit.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import { removeAccounts, removeClient } from '../oauth/account-store.ts'
import { enterClient } from '../oauth/find-service.ts'
import { assertShares, keepSealed, secretsReplaced } from '../save-tool.ts'
import { type OwnToolDeps, openSecrets } from '../secrets-of.ts'
import { insertSet, keepSecrets, listShares, withdrawLeave, writeSet, writeShares } from '../store.ts'
import { assertMayConnect } from './may-connect.ts'
import { addNews, findSet, listToolsOf } from './mcp-store.ts'
import { reachServer } from './reach-server.ts'
import { storeListing } from './store-listing.ts'

type Trx = Kysely<Tables>

/**
 * Connects a server and lists its offer before anything is stored. @throws AppError `forbidden` for a command of someone
 * who is not a super admin, `unavailable` with the reason for a missing answer, `conflict` beyond the maximum tools per
 * person
 */
export async function createServer(
  deps: OwnToolDeps,
  user: Caller,
  wish: NewMcpServer,
  audit: Audit,
): Promise<string> {
  const { name, address, secrets = {}, limit_seconds = DEFAULT_LIMIT_SECONDS } = wish
  assertMayConnect(deps, user, address)
  assertNames(secrets)
  const companies = assertShares(user, wish.companies ?? [], [])
  const { listing, oauth } = await reachServer(deps, name, address, secrets)
  return deps.db.transaction().execute(async (trx) => {
    const connection = { address, oauth, limit_seconds }
    const id = await insertSet(trx, { user_id: user.id, kind: 'mcp', name, connection })
    await keepSealed(trx, deps, id, secrets)
    await writeShares(trx, { setId: id, sharedBy: user.id }, companies)
    if (wish.client) await enterClient(deps, trx, id, wish.client)
    if (listing) await storeListing(trx, deps, { id, user_id: user.id }, listing)
    const changes = changed('address', null, placeOf(address))
    await audit(trx, { did: 'mcp_server.created', subject: name, subjectId: id, changes })
    return id
  })
}

/** Changes a server. If its connection changes, it is listed again before anything is stored. @throws as `createServer` */
export async function changeServer(
  deps: OwnToolDeps,
  user: Caller,
  setId: string,
  changes: McpServerChanges,
  audit: Audit,
): Promise<void> {
  const set = await findSet(deps.db, setId)
  if (!set) throw new AppError('conflict', 'This MCP server does not exist.')
  const { name = set.name, address = set.connection.address } = changes
  const { limit_seconds = set.connection.limit_seconds } = changes
  assertMayConnect(deps, user, address)
  const shared = await listShares(deps.db, setId)
  const companies = changes.companies && assertShares(user, changes.companies, shared)
  const isReachedAnew = changes.address !== undefined || changes.secrets !== undefined
  // Secrets are sent only to the address they were entered for.
  const isElsewhere =
    changes.address !== undefined && originOf(changes.address) !== originOf(set.connection.address)
  const isMoved = !isDeepStrictEqual(address, set.connection.address)
  const secrets = changes.secrets ?? (isElsewhere ? {} : await openSecrets(deps, setId))
  assertNames(secrets)
  const reached = isReachedAnew ? await reachServer(deps, name, address, secrets) : null
  const oauth = reached ? reached.oauth : set.connection.oauth === true
  await deps.db.transaction().execute(async (trx) => {
    await writeSet(trx, setId, { name, connection: { address, oauth, limit_seconds } }, deps.clock.now())
    if (isReachedAnew) {
      await keepSecrets(trx, setId, Object.keys(secrets))
      await keepSealed(trx, deps, setId, secrets)
    }
    if (companies) await writeShares(trx, { setId, sharedBy: user.id }, companies)
    if (isElsewhere || changes.client) await removeAccounts(trx, setId)
    if (isElsewhere) await removeClient(trx, setId)
    if (changes.client) await enterClient(deps, trx, setId, changes.client)
    if (isMoved) await forgetLeave(trx, setId)
    if (reached?.listing) await storeListing(trx, deps, set, reached.listing)
    const facts = [
      ...changed('name', set.name, name),
      ...changed('address', placeOf(set.connection.address), placeOf(address)),
      ...changed('time limit', String(set.connection.limit_seconds), String(limit_seconds)),
      ...secretsReplaced(changes.secrets),
      ...(companies ? changed('shared with', String(shared.length), String(companies.length)) : []),
    ]
    await audit(trx, { did: 'mcp_server.changed', subject: set.name, subjectId: setId, changes: facts })
  })
}

/** Permissions of tools do not carry over to another address, whatever the tools' names. */
async function forgetLeave(trx: Trx, setId: string): Promise<void> {
  const ids = (await listToolsOf(trx, setId)).map(({ id }) => id)
  await withdrawLeave(trx, ids)
  await addNews(trx, setId, ids, 'moved')
}

/** Returns a server's address without parts of its path that may be secret. */
const placeOf = (address: ServerAddress) =>
  address.kind === 'http' ? new URL(address.url).origin : address.command

/** @throws AppError `invalid` for an invalid name of a header or a variable */
function assertNames(secrets: Record<string, string>): void {
  const wrong = Object.keys(secrets).find((name) => !/^[A-Za-z_][\w-]{0,99}$/.test(name))
  if (wrong !== undefined)
    throw new AppError('invalid', `“${wrong.slice(0, 50)}” is not a valid name of a header or a variable.`)
}

function originOf(address: ServerAddress): string {
  return address.kind === 'http' ? new URL(address.url).origin : JSON.stringify(address)
}
