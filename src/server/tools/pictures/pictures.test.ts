import { fileURLToPath } from 'node:url'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, type ModelRequest, says } from '#tests/model-server.ts'
import { placedPages } from '#tests/placed-pages.ts'

const EVERYTHING = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)
let chat: Chat
beforeAll(async () => {
  chat = await startChat({ user: { role: 'super_admin' } })
})
afterEach(() => chat.model.forget())
afterAll(() => chat.close())

/** Creates a picture of one colour. */
async function picture(
  width: number,
  height: number,
  kind: 'png' | 'webp' = 'png',
): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = 'red'
  context.fillRect(0, 0, width, height)
  return new Uint8Array(kind === 'png' ? await canvas.encode('png') : await canvas.encode('webp'))
}

async function attach(sessionId: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  const headers = { authorization: chat.user.headers.authorization }
  const sent = await fetch(`${chat.url}/documents/upload`, { method: 'POST', headers, body: form })
  const { id } = (await sent.json()) as { id: string }
  await chat.app.deps.db
    .insertInto('session_documents')
    .values({ session_id: sessionId, document_id: id })
    .execute()
  return id
}

type Part = { type: string; text?: string; image_url?: { url: string } }
/** Returns the decoded pictures of each message. */
const picturesIn = (request: ModelRequest) =>
  Promise.all(
    request.messages.map(async ({ content }) => {
      const parts = Array.isArray(content) ? (content as Part[]) : []
      const urls = parts.flatMap(({ image_url }) => (image_url ? [image_url.url] : []))
      return Promise.all(
        urls.map(async (url) => {
          const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.+)$/.exec(url) ?? []
          const { width, height } = await loadImage(Buffer.from(base64, 'base64'))
          return { type, width, height }
        }),
      )
    }),
  )

async function ask(sessionId: string, content: string): Promise<ModelRequest> {
  await (await chat.ask(sessionId, content)).ended
  return chat.model.requests.at(-1) as ModelRequest
}

describe('pictures attached to a chat', () => {
  it('are sent with the next message, scaled down, and stay there in later turns', async () => {
    const id = await chat.aSession()
    await attach(id, 'chart.png', await picture(4000, 1000))
    const small = { type: 'image/jpeg', width: 1568, height: 392 }
    expect((await picturesIn(await ask(id, 'Which colour?'))).at(-1)).toEqual([small])
    await attach(id, 'second.webp', await picture(40, 30, 'webp'))
    const sent = await picturesIn(await ask(id, 'And this?'))
    expect(sent.filter((pictures) => pictures.length > 0)).toEqual([
      [small],
      [{ type: 'image/jpeg', width: 40, height: 30 }],
    ])
    expect(sent.at(-1)).toHaveLength(1)
  })

  it('reach the assistants to which an orchestrator delegates', async () => {
    const id = await chat.aSession({ metadata: { agent_type: 'orchestrator' } })
    await attach(id, 'chart.png', await picture(40, 40))
    const before = chat.model.requests.length
    const parts = { steps: [{ description: 'Describe the chart', assistant: 'Analyst' }] }
    chat.model.always((request) => [says(request.response_format ? JSON.stringify(parts) : 'Red bars.')])
    await ask(id, 'Which colour?')
    chat.model.always([says('Hello')])
    const requests = chat.model.requests.slice(before)
    const ofPart = requests.filter(({ messages }) => JSON.stringify(messages).includes('You do one part'))
    expect(ofPart.length).toBeGreaterThan(0)
    for (const request of ofPart) expect((await picturesIn(request)).flat()).toHaveLength(1)
  })

  it('are not sent if the person may no longer read them', async () => {
    const id = await chat.aSession()
    const document = await attach(id, 'chart.png', await picture(40, 40))
    await fetch(`${chat.url}/documents/${document}`, { method: 'DELETE', headers: chat.user.headers })
    expect((await picturesIn(await ask(id, 'Which colour?'))).flat()).toEqual([])
  })
})

