import * as contract from '#shared/knowledge/embedding-model/embedding-model.ts'
import { LIBRARY_COLLECTION as LIBRARY } from '#shared/knowledge/search/search.ts'
import { auditBy } from '../../identity/audit/audit.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { keptUntil, registerBuild } from './build.ts'
import { cancelChange, changeModel } from './change.ts'
import { countLacking, countPassages, listRows } from './store.ts'

export { letGoOfModel } from './change.ts'

/** Approximate characters per token in English and French. */
const CHARACTERS_A_TOKEN = 4

/** Serves the routes by which super admins read and change the embedding model of the library. */
export function serveEmbeddingModel(server: Server, deps: ModelDeps): void {
  registerBuild(deps)
  serve(server, contract.getEmbeddingModel, { handle: () => readState(deps) })
  serve(server, contract.getEmbeddingCost, {
    handle: async ({ query: { model } }) => {
      const { passages, characters } = await countLacking(deps.searchDb, model)
      const tokens = Math.ceil(characters / CHARACTERS_A_TOKEN)
      return { passages, tokens, price: await deps.models.embeddingPrice(model, tokens) }
    },
  })
  serve(server, contract.changeEmbeddingModel, {
    handle: async ({ body: { model }, user, request }) => {
      await changeModel(deps, model, auditBy(deps, { user, request }))
      return { message: `The library is changing to ${model}` }
    },
  })
  serve(server, contract.cancelEmbeddingChange, {
    handle: async ({ user, request }) => {
      await cancelChange(deps, auditBy(deps, { user, request }))
      return { message: 'The change was cancelled' }
    },
  })
}

async function readState(deps: ModelDeps): Promise<contract.EmbeddingModelState> {
  const [rows, known, offered] = await Promise.all([
    listRows(deps.db, LIBRARY),
    readLibraryModel(deps),
    deps.models.embeddings(),
  ])
  const kept = rows.find(({ role }) => role === 'kept')
  return {
    ...known,
    kept: kept?.kept_since
      ? { model: kept.model, until: keptUntil(deps, kept.kept_since).toISOString() }
      : null,
    offered,
  }
}

/** Returns the model that searches use, the model that is being built, and the number of passages. */
export async function readLibraryModel({
  db,
  config,
}: Pick<ModelDeps, 'db' | 'config'>): Promise<
  Pick<contract.EmbeddingModelState, 'model' | 'passages' | 'building'>
> {
  const rows = await listRows(db, LIBRARY)
  const live = rows.find(({ role }) => role === 'live')
  const building = rows.find(({ role }) => role === 'building')
  const { total, done } = await countPassages(db, building?.model ?? '')
  return {
    model: live?.model ?? config.ATRIUM_EMBEDDING_MODEL,
    passages: total,
    building: building
      ? { model: building.model, done: Math.min(done, total), total, standstill: building.standstill }
      : null,
  }
}
