import { randomUUID } from 'node:crypto'
import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import * as contract from '#shared/knowledge/vector-db/vector-db.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, auditBy } from '../../identity/audit/audit.ts'
import { findAllowed, type Principal, reaches } from '../../platform/access/access.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { type Filter, MissingTable } from '../../platform/vectors/vectors.ts'
import type { RunDeps } from '../../runs/run-deps.ts'
import {
  COLLECTIONS_MAX,
  type Collection,
  deleteCollection,
  findCollection,
  insertCollection,
  listCollections,
} from '../collections/collections.ts'
import { assertFreeName, specOf } from './new-collection.ts'
import { removeObjects } from './remove-objects.ts'
import { showCollection, showObject } from './show-collection.ts'
import { readStatus } from './status.ts'

/** The routes with which super admins inspect and manage the vector store. */
export function serveVectorDb(server: Server, deps: RunDeps): void {
  const { db, vectors } = deps
  serve(server, contract.getVectorDbStatus, { handle: () => readStatus(deps) })
  serve(server, contract.listCollections, {
    handle: async () => {
      const collections: contract.CollectionInfo[] = []
      for (const one of await listCollections(db))
        collections.push(showCollection(one, await count(deps, one)))
      return { collections }
    },
  })
  serve(server, contract.createCollection, {
    handle: ({ body, user, request }) => create(deps, body, auditBy(deps, { user, request })),
  })
  serve(server, contract.deleteCollection, {
    handle: async ({ params: { collection: name }, query, user, request }) => {
      if (query.confirm !== 'true') throw new AppError('invalid', 'Deleting a collection needs confirm=true.')
      if (name === LIBRARY_COLLECTION)
        throw new AppError('invalid', `The collection ${name} holds the library and cannot be deleted.`)
      const { id, table_name } = await find(deps, name)
      await db.transaction().execute(async (trx) => {
        await deleteCollection(trx, id)
        await auditBy(deps, { user, request })(trx, { did: 'collection.removed', subject: name })
      })
      await vectors.drop(table_name)
      return { message: `Collection ${name} deleted` }
    },
  })
  serve(server, contract.listObjects, {
    handle: async ({ body, user, request }) => {
      const listed = await listObjects(deps, body)
      await auditBy(deps, { user, request })(db, { did: 'passages.read', subject: body.collection_name })
      return listed
    },
  })
  serve(server, contract.getObject, {
    handle: async ({ body, user, request }) => ({
      object: await readObject(deps, user, body, auditBy(deps, { user, request })),
    }),
  })
  serve(server, contract.deleteChunk, {
    handle: async ({ body: { collection_name, chunk_id }, user, request }) => {
      const collection = await find(deps, collection_name)
      const removed = await held(collection, () =>
        removeObjects(deps, collection, auditBy(deps, { user, request }), {
          ...{ column: 'id', equals: chunk_id },
        }),
      )
      if (removed === 0) throw new AppError('not_found', 'Chunk not found')
      return { ...done, message: 'Chunk deleted' }
    },
  })
  serve(server, contract.deleteObjects, {
    handle: async ({ body: { collection_name, object_id = null, all_objects }, user, request }) => {
      if (all_objects === (object_id !== null))
        throw new AppError('invalid', 'Say which objects: object_id, or all_objects.')
      const collection = await find(deps, collection_name)
      const successful = await held(collection, () =>
        removeObjects(
          deps,
          collection,
          auditBy(deps, { user, request }),
          object_id === null ? undefined : named(object_id),
        ),
      )
      if (object_id !== null && successful === 0) throw new AppError('not_found', 'Object not found')
      return {
        ...done,
        message: `Objects deleted: ${successful}`,
        object_id,
        details: { successful },
      }
    },
  })
}

const done = { status: 'success' } as const

/** The object with this id, and those of the document with this id. */
const named = (id: string): Filter => ({
  or: [
    { column: 'id', equals: id },
    { column: 'document_id', equals: id },
  ],
})