describe('pictures in a tool result', () => {
  it('are sent to the model after the results', async () => {
    const connected = await chat.call('POST', '/mcp-servers', {
      name: 'Everything',
      address: { kind: 'stdio', command: process.execPath, args: [EVERYTHING] },
    })
    expect(connected.status, JSON.stringify(connected.body)).toBe(201)
    const tool = connected.body.tools.find(({ key }: { key: string }) => key === 'get-tiny-image')
    await chat.call('PUT', `/tools/${tool.id}/policy`, { policy: 'auto' })
    const id = await chat.aSession({ metadata: { session_tools: [tool.id] } })
    chat.model.reply([calls(tool.id, {})], [says('A logo.')])
    const request = await ask(id, 'Show me')
    const [shown] = (await picturesIn(request)).filter((pictures) => pictures.length > 0)
    expect(shown).toEqual([{ type: 'image/jpeg', width: expect.any(Number), height: expect.any(Number) }])
    expect(request.messages.at(-1)?.role).toBe('user')
    expect(request.messages.at(-2)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('[image-1.png]'),
    })
  })
})

describe('pictures for a model without vision', () => {
  it('are described in words if the model refuses them, and the reply says so', async () => {
    const id = await chat.aSession()
    await attach(id, 'chart.png', await picture(40, 40))
    chat.model.reply([fails(400, 'This model does not support image input.')], [says('I cannot see it.')])
    const stream = await chat.ask(id, 'Which colour?')
    await stream.ended
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages)).toContain(
      '[chart.png cannot be shown to this model.]',
    )
    expect(stream.view()?.blocks).toContainEqual(
      expect.objectContaining({
        type: 'adapted',
        adaptations: [expect.objectContaining({ name: 'no_images' })],
      }),
    )
  })
})

describe('pages of documents', () => {
  // Another test taught that the model takes no pictures.
  beforeAll(() => chat.app.deps.models.forgetAdaptations('compatible'))
  const named = (request: ModelRequest | undefined) =>
    (request?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name)

  it('are shown to a model that asks for one', async () => {
    const id = await chat.aSession()
    const { bytes } = placedPages(2)
    const document = await attach(id, 'scan.pdf', new Uint8Array(bytes))
    chat.model.reply(
      [calls('view_page', { document: 'Scan.PDF', page: 2 })],
      [calls('view_page', { document: 'lease.pdf', page: 1 })],
      [calls('view_page', { document, page: 9 })],
      [says('Seen.')],
    )
    const before = chat.model.requests.length
    const last = await ask(id, 'What is on page 2?')
    const [first, second] = chat.model.requests.slice(before)
    expect(named(first)).toContain('view_page')
    const shown = (await picturesIn(second as ModelRequest)).flat()
    expect(shown).toEqual([{ type: 'image/jpeg', width: expect.any(Number), height: expect.any(Number) }])
    const results = last.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    expect(results[0]).toContain('"document_name":"scan.pdf"')
    expect(results[1]).toContain('Documents with pages: scan.pdf')
    expect(results[2]).toMatch(/page/i)
    expect((await picturesIn(last)).flat()).toHaveLength(1)
  })

  it('stay hidden outside of what the chat answers from', async () => {
    const { bytes } = placedPages(1)
    const elsewhere = await chat.aSession()
    const other = await attach(elsewhere, 'secret.pdf', new Uint8Array(bytes))
    const id = await chat.aSession()
    await attach(id, 'scan.pdf', new Uint8Array(bytes))
    chat.model.reply(
      [
        calls('view_page', { document: other, page: 1 }),
        calls('view_page', { document: 'secret.pdf', page: 1 }),
      ],
      [says('No.')],
    )
    const last = await ask(id, 'Show me')
    const results = last.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    expect(results).toHaveLength(2)
    for (const result of results)
      expect(result).toMatch(/^Error: No document .* Documents with pages: scan\.pdf\.$/)
    expect((await picturesIn(last)).flat()).toEqual([])
  })

  it('are offered only in chats with documents, to models that see', async () => {
    const bare = await chat.aSession()
    expect(named(await ask(bare, 'Hello'))).not.toContain('view_page')
    const id = await chat.aSession()
    const { bytes } = placedPages(1)
    await attach(id, 'scan.pdf', new Uint8Array(bytes))
    expect(named(await ask(id, 'Hello'))).toContain('view_page')
    const [connection] = await chat.app.deps.models.connections()
    await chat.app.deps.db
      .insertInto('model_adaptations')
      .values({
        ...{ model_id: 'compatible/scripted', base_url: connection?.base_url ?? '', name: 'no_images' },
        ...{ about: '', value: null, said: 'no images', learned_at: new Date() },
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute()
    await chat.app.deps.models.forgetAdaptations('nobody')
    expect(named(await ask(id, 'Hello'))).not.toContain('view_page')
    await chat.app.deps.models.forgetAdaptations('compatible')
  })
})
