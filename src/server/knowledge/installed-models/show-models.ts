import type { InstalledModel, ModelKind } from '#shared/knowledge/installed-models/installed-models.ts'
import { AppError } from '#shared/platform/errors.ts'
import { readFallbacks } from '../../models/connections/connections.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { listFolders } from '../../models/models/models.ts'
import { listLibrary } from '../collections/collections.ts'
import { placeOf } from './install.ts'
import { listRows, type ModelRow, type Named } from './store.ts'

type Deps = Pick<ModelDeps, 'db' | 'config' | 'models'>

/** Lists all model folders, also those added by hand, and installations that run or failed. */
export async function showModels(deps: Deps): Promise<InstalledModel[]> {
  const rows = await listRows(deps.db)
  const [problems, used, fallbacks] = await Promise.all([
    readProblems(deps),
    readUsed(deps),
    readFallbacks(deps.db),
  ])
  const show = (kind: ModelKind, name: string, row: ModelRow | undefined): InstalledModel => {
    const id = idOf(kind, name)
    return {
      ...{ kind, name, id, state: row?.state ?? 'ready', trial: row?.trial ?? null },
      ...{ bytes: row?.bytes ?? 0, of_bytes: row?.of_bytes ?? null },
      problem: row?.problem ?? problems.get(id) ?? null,
      is_used: used.has(id) && kind === 'embedding',
      fallback: fallbacks.get(id) ?? null,
    }
  }
  const all = await Promise.all(
    (['embedding', 'reranker', 'chat'] as const).map(async (kind) => {
      const own = rows.filter((row) => row.kind === kind)
      const there = await listFolders(placeOf(deps, kind))
      const coming = own.filter(({ name, state }) => state !== 'ready' && !there.includes(name))
      return [
        // A row of a failed installation does not describe an existing folder of the same name.
        ...there.map((name) =>
          show(
            kind,
            name,
            own.find((row) => row.name === name && row.state === 'ready'),
          ),
        ),
        ...coming.map((row) => show(kind, row.name, row)),
      ]
    }),
  )
  return all.flat()
}

/** Returns the id by which a model of a kind is selected. */
export function idOf(kind: ModelKind, name: string): string {
  if (kind === 'reranker') return name
  return kind === 'chat' ? `local/${name}` : `installed/${name}`
}

/** @throws AppError `not_found` */
export async function showModel(deps: Deps, { kind, name }: Named): Promise<InstalledModel> {
  const found = (await showModels(deps)).find((one) => one.kind === kind && one.name === name)
  if (!found) throw new AppError('not_found', 'There is no installed model of this name.')
  return found
}

async function readProblems({ models }: Deps): Promise<Map<string, string>> {
  const offered = await models.embeddings()
  return new Map(offered.flatMap(({ id, problem }) => (problem === null ? [] : [[id, problem]])))
}

/** Returns the embedding models in use: live or building, or the configured one before the first document. */
async function readUsed(deps: Deps): Promise<Set<string | null>> {
  const library = await listLibrary(deps)
  const models = library
    .filter(({ role }) => role === 'live' || role === 'building')
    .map(({ model }) => model)
  return new Set(library.length > 0 ? models : [deps.config.ATRIUM_EMBEDDING_MODEL])
}
