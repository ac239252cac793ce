import { HttpCall } from '#shared/own-tools/http-call.ts'
import type { OwnTool } from '#shared/own-tools/own-tools.ts'
import type { Tool } from '#shared/tools/tools.ts'
import type { Platform } from '../platform.ts'
import { ApiConnection } from './http/api-kind.ts'
import { countOfSet, findSecrets, listShares, type StoredTool } from './store.ts'

/** A tool as its owner works on it; of secrets only that they are there. */
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
  return {
    tool,
    set: { id, kind, ...set },
    call: kind === 'api' ? HttpCall.parse(definition) : null,
    auth: kind === 'api' ? ApiConnection.parse(connection).auth : null,
    policy,
    secrets: secrets.map(({ name, updated_at }) => ({ name, updated_at: updated_at.toISOString() })),
    companies,
  }
}
