import { afterEach, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { type ImageServer, startImageServer } from '#tests/image-server.ts'

let open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.reverse()) await one.close()
  open = []
})

async function aHouse(models: string[], config: (url: string) => Record<string, string>) {
  const provider = await startImageServer({ models })
  open.push(provider)
  const chat = await startChat({ app: { config: config(provider.url) }, user: { balance: 10 } })
  open.push(chat)
  return { provider, chat }
}

async function execute({ call }: Chat, inputs: Record<string, unknown>) {
  const started = await call('POST', '/tools/image_generation/execute', { inputs })
  const path = `/tool-executions/${started.body.tool_execution_id}`
  await expect
    .poll(async () => (await call('GET', path)).body.finished_at, { timeout: 20_000, interval: 50 })
    .not.toBeNull()
  return (await call('GET', path)).body
}
const lastOf = ({ requests }: ImageServer) => {
  const { path, headers, body } = requests.at(-1) ?? { path: '', headers: {}, body: '{}' }
  return { path, key: headers['x-goog-api-key'], body: JSON.parse(body) }
}

it("uses Google's image models found in its model list, by shape", async () => {
  const { provider, chat } = await aHouse(['gemini-2.5-pro', 'gemini-2.5-flash-image'], (url) => ({
    ...{ GOOGLE_API_KEY: 'g-images', GOOGLE_BASE_URL: `${url}/v1beta` },
  }))
  const done = await execute(chat, { prompt: 'A hill', size: '1536x1024' })
  expect(done.result).toMatchObject({
    model: 'google/gemini-2.5-flash-image',
    images: [{ type: 'media_reference', price: expect.closeTo(0.0387, 4) }],
  })
  expect(lastOf(provider)).toMatchObject({
    ...{ path: '/v1beta/models/gemini-2.5-flash-image:generateContent', key: 'g-images' },
    body: { generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } } },
  })
  provider.next({ do: 'send', body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } })
  expect((await execute(chat, { prompt: 'A hill' })).result.images).toMatchObject([
    { error: 'The model provider refused the request: PROHIBITED_CONTENT' },
  ])
})

it('uses Imagen if a setting names it, and bills unmetered images as unpriced', async () => {
  const { provider, chat } = await aHouse(['imagen-4.0-generate-001', 'gemini-2.5-flash-image'], (url) => ({
    ...{ GOOGLE_API_KEY: 'g-images', GOOGLE_BASE_URL: `${url}/v1beta` },
    ATRIUM_IMAGE_MODEL: 'google/imagen-4.0-generate-001',
  }))
  const done = await execute(chat, { prompt: 'A hill', size: '1024x1536' })
  expect(done.result.images).toMatchObject([{ revised_prompt: 'as Imagen reads it', price: null }])
  expect(lastOf(provider)).toMatchObject({
    path: '/v1beta/models/imagen-4.0-generate-001:predict',
    body: { instances: [{ prompt: 'A hill' }], parameters: { sampleCount: 1, aspectRatio: '3:4' } },
  })
  const bills = await chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['amount', 'unpriced'])
    .where('run_id', '=', done.run_id)
    .execute()
  expect(bills.map(({ amount, unpriced }) => [Number(amount), unpriced])).toEqual([[0, true]])
})

it('uses a compatible server, and downloads an image that it returns as an address', async () => {
  const { provider, chat } = await aHouse(['qwen3', 'FLUX.1-dev'], (url) => ({
    ATRIUM_COMPATIBLE_URL: `${url}/v1`,
  }))
  const done = await execute(chat, { prompt: 'A hill', quality: 'high' })
  expect(done.result).toMatchObject({ model: 'compatible/FLUX.1-dev', images: [{ price: null }] })
  expect(lastOf(provider).body).toEqual({
    ...{ model: 'FLUX.1-dev', prompt: 'A hill', n: 1, response_format: 'b64_json' },
  })
  provider.next({ do: 'send', body: { data: [{ url: `${provider.url}/made/1.png` }] } })
  expect((await execute(chat, { prompt: 'A hill' })).result.images).toMatchObject([
    { type: 'media_reference', media_type: 'image/png' },
  ])
  provider.next({ do: 'send', body: { data: [{ url: 'http://127.0.0.1:9/secret.png' }] } })
  expect((await execute(chat, { prompt: 'A hill' })).result.images).toMatchObject([{ type: 'media_error' }])
})

it('explains in both languages what to configure if no provider exists and the built-in model calls the tool [R-09]', async () => {
  const chat = await startChat()
  open.push(chat)
  const ask = async (content: string, language: string) => {
    const session = await chat.aSession({ modelName: 'atrium/offline' })
    const stream = await chat.ask(session, { content, language })
    await stream.ended
    return JSON.stringify(stream.view())
  }
  const english = await ask('Draw a boiler house in the morning light', 'en')
  expect(english).toContain('"tool_id":"image_generation"')
  expect(english).toContain('No model that makes images is connected. An administrator can connect one')
  const french = await ask('Dessine-moi une chaufferie au petit matin', 'fr')
  expect(french).toMatch(/aucun modèle capable de réaliser des images n’est connecté/i)
})
