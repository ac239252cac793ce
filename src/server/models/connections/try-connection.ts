import type { ConnectionKind, ConnectionTest } from '#shared/models/connections/connections.ts'
import { readTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  type ConnectionState,
  connectionBaseUrl,
  FIRST_KEY,
  listProviderModels,
  ModelError,
  REFUSED_SECONDS,
  restKey,
  wakeKeys,
} from '../models/models.ts'

/** Asks a provider what it offers and says how that went; a failure is an answer, not an error. */
export async function tryConnection(
  kind: ConnectionKind,
  { base_url, api_key }: { base_url: string | null; api_key: string | null },
): Promise<ConnectionTest> {
  const url = connectionBaseUrl(kind, base_url)
  if (!url)
    return { ok: false, detail: 'The address of the server is missing.', latency_ms: null, models: [] }
  const started = performance.now()
  try {
    const all = await listProviderModels(kind, { provider: kind, base_url: url, api_key })
    const listed = all.filter(({ does }) => does !== 'embed')
    const latency_ms = Math.round(performance.now() - started)
    const count = listed.length
    const detail =
      count === 0
        ? 'The server answers but offers no model.'
        : `The server offers ${count} ${count === 1 ? 'model' : 'models'}.`
    return { ok: count > 0, detail, latency_ms, models: listed.map((model) => model.id) }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ok: false, detail: error.message, latency_ms: null, models: [] }
  }
}

/**
 * Tries every key of a connection. One that is taken works again at once, one that is not is set aside; the answer is that of the first key that
 * works, and of the first one when none does.
 */
export async function tryKeys({ db }: Pick<Platform, 'db'>, state: ConnectionState): Promise<ConnectionTest> {
  const { id, kind, base_url, keys } = state
  const tried = keys.length > 0 ? keys : [{ id: FIRST_KEY, api_key: null }]
  const tests = await Promise.all(
    tried.map(async (key) => {
      const test = await tryConnection(kind, { base_url, api_key: key.api_key })
      const isRefused = readTrouble(test.detail)?.kind === 'unauthorized'
      if (test.ok) await wakeKeys(db, id, key.id)
      else if (isRefused)
        await restKey(db, { connection_id: id, key_id: key.id, seconds: REFUSED_SECONDS, refused: true })
      return test
    }),
  )
  return tests.find(({ ok }) => ok) ?? (tests[0] as ConnectionTest)
}
