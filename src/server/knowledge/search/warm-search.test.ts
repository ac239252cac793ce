import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { makeLibrary } from '#tests/made-library.ts'
import type { Vectors } from '../../platform/vectors/vectors.ts'
import { findLibrary } from '../collections/collections.ts'
import { warmSearch } from './warm-search.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
})
afterAll(() => app.close())

/** Wraps the vector store and records the searches it receives. */
function watched(asked: string[]): Vectors {
  return {
    ...app.deps.vectors,
    table: (name, spec) => {
      const table = app.deps.vectors.table(name, spec)
      const near: typeof table.near = async (...given) => {
        const found = await table.near(...given)
        asked.push(`near ${found.length}`)
        return found
      }
      const keyword: typeof table.keyword = async (...given) => {
        const found = await table.keyword(...given)
        asked.push('keyword')
        return found
      }
      return { ...table, near, keyword }
    },
  }
}

it('opens an existing library with both searches and loads its model’s price, and ignores a missing table', async () => {
  const { db } = app.deps
  const asked: string[] = []
  const models = {
    ...app.deps.models,
    embeddingPrice: async (model: string) => asked.push(`price of ${model}`),
  }
  const warm = () => warmSearch({ db, vectors: watched(asked), models })
  await warm()
  expect(asked).toEqual([])
  const { id } = await aUser(app)
  await makeLibrary(app.deps, { people: [id], documents: 1, passages: 20 })
  await warm()
  expect(asked.sort()).toEqual(['keyword', 'near 1', 'price of atrium/lexical'])
  await app.deps.vectors.drop((await findLibrary({ db }))?.table_name ?? '')
  asked.length = 0
  await warm()
  expect(asked).toEqual(['price of atrium/lexical'])
}, 60_000)
