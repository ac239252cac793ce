import { request } from 'undici'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { keyHeaders } from '../../models/addresses/key-headers.ts'
import type { ListedModel } from '../../models/listing/listed-model.ts'
import { readCapabilities } from '../../models/listing/read-capabilities.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'

const PATIENCE_MS = 2_000
const MAX_BYTES = 2 * 1024 * 1024
/** Models of one Ollama server that are asked about. */
const MAX_ASKED = 60
const MAX_CONCURRENT = 4

type Known = Pick<ListedModel, 'context_tokens' | 'lacks'>
type Answer = Record<string, unknown>

/**
 * Completes listed models with what local servers report at other addresses: Ollama's `/api/show`, llama.cpp's `/props`, LM Studio's
 * `/api/v0/models`. Returns the list unchanged if it is complete or the server has none of these addresses.
 */
export async function askServer(
  endpoint: Endpoint,
  listed: ListedModel[],
  owners: Set<string>,
): Promise<ListedModel[]> {
  if (listed.every(({ context_tokens }) => context_tokens !== null)) return listed
  const origin = (endpoint.base_url.split('?')[0] ?? '').replace(/\/(?:api\/)?v\d+$/, '')
  const isOllama = owners.has('library') || owners.has('ollama')
  if (isOllama) return askOllama(origin, endpoint, listed)
  const [props, lmstudio, tags] = await Promise.all([
    ask(`${origin}/props`, endpoint),
    ask(`${origin}/api/v0/models`, endpoint),
    ask(`${origin}/api/tags`, endpoint),
  ])
  if (Array.isArray(tags?.models)) return askOllama(origin, endpoint, listed)
  if (props?.default_generation_settings) return listed.map((model) => complete(model, readProps(props)))
  const models = Array.isArray(lmstudio?.data) ? (lmstudio.data as Answer[]) : []
  return listed.map((model) => complete(model, readLmStudio(models.find(({ id }) => id === model.id))))
}

async function askOllama(origin: string, endpoint: Endpoint, listed: ListedModel[]): Promise<ListedModel[]> {
  const waiting = listed.slice(0, MAX_ASKED).entries()
  const known: (Known | null)[] = []
  const work = async () => {
    for (const [at, { id }] of waiting)
      known[at] = readShown(await ask(`${origin}/api/show`, endpoint, { model: id }))
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  return listed.map((model, at) => complete(model, known[at] ?? null))
}

/** Ollama loads at most this many tokens of a longer window unless `num_ctx` is set. */
const MAX_OLLAMA_WINDOW = 32_768

/** The window a model was made to be loaded with, else the one it was trained with as far as Ollama loads it. */
function readShown(shown: Answer | null): Known | null {
  if (!shown) return null
  const lines = String(shown.parameters ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const loaded = lines.find(([name]) => name === 'num_ctx')?.[1]
  const facts = Object.entries((shown.model_info as Answer | undefined) ?? {})
  const trained = facts.find(([name]) => name.endsWith('.context_length'))?.[1]
  const window = typeof trained === 'number' ? Math.min(trained, MAX_OLLAMA_WINDOW) : null
  return { context_tokens: loaded ? Number(loaded) : window, lacks: readCapabilities(shown) }
}

function readProps(props: Answer): Known {
  const settings = props.default_generation_settings as { n_ctx?: unknown } | undefined
  const modalities = props.modalities as { vision?: unknown } | undefined
  const lacks = modalities?.vision === false ? [{ name: 'no_images' as const }] : []
  return { context_tokens: typeof settings?.n_ctx === 'number' ? settings.n_ctx : null, lacks }
}

function readLmStudio(model: Answer | undefined): Known | null {
  if (!model) return null
  const window = [model.loaded_context_length, model.max_context_length].find(
    (value) => typeof value === 'number',
  )
  const lacks = model.type === 'llm' ? [{ name: 'no_images' as const }] : []
  return { context_tokens: typeof window === 'number' ? window : null, lacks }
}

function complete(model: ListedModel, known: Known | null): ListedModel {
  if (!known) return model
  return {
    ...model,
    context_tokens: model.context_tokens ?? known.context_tokens,
    lacks: [...model.lacks, ...known.lacks],
  }
}

/** One JSON answer; null for whatever goes wrong: these addresses are asked on a chance. */
async function ask(url: string, endpoint: Endpoint, body?: object): Promise<Answer | null> {
  try {
    const answer = await request(url, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...keyHeaders(endpoint) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode !== 200 || bytes.length > MAX_BYTES) return null
    const value = await readJson(bytes)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    // The server does not know the address, or answers with something else.
    return null
  }
}
