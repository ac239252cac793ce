import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type EmbeddingServer, startEmbeddingServer } from '#tests/embedding-server.ts'

/** The embedding of a text tells its meaning in either language. */
const meanings = [/bridge|pont/i, /soup|potage/i, /orchard|verger/i]
const vectorOf = (text: string) => meanings.map((meaning) => (meaning.test(text) ? 1 : 0.01))

let provider: EmbeddingServer
let app: TestApp
let base: string
let ada: Reader
beforeAll(async () => {
  provider = await startEmbeddingServer(vectorOf)
  app = await startApp({
    config: {
      ...{ ATRIUM_COMPATIBLE_URL: provider.url, ATRIUM_EMBEDDING_MODEL: 'compatible/one' },
      ATRIUM_BILLING: 'on',
    },
  })
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { balance: 100 }))
  for (const [name, content] of [
    ['bridge.txt', 'The bridge has nine arches.'],
    ['soup.txt', 'On Tuesday there is soup.'],
    ['verger.txt', 'Le verger compte quatre-vingt-dix arbres.'],
  ] as const) {
    const { body } = await ada.upload({ name, content })
    expect((await ada.processed(body.id)).status).toBe('completed')
  }
})
afterAll(async () => {
  await app.close()
  provider.close()
})

const search = async (query: string) => {
  const { body } = await ada.call('POST', '/search_and_rerank/search_and_rerank', {
    query,
    hybrid_search: false,
  })
  return body.objects[0]?.properties.file_name
}
const booked = async () => (await ada.call('GET', '/users/me/billing?limit=100')).body

describe('a question', () => {
  it('finds passages in other languages with a multilingual embedding model [CX-11]', async () => {
    expect(await search('Combien d’arches a le pont ?')).toBe('bridge.txt')
    expect(await search('Quel jour sert-on du potage ?')).toBe('soup.txt')
    expect(await search('How many trees are in the orchard?')).toBe('verger.txt')
  })

  it('finds one language with the built-in models, which are marked monolingual [CX-11]', async () => {
    const admin = await aReader(app, base, await aUser(app, { role: 'super_admin' }))
    const { offered } = (await admin.call('GET', '/embedding-model')).body
    const said = (id: string) => offered.find((one: { id: string }) => one.id === id)?.is_monolingual
    expect(['atrium/gte-small', 'atrium/lexical'].map(said)).toEqual([true, true])
    expect(
      offered.every(({ id, is_monolingual }: { id: string; is_monolingual?: boolean }) =>
        id.startsWith('atrium/') ? is_monolingual : is_monolingual === undefined,
      ),
    ).toBe(true)
  })

  it('is charged to its user when a provider embeds it', async () => {
    const before = await booked()
    await search('Where is the bridge?')
    const after = await booked()
    expect(after.total).toBe(before.total + 1)
    expect(after.items[0]).toMatchObject({
      ...{ kind: 'usage', reason: 'documents', model_name: 'compatible/one', session_id: null },
      input_tokens: expect.any(Number),
    })
  })
})
