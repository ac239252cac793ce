import type { Connection, VectorQuery } from '@lancedb/lancedb'
import { engine } from '../../src/server/platform/vectors/engine.ts'
import { keywordQuery } from '../../src/server/platform/vectors/keyword-query.ts'

const CACHE = 2n ** 31n
const DEPTH = 100

/** Opens the engine alone, to time the same two searches without access checks. */
export async function openBare(location: string, name: string) {
  const { connect, Session } = engine().lance
  const db: Connection = await connect(location, {}, new Session(CACHE, CACHE / 8n))
  const table = await db.openTable(name)
  const near = (vector: Float32Array, user: string, limit: number) =>
    (table.query().nearestTo(vector) as VectorQuery)
      .column('v_default')
      .distanceType('cosine')
      .where(`user_id = '${user}'`)
      .select(['id', '_distance'])
      .limit(limit)
  const words = async (text: string, user: string) => {
    const query = keywordQuery({ any: text, phrases: [], without: [] }, ['en', 'fr', 'xx'])
    if (!query) return []
    return table
      .query()
      .fullTextSearch(query)
      .where(`user_id = '${user}'`)
      .select(['id', '_score'])
      .limit(DEPTH)
      .toArray()
  }
  return {
    hybrid: (vector: Float32Array, text: string, user: string) =>
      Promise.all([
        near(vector, user, DEPTH)
          .ef(4 * DEPTH)
          .refineFactor(4)
          .toArray(),
        words(text, user),
      ]),
    exact: async (vector: Float32Array, user: string, limit: number): Promise<string[]> => {
      const rows: { id: string }[] = await near(vector, user, limit).bypassVectorIndex().toArray()
      return rows.map(({ id }) => id)
    },
    close: () => db.close(),
  }
}
