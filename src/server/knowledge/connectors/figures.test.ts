import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'

const allowed = mkdtempSync(join(tmpdir(), 'atrium-figures-'))
let provider: EmbeddingServer
let app: TestApp
let ada: Reader
let company: string
beforeAll(async () => {
  provider = await startEmbeddingServer(() => [1, 0])
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small', OPENAI_API_KEY: 'sk-test' },
      ...{ OPENAI_BASE_URL: provider.url, ATRIUM_CONNECTOR_FOLDERS: allowed, ATRIUM_MAX_UPLOAD_MB: '1' },
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  provider.close()
  rmSync(allowed, { recursive: true })
})

const read = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body
const write = (name: string, content: string) => writeFileSync(join(allowed, name), content)
const booked = async () => {
  const { rows } = await sql<{ amount: number }>`select coalesce(-sum(amount), 0)::float8 as amount
    from ledger_entries where kind = 'usage' and reason = 'documents'`.execute(app.deps.db)
  return rows[0]?.amount ?? 0
}

it('a connector states its syncs, items, errors, size and embedding cost, pauses, and is removed with or without documents [CN-14]', async () => {
  write('a.txt', 'The rent is due in March.')
  write('b.txt', 'The pumps of lot 3.')
  write('too-large.txt', 'x'.repeat(1_100_000))
  const folder = { source: 'folder', settings: { path: allowed } }
  const { id } = await connect(ada, company, folder)
  await synced(ada, id)
  for (const { id: document } of await documentsOf(app, id)) await ada.processed(document)
  const first = await read(id)
  expect(first).toMatchObject({
    state: 'ready',
    listed: 3,
    read: 2,
    refused: 1,
    bytes: 44,
    documents_failed: 0,
  })
  expect(Date.parse(first.next_sync_at)).toBeGreaterThan(Date.parse(first.last_sync_at))
  expect(first.embedding_cost).toBeGreaterThan(0)
  expect(first.embedding_cost).toBeCloseTo(await booked(), 9)
  const items = (await ada.call('GET', `/connectors/${id}/items`)).body.items
  expect(items).toMatchObject([{ path: 'too-large.txt', reason: 'too_large' }])
  // An upload of a person adds nothing to the cost of the connector.
  const { body: upload } = await ada.upload({ name: 'own.txt', content: 'Words of my own.' })
  await ada.processed(upload.id)
  expect(await booked()).toBeGreaterThan(first.embedding_cost)
  expect((await read(id)).embedding_cost).toBe(first.embedding_cost)

  await ada.call('POST', `/connectors/${id}/pause`)
  expect(await read(id)).toMatchObject({ state: 'paused', next_sync_at: null })
  write('c.txt', 'A third one.')
  expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', listed: 4, read: 3 })

  await ada.call('POST', `/connectors/${id}/remove`, { documents: 'keep' })
  const names = async () =>
    (await ada.call('GET', '/documents')).body.items.map(({ name }: { name: string }) => name).sort()
  await expect.poll(names, { timeout: 20_000 }).toEqual(['a.txt', 'b.txt', 'c.txt', 'own.txt'])
  const again = await connect(ada, company, folder)
  await synced(ada, again.id)
  await ada.call('POST', `/connectors/${again.id}/remove`, { documents: 'delete' })
  await expect.poll(async () => (await documentsOf(app, again.id)).length, { timeout: 20_000 }).toBe(0)
  expect((await ada.call('GET', `/connectors/${again.id}`)).status).toBe(404)
  expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt', 'own.txt'])
}, 120_000)
