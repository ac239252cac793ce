import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import type { CollectionInfo, VectorObject } from '#shared/knowledge/vector-db/vector-db.ts'
import type { Read, TableSpec } from '../../platform/vectors/vectors.ts'
import type { Collection } from '../collections/collections.ts'

/** `objects` is null if the store has lost the table. */
export function showCollection(
  { name, description, spec }: Collection,
  objects: number | null,
): CollectionInfo {
  return {
    ...{ name, description, object_count: objects ?? 0, index_type: spec.index },
    vectors: spec.targets.map(({ name, dimensions, metric, isMulti }) => ({
      ...{ name, dimensions, distance_metric: metric, is_multi_vector: isMulti },
    })),
    is_library: name === LIBRARY_COLLECTION,
    is_missing: objects === null,
  }
}

/** `which`: the vectors to include. */
export function showObject(row: Read, { targets }: TableSpec, which: 'none' | 'first' | 'all'): VectorObject {
  const { text, title, metadata, document_id, file_name, file_type, chunk_type } = row
  const { language, position, user_id, company_id, shared_access } = row
  return {
    uuid: row.id,
    properties: {
      ...{ text, content: text, title, metadata, document_id, file_name, file_type, chunk_type },
      ...{ page_number: row.page, position, language, user_id, company_id, shared_access },
    },
    vectors: vectorsOf(row, targets, which),
  }
}

function vectorsOf({ vectors }: Read, targets: TableSpec['targets'], which: 'none' | 'first' | 'all') {
  if (which === 'none' || Object.keys(vectors).length === 0) return null
  if (which === 'all') return vectors
  const [first] = targets
  const value = first && vectors[first.name]
  if (!first || !value) return null
  return first.isMulti ? { [first.name]: value } : (value as number[])
}
