import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Notice, text, trimmed } from '../../platform/primitives.ts'
import { DistanceMetric, IndexType, NewCollection } from './collection-form.ts'

export * from './collection-form.ts'

/** A collection and its number of objects. */
export const CollectionInfo = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  object_count: z.int(),
  index_type: IndexType,
  vectors: z.array(
    z.object({
      name: z.string(),
      dimensions: z.int(),
      distance_metric: DistanceMetric,
      is_multi_vector: z.boolean(),
    }),
  ),
  /** True for the collection of document passages, which is filled by reading and cannot be deleted. */
  is_library: z.boolean(),
  /** True when the vector store lost its content. */
  is_missing: z.boolean(),
})
export type CollectionInfo = z.infer<typeof CollectionInfo>

export const listCollections = route({
  method: 'GET',
  path: '/vector_db/collections',
  access: 'super_admin',
  summary: 'Every collection of the vector store, by name',
  pages: 1_000,
  answer: z.object({ collections: z.array(CollectionInfo) }),
})

const Numbers = z.array(z.number())
/** The first vector, or all of them by name; a multi vector has several per name. */
export const ObjectVectors = z.union([Numbers, z.record(z.string(), z.union([Numbers, z.array(Numbers)]))])
export type ObjectVectors = z.infer<typeof ObjectVectors>

export const VectorObject = z.object({
  uuid: z.string(),
  properties: z.object({
    text: z.string(),
    /** Same text under a second name. */
    content: z.string(),
    title: z.nullable(z.string()),
    metadata: z.record(z.string(), z.unknown()),
    document_id: z.nullable(z.string()),
    file_name: z.nullable(z.string()),
    file_type: z.nullable(z.string()),
    chunk_type: z.nullable(z.string()),
    page_number: z.nullable(z.int()),
    position: z.nullable(z.int()),
    language: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    company_id: z.nullable(z.string()),
    shared_access: z.array(z.string()),
  }),
  /** Null when vectors were not requested or the object has none. */
  vectors: z.nullable(ObjectVectors),
})
export type VectorObject = z.infer<typeof VectorObject>

export const OBJECTS_PER_PAGE = 10
export const MAX_OBJECTS_PER_PAGE = 100

const collection_name = trimmed(1, 100)
const flag = z._default(z.boolean(), false)

export const listObjects = route({
  method: 'POST',
  path: '/vector_db/objects',
  access: 'super_admin',
  fails: ['not_found'],
  summary: 'Objects of a collection in the order of their ids, those after a cursor',
  body: z.object({
    collection_name,
    limit: z._default(z.int().check(z.gte(1), z.lte(MAX_OBJECTS_PER_PAGE)), OBJECTS_PER_PAGE),
    after: z.nullish(text(1, 200)),
    include_vector: flag,
    include_all_vectors: flag,
  }),
  answer: z.object({ objects: z.array(VectorObject), next_cursor: z.nullable(z.string()) }),
})

export const getObject = route({
  method: 'POST',
  path: '/vector_db/objects/by-id',
  access: 'user',
  fails: ['not_found'],
  summary: 'One object; of the library for who may see its document, of others for super admins',
  body: z.object({ collection_name, object_id: text(1, 200), include_vector: flag }),
  answer: z.object({ object: VectorObject }),
})

const Done = z.extend(Notice, { status: z.literal('success') })

export const deleteChunk = route({
  method: 'DELETE',
  path: '/vector_db/chunks',
  access: 'super_admin',
  fails: ['not_found'],
  summary: 'Delete one object; of the library also the passage of the document it stands for',
  body: z.object({ collection_name, chunk_id: text(1, 200) }),
  answer: Done,
})

export const deleteObjects = route({
  method: 'DELETE',
  path: '/vector_db/documents',
  access: 'super_admin',
  fails: ['not_found'],
  summary:
    'Delete the objects of a document or one object (`object_id` is the id of either), or every object (`all_objects`)',
  body: z.object({ collection_name, object_id: z.nullish(text(1, 200)), all_objects: flag }),
  answer: z.extend(Done, {
    object_id: z.nullable(z.string()),
    details: z.object({ successful: z.int() }),
  }),
})

export const deleteCollection = route({
  method: 'DELETE',
  path: '/vector_db/collections/:collection',
  access: 'super_admin',
  may: null,
  summary: 'Delete a collection with its objects; needs `confirm=true`',
  params: z.object({ collection: collection_name }),
  query: z.object({ confirm: z.optional(text(0, 10)) }),
  answer: Notice,
})

export const createCollection = route({
  method: 'POST',
  path: '/vector_db/collections',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Create a collection',
  body: NewCollection,
  status: 201,
  answer: z.extend(Notice, { details: z.extend(CollectionInfo, { id: Id }) }),
})

const Tally = z.object({ documents: z.int(), passages: z.int() })

/** Result of the hourly comparison of store and database, which repairs differences. */
export const Reconciliation = z.object({
  checked_at: z.string(),
  /** The last repair; null for never. */
  mended: z.nullable(
    z.object({
      at: z.string(),
      /** Objects removed because their document is gone. */
      removed: Tally,
      /** Objects restored because they were missing or outdated. */
      restored: Tally,
    }),
  ),
})
export type Reconciliation = z.infer<typeof Reconciliation>

export const CollectionStatus = z.object({
  name: z.string(),
  objects: z.int(),
  size_bytes: z.number(),
  fragments: z.int(),
  indexes: z.array(z.object({ columns: z.array(z.string()), type: z.string(), unindexed: z.int() })),
  /** State of the library, after its first check. */
  reconciliation: z.nullable(Reconciliation),
})

export const VectorDbStatus = z.object({
  status: z.enum(['connected', 'unavailable']),
  engine: z.string(),
  /** `data_folder`, `folder`, or the bucket name; never a local path. */
  location: z.string(),
  objects: z.int(),
  size_bytes: z.number(),
  fragments: z.int(),
  collections: z.array(CollectionStatus),
})
export type VectorDbStatus = z.infer<typeof VectorDbStatus>

export const getVectorDbStatus = route({
  method: 'GET',
  path: '/vector_db/status',
  access: 'super_admin',
  summary: 'How the vector store is: what it holds, how large it is, its indexes',
  answer: VectorDbStatus,
})
