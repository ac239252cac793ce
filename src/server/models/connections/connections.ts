import type { AuditChange } from '#shared/identity/audit/audit.ts'
import { forgetAdaptations, listAdaptations } from '#shared/models/connections/adaptations.ts'
import {
  createConnection,
  deleteConnection,
  listAvailableModels,
  listConnections,
  type ModelConnection,
  testConnection,
  testNewConnection,
  updateConnection,
} from '#shared/models/connections/connections.ts'
import { listLocalServers } from '#shared/models/connections/local-servers.ts'
import { listProviderForms } from '#shared/models/connections/provider-form.ts'
import { AppError } from '#shared/platform/errors.ts'
import { actorOf, changesBetween, writeAudit } from '../../identity/audit/audit.ts'
import { assertFree } from '../../platform/config/fixed-settings.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { listModelsFor } from '../model-choice/model-choice.ts'
import type { ModelDeps } from '../model-deps.ts'
import { type ConnectionState, providerForms, providerOf, takesOneAtATime } from '../models/models.ts'
import { assertFallbacks, fallbackIds } from './fallbacks.ts'
import { findLocalServers } from './local-servers.ts'
import { assertKeysStay, changeKeys, describeRules, hintOf, presentKey, saveLimits } from './rules.ts'
import { assertOptions, insertConnection, removeConnection, saveOverrides, writeConnection } from './store.ts'
import { tryConnection, tryKeys } from './try-connection.ts'

export { readFallbacks } from './connection-rules-store.ts'
export { changeFallback, fallbackIds } from './fallbacks.ts'

