import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'

let provider: EmbeddingServer
let app: TestApp
let ada: Reader
beforeAll(async () => {
  provider = await startEmbeddingServer((text) => [/rent/.test(text) ? 1 : 0, 1])
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small', OPENAI_API_KEY: 'sk-test' },
      OPENAI_BASE_URL: provider.url,
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`)
})
afterAll(async () => {
  await app.close()
  provider.close()
})

it('charges every query embedding of an explanation', {
  timeout: 60_000,
}, async () => {
  const { body } = await ada.upload({ name: 'lease.txt', content: 'The rent is due in March.' })
  await ada.processed(body.id)
  const [chunk] = (await ada.call('GET', `/documents/${body.id}/chunks`)).body.chunks
  const booked = async () => (await ada.call('GET', '/users/me/billing?limit=50')).body.items
  const [before, made] = [(await booked()).length, provider.texts()]
  const asked = { query: 'When is the rent due?', chunk_id: chunk.id, limit: 5 }
  const { status } = await ada.call('POST', '/search_and_rerank/explain', asked)
  expect(status).toBe(200)
  const entries = (await booked()).slice(0, -before || undefined)
  expect(entries).toHaveLength(provider.texts() - made)
  expect(entries.length).toBeGreaterThan(1)
  for (const entry of entries)
    expect(entry).toMatchObject({
      model_name: 'openai/text-embedding-3-small',
      reason: 'documents',
      unpriced: false,
    })
})
