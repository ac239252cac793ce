import { afterAll, beforeAll, expect, it } from 'vitest'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { aPicture, type ImageServer, startImageServer } from '#tests/image-server.ts'

let chat: Chat
let provider: ImageServer
beforeAll(async () => {
  provider = await startImageServer()
  const config = {
    OPENAI_API_KEY: 'sk-images',
    OPENAI_BASE_URL: `${provider.url}/v1`,
    GOOGLE_API_KEY: 'g-images',
    GOOGLE_BASE_URL: `${provider.url}/v1beta`,
    ATRIUM_LIMIT_IMAGE_MB: '1',
  }
  chat = await startChat({ app: { config }, user: { balance: 100 } })
})
afterAll(async () => {
  await chat.close()
  await provider.close()
})

const start = async (inputs: Record<string, unknown>, session_id: string | null = null) => {
  const { status, body } = await chat.call('POST', '/tools/image_generation/execute', { inputs, session_id })
  expect(status).toBe(202)
  return `/tool-executions/${body.tool_execution_id}`
}
const over = async (path: string) => {
  await expect
    .poll(async () => (await chat.call('GET', path)).body.finished_at, { timeout: 20_000, interval: 50 })
    .not.toBeNull()
  return (await chat.call('GET', path)).body
}
const execute = async (inputs: Record<string, unknown>) => over(await start(inputs))
const bytes = async (path: string, headers: Record<string, string> = chat.user.headers) => {
  const answer = await fetch(new URL(path, chat.url), { headers })
  return { status: answer.status, content: new Uint8Array(await answer.arrayBuffer()) }
}
const mediaOf = (runId: string) =>
  chat.app.deps.db.selectFrom('media').select('name').where('run_id', '=', runId).orderBy('name').execute()
