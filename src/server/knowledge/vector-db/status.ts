import type { Reconciliation, VectorDbStatus } from '#shared/knowledge/vector-db/vector-db.ts'
import type { Platform } from '../../platform/platform.ts'
import { MissingTable, vectorLocation } from '../../platform/vectors/vectors.ts'
import { type Collection, listCollections } from '../collections/collections.ts'

type Deps = Pick<Platform, 'db' | 'vectors' | 'config' | 'log'>

/** The state of the vector store; a store that does not answer is a valid state too. */
export async function readStatus(deps: Deps): Promise<VectorDbStatus> {
  const empty = { engine: 'LanceDB', location: locationOf(deps), objects: 0, size_bytes: 0, fragments: 0 }
  try {
    const collections = await readCollections(deps)
    const sum = (of: 'objects' | 'size_bytes' | 'fragments') =>
      collections.reduce((total, one) => total + one[of], 0)
    const totals = { objects: sum('objects'), size_bytes: sum('size_bytes'), fragments: sum('fragments') }
    return { ...empty, status: 'connected', ...totals, collections }
  } catch (error) {
    deps.log.warn({ err: error }, 'the vector store does not answer')
    return { ...empty, status: 'unavailable', collections: [] }
  }
}

async function readCollections({ db, vectors }: Deps): Promise<VectorDbStatus['collections']> {
  // Called even without collections, to check whether the store answers.
  await vectors.names()
  const read: VectorDbStatus['collections'] = []
  for (const { name, table_name, ...collection } of await listCollections(db)) {
    const reconciliation = reconciliationOf(collection)
    try {
      read.push({ name, ...(await vectors.describe(table_name)), reconciliation })
    } catch (error) {
      if (!(error instanceof MissingTable)) throw error
      read.push({ name, objects: 0, size_bytes: 0, fragments: 0, indexes: [], reconciliation })
    }
  }
  return read
}

function reconciliationOf({
  reconciled_at,
  mended,
}: Pick<Collection, 'reconciled_at' | 'mended'>): Reconciliation | null {
  return reconciled_at && { checked_at: reconciled_at.toISOString(), mended }
}

/** Its location, without a path of the machine. */
function locationOf({ config }: Deps): string {
  const { location } = vectorLocation(config)
  if (location.startsWith('s3://')) return location
  return config.ATRIUM_VECTORS_URL ? 'folder' : 'data_folder'
}
