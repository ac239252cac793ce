import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let app: TestApp
let ada: Reader
beforeAll(async () => {
  app = await startApp({
    config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_L1_PASSAGES: '1' },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
  for (const name of ['one.txt', 'two.txt'])
    await ada.processed((await ada.upload({ name, content: `The text of ${name} is short.` })).body.id)
})
afterAll(() => app.close())

const ask = (more: object = {}) =>
  ada.call('POST', '/search_and_rerank/search_and_rerank', {
    query: 'short text',
    hybrid_search: false,
    ...more,
  })

/** Changes the recorded target of the library's vectors. */
const pretend = (change: object) =>
  sql`update collections set spec = jsonb_set(spec::jsonb, '{targets,0}',
    (spec::jsonb #> '{targets,0}') || ${JSON.stringify(change)}::jsonb)`.execute(app.deps.db)

it('refuses more passages than a metric can compare, with one sentence', async () => {
  await pretend({ metric: 'l1' })
  expect(await ask()).toMatchObject({
    status: 422,
    body: { code: 'invalid', detail: 'The metric l1 compares at most 1 passages: narrow the search.' },
  })
  const filters = [{ property: 'file_name', operator: 'equal', value: 'one.txt' }]
  const { status, body } = await ask({ filters })
  expect([status, body.objects?.length]).toEqual([200, 1])
  await pretend({ metric: 'cosine' })
})

it('refuses a question vector of other dimensions than the passages, with one sentence', async () => {
  await pretend({ dimensions: 5 })
  expect(await ask()).toMatchObject({
    status: 422,
    body: { code: 'invalid', detail: 'The vector default has 5 numbers, not 384.' },
  })
  expect((await ask({ use_bm25: true })).status).toBe(200)
  await pretend({ dimensions: 384 })
  expect((await ask()).status).toBe(200)
})
