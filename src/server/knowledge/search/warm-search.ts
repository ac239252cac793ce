import type { ModelDeps } from '../../models/model-deps.ts'
import { MissingTable } from '../../platform/vectors/vectors.ts'
import { findLibrary } from '../collections/collections.ts'

/** Opens the library, reads its indexes and loads the price of its model before the first search. Does nothing when there is no library. */
export async function warmSearch({
  db,
  vectors,
  models,
}: Pick<ModelDeps, 'db' | 'vectors' | 'models'>): Promise<void> {
  const library = await findLibrary({ db })
  const target = library?.spec.targets[0]
  if (!library || !target) return
  const table = vectors.table(library.table_name, library.spec)
  const options = { filter: { and: [] }, limit: 1 }
  const direction = Float32Array.from({ length: target.dimensions }, () => 1)
  await Promise.all([
    table.near(target, [direction], options),
    table.keyword({ any: 'warm', phrases: [], without: [] }, options),
    models.embeddingPrice(library.model ?? '', 1),
  ]).catch((error) => {
    // The table is being rebuilt.
    if (!(error instanceof MissingTable)) throw error
  })
}
