import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readLibraryModel } from '../../knowledge/embedding-model/embedding-model.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { vectorLocation } from '../../platform/vectors/vectors.ts'
import { type Found, found, reasonOf } from './found.ts'

type Deps = Pick<ModelDeps, 'config' | 'db' | 'models' | 'vectors'>

/** Timeout of the first use, in which gte-small is built and which takes longer. */
const FIRST_USE_MS = 4_000
const [BUILT_IN, LEXICAL] = ['atrium/gte-small', 'atrium/lexical']

/** Checks document search: the vector store and its embedding model. */
export async function checkSearch(deps: Deps): Promise<Found> {
  const { model, building, passages } = await readLibraryModel(deps)
  const [trouble, away, isLexical] = await Promise.all([
    whyUnkept(deps),
    whyAway(deps, model),
    isByWords(deps, model),
  ])
  if (trouble !== null) return found('search_store_away', { error: trouble })
  if (away !== null) return found('search_model_away', { model, error: away })
  if (building?.standstill)
    return found('search_building', { model: building.model, error: building.standstill })
  return isLexical ? found('search_lexical') : found('search_answers', { model, passages })
}

/** Returns why the vector store is unusable. The engine treats an invalid folder as empty. */
async function whyUnkept({ config, vectors }: Deps): Promise<string | null> {
  const { location, storage } = vectorLocation(config)
  try {
    if (!storage) {
      await mkdir(location, { recursive: true })
      await access(location, constants.W_OK)
    }
    await vectors.names()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** Returns why the model is unreachable. Built-in and installed models have no connection. */
async function whyAway({ models }: Deps, model: string): Promise<string | null> {
  const [connections, offered] = await Promise.all([models.connections(), models.embeddings()])
  const connection = connections.find(({ provider }) => model.startsWith(`${provider}/`))
  if (connection) return connection.status === 'ok' ? null : (connection.status_detail ?? '')
  return offered.some(({ id }) => id === model) ? null : ''
}

/** Returns whether word vectors replace gte-small because its packages are missing. */
async function isByWords({ models }: Deps, model: string): Promise<boolean> {
  if (model !== BUILT_IN) return model === LEXICAL
  const asked = models.builtInEmbedding().then(({ id }) => id !== model)
  return Promise.race([asked, sleep(FIRST_USE_MS, false, { ref: false })])
}
