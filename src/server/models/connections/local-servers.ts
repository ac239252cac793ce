import * as z from 'zod'
import type { LocalServer } from '#shared/models/connections/local-servers.ts'
import type { ModelDeps } from '../model-deps.ts'
import { type ConnectionState, providerForms } from '../models/models.ts'

/** Default ports of model servers. */
const usual: Record<number, string> = { 11434: 'Ollama', 1234: 'LM Studio', 8080: 'llama.cpp', 8000: 'vLLM' }
/** Server names by `owned_by` in their list of models. They take precedence over the port. */
const owners: Record<string, string> = {
  library: 'Ollama',
  organization_owner: 'LM Studio',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
}

/** The kind of self-hosted servers. */
const ownServers = providerForms().find(({ name }) => name === '')?.kind ?? ''

/** A local server answers within this time or does not exist. */
const SECONDS = 0.4
const MAX_BYTES = 1024 * 1024

const ModelList = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string(), owned_by: z.string().optional() })).nullable(),
})

/** Returns the model servers that answer on the configured loopback ports and are not connected yet. Stores nothing. */
export async function findLocalServers({
  config,
  outbound,
  models,
}: Pick<ModelDeps, 'config' | 'outbound' | 'models'>): Promise<LocalServer[]> {
  const connected = new Set((await models.connections()).map(loopbackPort))
  const ports = config.ATRIUM_LOCAL_MODEL_PORTS.filter((port) => !connected.has(port))
  const found = await Promise.all(ports.map((port) => askPort(outbound, port)))
  return found.filter((server) => server !== null)
}

async function askPort(outbound: ModelDeps['outbound'], port: number): Promise<LocalServer | null> {
  const base_url = `http://127.0.0.1:${port}/v1`
  const terms = { seconds: SECONDS, maxBytes: MAX_BYTES, trusted: [base_url], maxRedirects: 0 }
  try {
    const answer = await outbound.fetch(`${base_url}/models`, terms)
    const list = answer.ok ? ModelList.safeParse(await answer.json()) : null
    if (!list?.success) return null
    const listed = list.data.data ?? []
    const owner = listed[0]?.owned_by ?? ''
    const name = owners[owner] ?? usual[port] ?? 'Local server'
    return { name, kind: ownServers, base_url, models: listed.length }
  } catch {
    // No server listens, or it is not a model server.
    return null
  }
}

/** Returns the loopback port of a connection, or null when it leads to another address. */
function loopbackPort({ base_url }: ConnectionState): number | null {
  if (!URL.canParse(base_url)) return null
  const { hostname, port, protocol } = new URL(base_url)
  if (!/^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname)) return null
  return Number(port || (protocol === 'https:' ? 443 : 80))
}
