import * as contract from '#shared/embedding-model/embedding-model.ts'
import { LIBRARY_COLLECTION as LIBRARY } from '#shared/search/search.ts'
import { type Server, serve } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { keptUntil, registerBuild } from './build.ts'
import { cancelChange, changeModel } from './change.ts'
import { countLacking, countPassages, listRows } from './store.ts'

/** Characters of a token, about, in English and French. */
const CHARACTERS_A_TOKEN = 4

/** How super admins have the library go over to another embedding model. */
export function serveEmbeddingModel(server: Server, deps: Platform): void {
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
    handle: async ({ body: { model } }) => {
      await changeModel(deps, model)
      return { message: `The library goes over to ${model}` }
    },
  })
  serve(server, contract.cancelEmbeddingChange, {
    handle: async () => {
      await cancelChange(deps)
      return { message: 'The change was given up' }
    },
  })
}

async function readState(deps: Platform): Promise<contract.EmbeddingModelState> {
  const rows = await listRows(deps.db, LIBRARY)
  const [live, building, kept] = (['live', 'building', 'kept'] as const).map((role) =>
    rows.find((row) => row.role === role),
  )
  const { total, done } = await countPassages(deps.db, building?.model ?? '')
  return {
    model: live?.model ?? deps.config.ATRIUM_EMBEDDING_MODEL,
    passages: total,
    building: building
      ? { model: building.model, done: Math.min(done, total), total, standstill: building.standstill }
      : null,
    kept: kept?.kept_since
      ? { model: kept.model, until: keptUntil(deps, kept.kept_since).toISOString() }
      : null,
    offered: await deps.models.embeddings(),
  }
}
