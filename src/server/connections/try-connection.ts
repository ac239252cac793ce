import type { ConnectionKind, ConnectionTest } from '#shared/connections/connections.ts'
import { connectionBaseUrl, listProviderModels, ModelError } from '../models/models.ts'

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
    const listed = await listProviderModels(kind, { provider: kind, base_url: url, api_key })
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
