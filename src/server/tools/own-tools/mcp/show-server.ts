import { AppError } from '#shared/platform/errors.ts'
import type { McpServer, McpServerSummary } from '#shared/tools/own-tools/mcp-servers.ts'
import type { ToolPolicy } from '#shared/tools/tools/policy.ts'
import type { Caller } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { resolvePolicies } from '../../tool-policies/tool-policies.ts'
import { enteredClient } from '../oauth/find-service.ts'
import { findSecrets, listShares } from '../store.ts'
import { findListing, findSet, findSharer, type ListedSet, listToolsOf } from './mcp-store.ts'

/** Returns a server for its users. Its address is visible only to its owner. @throws AppError `conflict` */
export async function showServer(
  { db, secrets: seal }: Pick<Platform, 'db' | 'secrets'>,
  user: Caller,
  setId: string,
): Promise<McpServer> {
  const [set, listing] = await Promise.all([findSet(db, setId), findListing(db, setId)])
  if (!set) throw new AppError('conflict', 'This MCP server does not exist.')
  const [tools, secrets, companies, resolve, shared_by] = await Promise.all([
    listToolsOf(db, setId),
    findSecrets(db, setId),
    listShares(db, setId),
    resolvePolicies({ db }, user.id),
    findSharer(db, user, setId),
  ])
  const own = set.user_id === user.id
  const runs = ({ id, version, policy, is_on }: (typeof tools)[number]): ToolPolicy =>
    !is_on ? 'never' : resolve({ id, version, policy: policy ?? 'ask' }).policy
  return {
    ...{ id: setId, name: set.name, kind: set.connection.address.kind, own, shared_by },
    ...{ error: listing?.error ?? null, listed_at: (listing?.listed_at ?? set.created_at).toISOString() },
    server: listing?.server ?? unknownServer,
    is_known: listing !== undefined,
    oauth: set.connection.oauth === true,
    client_id: own ? await enteredClient({ db, secrets: seal }, setId) : null,
    address: own ? set.connection.address : null,
    limit_seconds: set.connection.limit_seconds,
    secrets: own
      ? secrets.map(({ name, updated_at }) => ({ name, updated_at: updated_at.toISOString() }))
      : [],
    companies: own ? companies : [],
    tools: tools.map((tool) => ({
      ...{ id: tool.id, key: tool.key, name: tool.name, description: tool.description },
      ...{ reads: tool.definition.claim === 'reads', claim: tool.definition.claim },
      ...{ version: tool.version, is_there: tool.is_there },
      ...{ is_on: tool.is_on, policy: tool.policy, runs: runs(tool) },
      news: listing?.news[tool.id] ?? null,
    })),
    prompts: (listing?.prompts ?? []).map((one) => ({ ...one, is_there: one.is_there ?? true })),
    resources: (listing?.resources ?? []).map((one) => ({ ...one, is_there: one.is_there ?? true })),
    left: listing?.left_out ?? 0,
  }
}

export function summarise(user: Caller, set: ListedSet): McpServerSummary {
  const { id, name, user_id, connection, error, listed_at, created_at, tools, shared_by } = set
  return {
    ...{ id, name, kind: connection.address.kind, own: user_id === user.id, error, tools },
    shared_by,
    listed_at: (listed_at ?? created_at).toISOString(),
    is_known: listed_at !== null,
  }
}

const unknownServer = { name: '', version: '', protocol: '', offers: [], instructions: '' }
