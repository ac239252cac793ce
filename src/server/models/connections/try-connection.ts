import type { ConnectionTest } from '#shared/models/connections/connections.ts'
import { readTrouble, sayTrouble } from '#shared/models/connections/provider-trouble.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  answersChats,
  authorize,
  type ConnectionState,
  FIRST_KEY,
  findOffer,
  findProvider,
  ModelError,
  namedModels,
  type Place,
  REFUSED_SECONDS,
  reach,
  restKey,
  wakeKeys,
} from '../models/models.ts'

/** Models tried at a server without a list, each with one request. */
const MAX_TRIED = 10

/**
 * Asks a provider for its models. A failure of the provider is returned, not thrown. Models named by hand are tried with a short
 * chat when the server lists none.
 */
export async function tryConnection(place: Place, api_key: string | null): Promise<ConnectionTest> {
  const record = findProvider(place.kind)
  if (!record) return failed('There are no providers of this kind.')
  const reached = reach(place)
  if (!reached.base_url) return failed('The address of the server is missing.')
  const endpoint = { ...reached, provider: place.kind, api_key }
  const started = performance.now()
  try {
    const { models: all, isListed } = await findOffer(endpoint)
    const models = all.filter(({ does }) => does !== 'embed')
    const latency_ms = Math.round(performance.now() - started)
    if (!isListed && record.listing.probe !== null) await tryNamed(endpoint)
    const count = models.length
    if (count === 0) return { ...failed(sayTrouble('no_list')), lists_models: false }
    const detail = isListed
      ? `The server offers ${count} ${count === 1 ? 'model' : 'models'}.`
      : 'The server answers but lists no models: these were named by hand.'
    return { ok: true, detail, latency_ms, models: models.map(({ id }) => id), lists_models: isListed }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ...failed(error.message), lists_models: error.kind !== 'no_list' }
  }
}

const failed = (detail: string): ConnectionTest => ({
  ...{ ok: false, detail, latency_ms: null, models: [], lists_models: true },
})

async function tryNamed(endpoint: Parameters<typeof findOffer>[0]): Promise<void> {
  const named = namedModels(endpoint).filter(({ does }) => does === 'chat')
  const authorized = await authorize(endpoint)
  await Promise.all(named.slice(0, MAX_TRIED).map(({ id }) => answersChats(authorized, id)))
}

/**
 * Tries every key of a connection: working keys are used again immediately, refused ones are set aside. Returns the test of the
 * first key that works, otherwise that of the first key.
 */
export async function tryKeys({ db }: Pick<Platform, 'db'>, state: ConnectionState): Promise<ConnectionTest> {
  const { id, keys } = state
  const tried = keys.length > 0 ? keys : [{ id: FIRST_KEY, api_key: null }]
  const tests = await Promise.all(
    tried.map(async (key) => {
      const test = await tryConnection(state, key.api_key)
      const isRefused = readTrouble(test.detail)?.kind === 'unauthorized'
      if (test.ok) await wakeKeys(db, id, key.id)
      else if (isRefused)
        await restKey(db, { connection_id: id, key_id: key.id, seconds: REFUSED_SECONDS, refused: true })
      return test
    }),
  )
  return tests.find(({ ok }) => ok) ?? (tests[0] as ConnectionTest)
}
