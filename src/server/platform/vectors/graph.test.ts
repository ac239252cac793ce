import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { madeText, madeVectors } from '#tests/made-library.ts'
import { aRow } from '#tests/vector-row.ts'
import { openVectors, type TableSpec, type Target, type VectorTable } from './vectors.ts'

const ROWS = 20_000
const target: Target = { name: 'default', dimensions: 16, metric: 'cosine', isMulti: false }
const spec: TableSpec = { targets: [target], index: 'hnsw' }
const everything = { and: [] }

const folder = mkdtempSync(join(tmpdir(), 'atrium-graph-'))
const vectors = openVectors({ location: folder })
const vectorAt = madeVectors(target.dimensions)
let table: VectorTable
beforeAll(async () => {
  await vectors.create('c', spec)
  table = vectors.table('c', spec)
  for (let from = 0; from < ROWS; from += 1_000)
    await table.put(
      Array.from({ length: 1_000 }, (_, at) =>
        aRow({
          ...{ user_id: (from + at) % 2 ? 'odd' : 'even', text: madeText(from + at, 5) },
          vectors: { default: vectorAt(from + at) },
        }),
      ),
    )
  await vectors.tend('c', spec, { isQuiet: true })
}, 120_000)
afterAll(() => {
  vectors.close()
  rmSync(folder, { recursive: true, force: true })
})

it('builds a graph once there are many rows', async () => {
  const { indexes } = await vectors.describe('c')
  expect(indexes.find(({ columns }) => columns.includes('v_default'))?.unindexed).toBe(0)
})

it.each([
  ['ten of all rows', everything, 10],
  ['a hundred of all rows', everything, 100],
  ['a thousand of all rows', everything, 1_000],
  ['a hundred of half of them', { column: 'user_id', equals: 'odd' } as const, 100],
])('finds nearly the same rows with the graph as with a full scan: %s', async (_, filter, limit) => {
  let [same, all] = [0, 0]
  for (let n = 0; n < 10; n += 1) {
    const wanted = [vectorAt(1_000_000 + n)]
    const exact = await table.near(target, wanted, { filter, limit, exact: true })
    const found = new Set(
      (await table.near(target, wanted, { filter, limit, exact: false })).map(({ id }) => id),
    )
    expect(found.size).toBe(limit)
    same += exact.filter(({ id }) => found.has(id)).length
    all += limit
  }
  expect(same / all).toBeGreaterThanOrEqual(0.98)
})
