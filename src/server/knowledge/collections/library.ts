import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LIBRARY_COLLECTION as LIBRARY } from '#shared/knowledge/search/search.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'
import type { TableSpec } from '../../platform/vectors/vectors.ts'
import { type Collection, findCollection, insertCollection, listTables, type Role } from './store.ts'

const LIBRARY_VECTOR = 'default'

type Deps = Pick<Platform, 'db' | 'vectors' | 'config'>

/** The library's collection; null before the first document was read. */
export const findLibrary = ({ db }: Pick<Deps, 'db'>): Promise<Collection | null> =>
  findCollection(db, LIBRARY)

/** All tables the library has in the vector store, the one that is searched first. */
export const listLibrary = ({ db }: Pick<Deps, 'db'>): Promise<Collection[]> => listTables(db, LIBRARY)

/** The model that documents are embedded with: of what is searched, or what the library is to begin with. */
export async function readLibraryModel(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  return (await findLibrary(deps))?.model ?? deps.config.ATRIUM_EMBEDDING_MODEL
}

/** The library's collection, made for vectors of this length when it is not there. */
export async function ensureLibrary(deps: Deps, dimensions: number): Promise<Collection> {
  const found = await findLibrary(deps)
  if (found) return found
  const made = await addToLibrary(deps, 'live', deps.config.ATRIUM_EMBEDDING_MODEL, dimensions)
  // Else another process was quicker.
  const library = made ?? (await findLibrary(deps))
  if (!library) throw new Error('the collection of the library is gone')
  return library
}

/** An empty table for passages and vectors of a model; null when the library has one in this role. */
export async function addToLibrary(
  { db, vectors }: { db: Kysely<Tables>; vectors: Deps['vectors'] },
  role: Role,
  model: string,
  dimensions: number,
): Promise<Collection | null> {
  const spec: TableSpec = {
    targets: [{ name: LIBRARY_VECTOR, dimensions, metric: 'cosine', isMulti: false }],
    index: 'hnsw',
  }
  const table_name = `c_${randomUUID()}`
  await vectors.create(table_name, spec)
  const made = await insertCollection(db, { name: LIBRARY, description: null, table_name, model, spec, role })
  if (!made) await vectors.drop(table_name)
  return made
}