const billsOf = (runId: string) =>
  chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['model_name', 'amount', 'unpriced'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute()

it('makes images with a real provider, stores each immediately, and bills it with its step [R-09, IM-05]', async () => {
  provider.next({ do: 'draw' }, { do: 'draw' })
  const done = await execute({ prompt: ' A boiler house ', n: 2, quality: 'low', size: '1536x1024' })
  expect(done).toMatchObject({ status: 'complete', error: null, result: { model: 'openai/gpt-image-1' } })
  const [first, second] = done.result.images
  expect(first).toMatchObject({
    ...{ type: 'media_reference', filename: 'image-1.png', asset_filename: 'image-1.png', error: null },
    ...{ url: `/api/v1/assets/tools/${first.id}/image-1.png`, media_type: 'image/png', revised_prompt: null },
  })
  // 20 text tokens and 1,000 image tokens at the built-in prices.
  expect(first.price).toBeCloseTo(0.0401)
  expect(second).toMatchObject({ filename: 'image-2.png' })
  expect((await bytes(first.url)).content).not.toEqual((await bytes(second.url)).content)
  expect((await bytes(first.url)).content.subarray(1, 4)).toEqual(new Uint8Array(Buffer.from('PNG')))
  expect((await bytes(first.url, {})).status).toBe(401)
  const sent = JSON.parse(provider.requests.at(-1)?.body ?? '')
  expect(sent).toMatchObject({ prompt: 'A boiler house', n: 1, quality: 'low', size: '1536x1024' })
  expect(provider.requests.at(-1)?.headers.authorization).toBe('Bearer sk-images')
  const bills = await billsOf(done.run_id)
  expect(bills.map(({ model_name, unpriced }) => [model_name, unpriced])).toEqual([
    ['openai/gpt-image-1', false],
    ['openai/gpt-image-1', false],
  ])
  expect(Number(bills[0]?.amount)).toBeCloseTo(-0.0401)
})

it('shows an image under its index while it is made, and deletes its previews afterwards [IM-06]', async () => {
  const gate = aGate()
  provider.next({ do: 'draw', previews: 2, until: gate.opened })
  const path = await start({ prompt: 'Hills', n: 1 })
  const partial = async () =>
    (await chat.call('GET', path)).body.events.find(
      ({ type }: { type: string }) => type === 'tool_partial_update',
    )
  await expect.poll(async () => (await partial())?.data.url, { timeout: 10_000 }).toMatch(/image-1-2\.png$/)
  const shown = await partial()
  expect(shown).toMatchObject({ data: { partial_image_index: 0 } })
  expect((await bytes(shown.data.url)).content).toEqual(aPicture(201))
  gate.open()
  const done = await over(path)
  const [image] = done.result.images
  expect(done.events.filter(({ type }: { type: string }) => type === 'tool_partial_update')).toMatchObject([
    { data: { url: image.url, partial_image_index: 0 } },
  ])
  expect(await mediaOf(done.run_id)).toEqual([{ name: 'image-1.png' }])
  expect((await bytes(shown.data.url)).status).toBe(404)
})

it("stores each image when it is finished, and reports a refused one in the provider's words [XB-10]", async () => {
  const gate = aGate()
  const refusal = 'Your request was rejected by the safety system.'
  provider.next(
    { do: 'draw' },
    { do: 'refuse', status: 400, message: refusal },
    { do: 'draw', until: gate.opened },
  )
  const path = await start({ prompt: 'Three hills', n: 3 })
  const { run_id } = (await chat.call('GET', path)).body
  await expect.poll(async () => (await mediaOf(run_id)).length, { timeout: 10_000 }).toBe(1)
  gate.open()
  const done = await over(path)
  expect(done.result.images).toMatchObject([
    { type: 'media_reference' },
    {
      ...{ type: 'media_error', url: null, filename: 'image-2', revised_prompt: null },
      error: `The model provider refused the request: ${refusal}`,
    },
    { type: 'media_reference', filename: 'image-3.png' },
  ])
  expect(await billsOf(done.run_id)).toHaveLength(2)
})

it('does not retry if a provider refuses the key, and retries if it is busy', async () => {
  const before = provider.requests.length
  provider.next({ do: 'refuse', status: 401, message: 'Incorrect API key' })
  const refused = await execute({ prompt: 'A hill', n: 3 })
  expect(refused.status).toBe('complete')
  expect(refused.result.images.map(({ error }: { error: string }) => error)).toEqual(
    Array(3).fill('The model provider refused the key: Incorrect API key'),
  )
  expect(provider.requests.length - before).toBe(1)
  provider.next({ do: 'refuse', status: 429, message: 'Slow down', retryAfter: 0 })
  expect((await execute({ prompt: 'A hill' })).result.images).toMatchObject([{ type: 'media_reference' }])
  provider.next({ do: 'cut' })
  expect((await execute({ prompt: 'A hill' })).result.images).toMatchObject([
    { error: expect.stringContaining('cannot be reached') },
  ])
})

it("starts from the person's pictures, and reports which document is not one", async () => {
  const reader = await aReader(chat.app, chat.url, chat.user)
  const picture = (await reader.upload({ name: 'site.png', content: aPicture(9) })).body
  const second = (await reader.upload({ name: 'sky.png', content: aPicture(10) })).body
  const done = await execute({ prompt: 'At night', document_ids: [picture.id, second.id] })
  expect(done.result.images).toMatchObject([{ type: 'media_reference' }])
  const sent = provider.requests.at(-1)
  expect(sent?.path).toBe('/v1/images/edits')
  expect(sent?.body).toContain('name="image[]"; filename="site.png"')
  expect(sent?.body).toContain(Buffer.from(aPicture(9)).toString('latin1'))
  const notes = (await reader.upload({ name: 'notes.txt', content: 'words' })).body
  const before = provider.requests.length
  expect(await execute({ prompt: 'At night', document_ids: [notes.id] })).toMatchObject({
    status: 'error',
    error: '“notes.txt” is not a picture. Use PNG, JPEG or WebP files.',
  })
  const other = await aReader(chat.app, chat.url)
  const theirs = (await other.upload({ name: 'theirs.png', content: aPicture(11) })).body
  expect(await execute({ prompt: 'At night', document_ids: [theirs.id] })).toMatchObject({
    error: 'A picture to start from no longer exists. Choose other pictures.',
  })
  const large = { name: 'large.png', content: new Uint8Array(1_100_000).fill(1) }
  const heavy = (await reader.upload(large)).body
  expect((await execute({ prompt: 'At night', document_ids: [heavy.id] })).error).toContain('1 MB together')
  expect(provider.requests.length).toBe(before)
})

it('stores nothing that is not a picture or is too large, and still bills it', async () => {
  provider.next({ do: 'draw', bytes: new TextEncoder().encode('<html>no picture</html>') })
  const html = await execute({ prompt: 'A hill' })
  expect(html.result.images).toMatchObject([{ error: 'The provider sent something that is not a picture.' }])
  expect(await mediaOf(html.run_id)).toEqual([])
  expect(await billsOf(html.run_id)).toHaveLength(1)
  provider.next({ do: 'draw', bytes: new Uint8Array(1_100_000).fill(7) })
  const large = await execute({ prompt: 'A hill', n: 2 })
  expect(large.result.images[0]).toMatchObject({ error: 'The image has more than 1 MB.' })
  provider.next({ do: 'send', body: { data: [] } })
  expect((await execute({ prompt: 'A hill' })).result.images).toMatchObject([
    { error: expect.stringContaining('no answer: it holds no image') },
  ])
})