/** Serves the models that users may choose, and the connections that super admins manage. */
export function serveConnections(server: Server, deps: ModelDeps): void {
  const { models } = deps

  serve(server, listAvailableModels, { handle: ({ user }) => listModelsFor(deps, user.id) })

  serve(server, listConnections, { handle: async () => (await models.connections()).map(present) })

  serve(server, listAdaptations, {
    handle: async ({ params: { connectionId } }) =>
      models.adaptations((await findConnection(deps, connectionId)).provider),
  })

  serve(server, forgetAdaptations, {
    handle: async ({ params: { connectionId }, query: { model_id } }) => {
      await models.forgetAdaptations((await findConnection(deps, connectionId)).provider, model_id)
      return { message: 'What was learned is forgotten' }
    },
  })

  serve(server, listProviderForms, { handle: async () => providerForms() })

  serve(server, listLocalServers, { handle: () => findLocalServers(deps) })

  serve(server, createConnection, {
    handle: async ({ user, body, request }) => {
      // Read before the transaction, which would wait for a second connection to the database.
      const known = await models.connections()
      const id = await deps.db.transaction().execute(async (trx) => {
        const inserted = await insertConnection({ ...deps, db: trx }, body, known)
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
    handle: async ({ user, params: { connectionId }, body, request }) => {
      const {
        models: overrides,
        add_keys,
        remove_keys,
        requests_per_minute,
        tokens_per_minute,
        one_at_a_time,
        first_token_seconds,
        ...changes
      } = body
      // Read before the transaction, which would wait for a second connection to the database.
      const known = await models.connections()
      const ids = await fallbackIds(models)
      const state = pickConnection(known, connectionId)
      const keys = { add_keys, remove_keys }
      assertKeysStay(state, changes, remove_keys)
      const limits = { requests_per_minute, tokens_per_minute, one_at_a_time, first_token_seconds }
      await deps.db.transaction().execute(async (trx) => {
        const within = { ...deps, db: trx }
        if (Object.keys(changes).length > 0) await writeConnection(within, storedOnly(state), changes)
        if (add_keys || remove_keys) await changeKeys(within, storedOnly(state), keys)
        await saveLimits(trx, state, limits)
        if (overrides) {
          await assertFallbacks(trx, ids, overrides)
          await saveOverrides(within, state, overrides)
        }
        const entry = { actor: actorOf(user, request), subject: state.name, subjectId: connectionId }
        const changed = [...describeChanges(state, changes, overrides), ...describeRules(state, keys, limits)]
        await writeAudit(trx, deps.clock.now(), { ...entry, did: 'connection.changed', changes: changed })
      })
      models.refresh()
      return present(await findConnection(deps, connectionId))
    },
  })

  serve(server, deleteConnection, {
    handle: async ({ user, params: { connectionId }, request }) => {
      const state = storedOnly(await findConnection(deps, connectionId))
      const { id, name } = state
      await deps.db.transaction().execute(async (trx) => {
        await removeConnection({ db: trx }, state)
        const entry = { actor: actorOf(user, request), subject: name, subjectId: id }
        await writeAudit(trx, deps.clock.now(), { ...entry, did: 'connection.removed' })
      })
      models.refresh()
      return { message: 'The connection was removed.' }
    },
  })

  serve(server, testConnection, {
    handle: async ({ params: { connectionId }, body }) => {
      const state = await findConnection(deps, connectionId)
      models.refresh()
      return tryKeys(deps, { ...state, model_ids: body?.model_ids ?? state.model_ids })
    },
  })

  serve(server, testNewConnection, {
    handle: ({
      body: { kind, base_url = null, api_key = null, model_ids = [], api_version = null, ...more },
    }) => {
      const { entra = null, options = {} } = more
      assertOptions(kind, options)
      return tryConnection({ kind, base_url, model_ids, api_version, entra, options }, api_key)
    },
  })
}

async function findConnection({ models }: Pick<ModelDeps, 'models'>, id: string): Promise<ConnectionState> {
  return pickConnection(await models.connections(), id)
}

function pickConnection(known: readonly ConnectionState[], id: string): ConnectionState {
  const state = known.find((connection) => connection.id === id)
  if (!state) throw new AppError('not_found', 'Connection not found')
  return state
}

function storedOnly(state: ConnectionState): ConnectionState {
  assertFree(state.fixed_by)
  return state
}

/** Returns the audit entries of an update: that a key changed, never which. */
function describeChanges(
  state: ConnectionState,
  { api_key, ...changes }: Record<string, unknown>,
  overrides: Record<string, object> | undefined,
): AuditChange[] {
  const { name, kind, base_url, enabled, model_ids, api_version, entra, options } = state
  const before = { name, kind, base_url, enabled, model_ids, api_version, entra, options }
  const given = mapValues(changes, shown)
  return [
    ...changesBetween(mapValues(before, shown), given),
    ...(api_key === undefined
      ? []
      : [{ what: 'key', before: null, after: api_key ? 'replaced' : 'removed' }]),
    ...Object.keys(overrides ?? {}).map((model) => ({ what: model, before: null, after: 'changed' })),
  ]
}

const mapValues = (values: Record<string, unknown>, change: (value: unknown) => string | null) =>
  Object.fromEntries(Object.entries(values).map(([what, value]) => [what, change(value)]))

/** Returns a value as the audit log shows it: lists by their items, an application by its ids. */
function shown(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const parts = typeof value === 'object' ? Object.values(value).filter((part) => part !== null) : [value]
  return parts.join(', ') || null
}

/** Presents a connection without its keys: whether it has one, and the last four characters. */
function present({
  api_key,
  keys,
  limits,
  updated_at,
  base_url,
  problem: _,
  rerankers: __,
  ...state
}: ConnectionState): ModelConnection {
  const { show } = providerOf(state.kind).address
  return {
    ...state,
    ...limits,
    one_at_a_time: takesOneAtATime({ ...state, base_url, limits }),
    base_url: (base_url && show ? show(base_url) : base_url) || null,
    has_key: api_key !== null,
    key_hint: api_key && hintOf(api_key),
    keys: keys.map(presentKey),
    updated_at: updated_at?.toISOString() ?? null,
  }
}
