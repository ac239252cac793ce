import type { AuditChange } from '#shared/audit/audit.ts'
import {
  createConnection,
  deleteConnection,
  listAvailableModels,
  listConnections,
  type ModelConnection,
  testConnection,
  testNewConnection,
  updateConnection,
} from '#shared/connections/connections.ts'
import { listLocalServers } from '#shared/connections/local-servers.ts'
import { AppError } from '#shared/errors.ts'
import { actorOf, changesBetween, writeAudit } from '../audit/audit.ts'
import { type Server, serve } from '../http/serve.ts'
import type { ConnectionState } from '../models/models.ts'
import type { Platform } from '../platform.ts'
import { findLocalServers } from './local-servers.ts'
import { insertConnection, removeConnection, saveOverrides, writeConnection } from './store.ts'
import { tryConnection } from './try-connection.ts'

/** The models people may choose, and the page on which a super admin connects providers. */
export function serveConnections(server: Server, deps: Platform): void {
  const { models } = deps

  serve(server, listAvailableModels, { handle: () => models.list() })

  serve(server, listConnections, { handle: async () => (await models.connections()).map(present) })

  serve(server, listLocalServers, { handle: () => findLocalServers(deps) })

  serve(server, createConnection, {
    handle: async ({ user, body, request }) => {
      const id = await deps.db.transaction().execute(async (trx) => {
        const inserted = await insertConnection({ ...deps, db: trx }, body)
        const actor = actorOf(user, request)
        await writeAudit(trx, deps.clock.now(), {
          ...{ actor, did: 'connection.created', subject: body.name, subjectId: inserted },
        })
        return inserted
      })
      models.refresh()
      return present(await findConnection(deps, id))
    },
  })

  serve(server, updateConnection, {
    handle: async ({ user, params: { connectionId }, body: { models: overrides, ...changes }, request }) => {
      const state = await findConnection(deps, connectionId)
      await deps.db.transaction().execute(async (trx) => {
        const within = { ...deps, db: trx }
        if (Object.keys(changes).length > 0) await writeConnection(within, storedOnly(state), changes)
        if (overrides) await saveOverrides(within, state, overrides)
        const entry = { actor: actorOf(user, request), subject: state.name, subjectId: connectionId }
        const changed = describeChanges(state, changes, overrides)
        await writeAudit(trx, deps.clock.now(), { ...entry, did: 'connection.changed', changes: changed })
      })
      models.refresh()
      return present(await findConnection(deps, connectionId))
    },
  })

  serve(server, deleteConnection, {
    handle: async ({ user, params: { connectionId }, request }) => {
      const { id, name } = storedOnly(await findConnection(deps, connectionId))
      await deps.db.transaction().execute(async (trx) => {
        await removeConnection({ db: trx }, id)
        const entry = { actor: actorOf(user, request), subject: name, subjectId: id }
        await writeAudit(trx, deps.clock.now(), { ...entry, did: 'connection.removed' })
      })
      models.refresh()
      return { message: 'The connection was removed.' }
    },
  })

  serve(server, testConnection, {
    handle: async ({ params: { connectionId } }) => {
      const state = await findConnection(deps, connectionId)
      models.refresh()
      return tryConnection(state.kind, state)
    },
  })

  serve(server, testNewConnection, {
    handle: ({ body }) =>
      tryConnection(body.kind, { base_url: body.base_url ?? null, api_key: body.api_key ?? null }),
  })
}

async function findConnection({ models }: Pick<Platform, 'models'>, id: string): Promise<ConnectionState> {
  const state = (await models.connections()).find((connection) => connection.id === id)
  if (!state) throw new AppError('not_found', 'Connection not found')
  return state
}

function storedOnly(state: ConnectionState): ConnectionState {
  if (state.source === 'database') return state
  throw new AppError('conflict', 'This connection is set in the environment and can only be changed there.')
}

/** What an update changes, in the words of the log: that there is another key, never which. */
function describeChanges(
  state: ConnectionState,
  { api_key, ...changes }: Record<string, unknown>,
  overrides: Record<string, object> | undefined,
): AuditChange[] {
  const { name, kind, base_url, enabled } = state
  const before = { name, kind, base_url, enabled: String(enabled) }
  const given = Object.fromEntries(
    Object.entries(changes).map(([what, value]) => [what, value === null ? null : String(value)]),
  )
  return [
    ...changesBetween(before, given),
    ...(api_key === undefined
      ? []
      : [{ what: 'key', before: null, after: api_key ? 'replaced' : 'removed' }]),
    ...Object.keys(overrides ?? {}).map((model) => ({ what: model, before: null, after: 'changed' })),
  ]
}

/** Never the key itself: whether there is one, and its last four characters. */
function present({
  api_key,
  updated_at,
  base_url,
  problem: _,
  rerankers: __,
  ...state
}: ConnectionState): ModelConnection {
  const has_key = api_key !== null
  const key_hint = api_key && api_key.length >= 12 ? api_key.slice(-4) : null
  return {
    ...state,
    base_url: base_url || null,
    has_key,
    key_hint,
    updated_at: updated_at?.toISOString() ?? null,
  }
}
