import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { makeTrigramIndexes } from './trigram-indexes.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ jobs: false })
})
afterAll(() => app.close())

const make = () => makeTrigramIndexes(app.deps.db, new AbortController().signal)
const definitions = async () => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indexrelid in (to_regclass('messages_short'), to_regclass('documents_name')) and indisvalid
    order by 1`.execute(app.deps.db)
  return rows
}

it('creates the same indexes in a database that gained trigrams later', async () => {
  const { db } = app.deps
  const before = await definitions()
  expect(before.map(({ name }) => name)).toEqual(['documents_name', 'messages_short'])
  await sql`drop extension pg_trgm cascade`.execute(db)
  await make()
  expect(await definitions()).toEqual([])
  await sql`create extension pg_trgm`.execute(db)
  await Promise.all([make(), make()])
  expect(await definitions()).toEqual(before)
})

it('recreates an invalid index', async () => {
  const { db } = app.deps
  await sql`update pg_index set indisvalid = false where indexrelid = 'documents_name'::regclass`.execute(db)
  expect(await definitions()).toHaveLength(1)
  await make()
  expect(await definitions()).toHaveLength(2)
})
