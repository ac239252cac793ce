import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Filter } from '../../platform/vectors/vectors.ts'
import { type Collection, listTables, noteWrite } from '../collections/collections.ts'
import { deletePassages } from './store.ts'

/** Rows that are read and removed in one batch. */
const BATCH_ROWS = 1_000

/**
 * Removes the objects that match a filter; those of the library first from the database, which decides the contents of the
 * store. Returns their number. An interruption leaves objects in both or, for the last batch, in the store alone, where the
 * reconciler removes them.
 */
export async function removeObjects(
  { db, vectors }: Pick<Platform, 'db' | 'vectors'>,
  collection: Collection,
  audit: Audit,
  filter?: Filter,
): Promise<number> {
  const tableOf = ({ table_name, spec }: Collection) => vectors.table(table_name, spec)
  const table = tableOf(collection)
  const all = await listTables(db, collection.name)
  const others = all.filter(({ id }) => id !== collection.id).map(tableOf)
  let removed = 0
  for (;;) {
    const rows = await table.read({ ...(filter && { filter }), limit: BATCH_ROWS })
    if (rows.length === 0) break
    const ids = rows.map(({ id }) => id)
    await db.transaction().execute(async (trx) => {
      if (collection.name === LIBRARY_COLLECTION) await deletePassages(trx, ids)
      const changes = changed('passages', String(ids.length), null)
      await audit(trx, { did: 'passages.removed', subject: collection.name, changes })
    })
    for (const other of others) await other.remove({ column: 'id', in: ids })
    removed += await table.remove({ column: 'id', in: ids })
  }
  if (removed > 0) await noteWrite(db, collection.id)
  return removed
}
