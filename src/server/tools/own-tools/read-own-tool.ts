import { HttpCall, type KeptSecret } from '#shared/tools/own-tools/http-call.ts'
import type { ToolSet } from '#shared/tools/own-tools/openapi.ts'
import type { OwnTool } from '#shared/tools/own-tools/own-tools.ts'
import type { Tool } from '#shared/tools/tools/tools.ts'
import type { Platform } from '../../platform/platform.ts'
import { ApiConnection } from './http/api-kind.ts'
import { countOfSet, findSecrets, listOfSet, listShares, type StoredTool } from './store.ts'

/** Returns a tool for its owner to edit. It shows that secrets exist, but not their values. */
export async function readOwnTool(
  { db }: Pick<Platform, 'db'>,
  stored: StoredTool,
  tool: Tool,
): Promise<OwnTool> {
  const { set_id: id, kind, policy, definition, connection } = stored
  const [set, secrets, companies] = await Promise.all([
    countOfSet(db, id),
    findSecrets(db, id),
    listShares(db, id),
  ])
  const api = kind === 'api' ? ApiConnection.parse(connection) : null
  return {
    tool,
    set: { id, kind, ...set, imported: api?.source !== undefined },
    call: api && HttpCall.parse(definition),
    auth: api?.auth ?? null,
    policy,
    secrets: secrets.map(showSecret),
    companies,
  }
}

type SetRow = { id: string; name: string; kind: string; connection: unknown }

/** Returns a set of API calls for its owner to update. */
export async function readToolSet(
  { db }: Pick<Platform, 'db'>,
  { id, name, connection }: SetRow,
): Promise<ToolSet> {
  const { auth, source = null } = ApiConnection.parse(connection)
  const [secrets, tools] = await Promise.all([findSecrets(db, id), listOfSet(db, id)])
  return {
    ...{ id, name, auth, source, secrets: secrets.map(showSecret) },
    tools: tools.map(({ key, id: tool_id, policy }) => ({ key, tool_id, policy })),
  }
}

function showSecret({ name, updated_at }: { name: string; updated_at: Date }): KeptSecret {
  return { name, updated_at: updated_at.toISOString() }
}
