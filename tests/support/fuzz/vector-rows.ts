import { join } from 'node:path'
import { findCollection } from '../../../src/server/knowledge/collections/collections.ts'
import { openVectors } from '../../../src/server/platform/vectors/vectors.ts'
import type { TestUser } from '../builders.ts'
import { aRow } from '../vector-row.ts'
import type { FuzzedProduct } from './fuzzed-product.ts'

/** Ids of objects in the collection `Suppliers`; `Spare` is empty. */
export const objectIds = ['object-a', 'object-b', 'object-c', 'object-d']

/** Creates collections of a super admin, one of them with objects. */
export async function addCollections(
  { db, product }: FuzzedProduct,
  url: string,
  root: TestUser,
): Promise<void> {
  for (const name of ['Suppliers', 'Spare']) {
    const configuration = { vectorizer_configs: [{ name: 'text', dimensions: 3 }] }
    const answer = await fetch(`${url}/vector_db/collections`, {
      method: 'POST',
      headers: { ...root.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name, configuration }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const found = await findCollection(db, 'Suppliers')
  if (!found) throw new Error('there is no collection')
  const vectors = openVectors({ location: join(product.dataDir, 'vectors') })
  await vectors.table(found.table_name, found.spec).put(objectIds.map((id) => aRow({ id })))
  vectors.close()
}
