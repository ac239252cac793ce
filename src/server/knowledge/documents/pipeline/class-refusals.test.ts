import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { classesOf, openAll, restrict } from '#tests/classified.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'
import { embedAllowed } from './embed-allowed.ts'

const SECRET = 'The harbour master earns 91 417 euros.'

let app: TestApp
let ada: Reader
let server: EmbeddingServer
let company: string
let classes: string[]
const embedded: string[] = []
beforeAll(async () => {
  server = await startEmbeddingServer((text) => {
    embedded.push(text)
    return [1, text.length % 7, 3]
  })
  app = await startApp({
    config: { ATRIUM_COMPATIBLE_URL: server.url, ATRIUM_EMBEDDING_MODEL: 'compatible/one' },
  })
  const base = `${await app.listen()}/api/v1`
  company = await aCompany(app, 'Orsane')
  ada = await aReader(app, base, await aUser(app, { role: 'member', companyId: company, balance: 10 }))
  classes = await classesOf(app, company)
}, 60_000)
afterAll(async () => {
  await app.close()
  server.close()
})

const search = async (query: string) =>
  (await ada.call('POST', '/search_and_rerank/search_and_rerank', { query })).body
const read = async (name: string, content: string) => {
  const { body } = await ada.upload({ name, content })
  await ada.processed(body.id)
  return body.id as string
}

it('keeps documents from an embedding provider that may not receive their class, finds them by words, and embeds them once it may [GV-01]', async () => {
  // The first document makes the library.
  await read('menu.txt', 'On Tuesday the canteen serves soup.')
  await sql`update data_classes set is_default = id = ${classes[3]} where company_id = ${company} and is_default`.execute(
    app.deps.db,
  )
  await sql`update data_classes set is_default = true where id = ${classes[3]}`.execute(app.deps.db)
  await restrict(app, company, 'compatible', classes.slice(0, 2))
  const id = await read('salaries.txt', SECRET)
  expect((await ada.call('GET', `/documents/${id}`)).body.status).toBe('completed')
  expect(embedded.join()).not.toContain('91 417')
  expect((await ada.call('GET', `/documents/${id}/class`)).body).toMatchObject({
    effective: { id: classes[3] },
    words_only: 'compatible/one',
  })
  expect(JSON.stringify(await search('harbour master'))).toContain('91 417')
  // Nothing changed, so nothing is sent.
  await embedAllowed(app.deps)
  expect(embedded.join()).not.toContain('91 417')
  await openAll(app, company)
  await embedAllowed(app.deps)
  await ada.processed(id)
  await expect.poll(() => embedded.join(), { timeout: 10_000 }).toContain('91 417')
  expect((await ada.call('GET', `/documents/${id}/class`)).body.words_only).toBeNull()
})

it('embeds an allowed document although others before it are still refused', async () => {
  await restrict(app, company, 'compatible', classes.slice(0, 2))
  for (const at of [1, 2, 3]) await read(`sealed-${at}.txt`, `The sealed contract number ${at}.`)
  const last = await read('opened.txt', 'The quarry opens at nine.')
  await sql`update documents set class_id = ${classes[0]} where id = ${last}`.execute(app.deps.db)
  for (let run = 0; run < 4; run += 1) await embedAllowed(app.deps, 1)
  await expect.poll(() => embedded.join(), { timeout: 10_000 }).toContain('quarry')
  expect(embedded.join()).not.toContain('sealed contract')
})