async function find({ db }: Pick<RunDeps, 'db'>, name: string): Promise<Collection> {
  const found = await findCollection(db, name)
  if (!found) throw new AppError('not_found', 'Collection not found')
  return found
}

/** Runs an operation on the table of a collection. @throws AppError `unavailable` if the store has lost it */
async function held<Result>({ name }: Collection, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof MissingTable)) throw error
    throw new AppError('unavailable', `The vector store has lost the collection ${name}.`)
  }
}

async function count({ vectors }: RunDeps, { table_name, spec }: Collection): Promise<number | null> {
  try {
    return await vectors.table(table_name, spec).count()
  } catch (error) {
    if (error instanceof MissingTable) return null
    throw error
  }
}

async function create({ db, vectors }: RunDeps, given: contract.NewCollection, audit: Audit) {
  assertFreeName(given)
  const spec = specOf(given.configuration)
  if (await findCollection(db, given.name)) throw taken(given.name)
  if ((await listCollections(db)).length >= COLLECTIONS_MAX)
    throw new AppError('conflict', `There are already ${COLLECTIONS_MAX} collections. Delete one first.`)
  const table_name = `c_${randomUUID()}`
  await vectors.create(table_name, spec)
  const { name, configuration } = given
  const description = given.description.trim() || null
  const model = configuration.embedding_model || null
  const wanted = { name, description, table_name, model, spec, configuration }
  const made = await db.transaction().execute(async (trx) => {
    const inserted = await insertCollection(trx, wanted)
    if (inserted) await audit(trx, { did: 'collection.created', subject: name, subjectId: inserted.id })
    return inserted
  })
  if (!made) {
    await vectors.drop(table_name)
    throw taken(name)
  }
  return { message: `Collection ${name} created`, details: { id: made.id, ...showCollection(made, 0) } }
}

const taken = (name: string) => new AppError('conflict', `There is already a collection ${name}.`)

type Page = { collection_name: string; limit: number; after?: string | null | undefined } & Record<
  'include_vector' | 'include_all_vectors',
  boolean
>

async function listObjects(deps: RunDeps, { collection_name, limit, after, ...wanted }: Page) {
  const collection = await find(deps, collection_name)
  const which = wanted.include_all_vectors ? 'all' : wanted.include_vector ? 'first' : 'none'
  const table = deps.vectors.table(collection.table_name, collection.spec)
  const wish = { ...(after && { after }), limit: limit + 1, withVectors: which !== 'none' }
  const rows = await held(collection, () => table.read(wish))
  const shown = rows.slice(0, limit)
  return {
    objects: shown.map((row) => showObject(row, collection.spec, which)),
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

type Wanted = { collection_name: string; object_id: string; include_vector: boolean }

/** A passage of the library is shown to people with access to its document, because citations link here. */
async function readObject(
  deps: RunDeps,
  principal: Principal,
  wanted: Wanted,
  audit: Audit,
): Promise<contract.VectorObject> {
  const isAdmin = reaches(principal, 'super_admin')
  if (!isAdmin && wanted.collection_name !== LIBRARY_COLLECTION)
    throw new AppError('forbidden', 'You do not have permission to do this.')
  const collection = await find(deps, wanted.collection_name)
  const table = deps.vectors.table(collection.table_name, collection.spec)
  const filter: Filter = { column: 'id', equals: wanted.object_id }
  const [row] = await held(collection, () =>
    table.read({ filter, limit: 1, withVectors: wanted.include_vector }),
  )
  if (!row) throw new AppError('not_found', 'Object not found')
  if (!isAdmin) await findAllowed(deps.db, principal, 'read document', row.document_id)
  else await audit(deps.db, { did: 'passages.read', subject: row.document_id, subjectId: row.id })
  return showObject(row, collection.spec, wanted.include_vector ? 'all' : 'none')
}
