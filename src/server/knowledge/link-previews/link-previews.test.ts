import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aMessage, aSession, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'
import { readHead } from './read-head.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
const page = (head: string) => `<!doctype html><html><head>${head}</head><body><p>Words</p></body></html>`

let server: Server
let url = ''
let chat: Chat
let now = new Date('2026-11-24T08:00:00Z')
const asked: string[] = []
let answer: RequestListener = (_, response) => void response.end()

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  chat = await startChat({ app: { config: { ATRIUM_WEB_PRIVATE: url }, clock: { now: () => now } } })
})
afterAll(async () => {
  await chat.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  asked.length = 0
})

/** Serves pages by path, and 404 for other paths. */
function serves(pages: Record<string, { type?: string; body: string | Buffer }>) {
  answer = (request, response) => {
    const found = pages[request.url ?? '']
    if (!found) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': found.type ?? 'text/html; charset=utf-8' }).end(found.body)
  }
}
/** Reads a page on the user's request. */
const read = (address: string) => chat.call('POST', '/link-previews', { url: address })
/** Reads a page because the user hovers over its link in a chat. */
const point = (address: string, session_id?: string, headers = {}) =>
  chat.call(
    'GET',
    `/link-previews?${new URLSearchParams({ url: address, ...(session_id && { session_id }) })}`,
    undefined,
    headers,
  )
const fetchFile = (path: string, query: Record<string, string>) =>
  fetch(`${chat.url}${path}?${new URLSearchParams(query)}`, { headers: chat.user.headers })

describe('readHead on hostile pages', () => {
  const title = '<TITLE>Found</Title>'
  it.each([
    ...[
      '<a>',
      '<b><i>',
      '<p><a><b>x',
      '<table><tr><td>',
      '<meta "',
      '<link <',
      '<!--',
      '<svg><g>',
      '<meta a=1>',
    ],
    ...['<title>', '<font color=a>', '<', "<meta content='", '<SCRIPT><title>x</title>'],
  ])('takes less than a second: %s', (part) => {
    const began = performance.now()
    readHead(part.repeat(400_000 / part.length), 'https://a.example/')
    expect(readHead(`${title}${part.repeat(100_000 / part.length)}`, 'https://a.example/').title).toBe(
      'Found',
    )
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('ignores tag characters in attributes, scripts and comments', () => {
    const { title, description, icon } = readHead(
      `<!-- <title>No</title> --><script>"<title>No</title>"</SCRIPT><META name=description content="a > b"><Title>Yes &amp; so</TITLE><link rel=icon href='/i?a>b'>`,
      'https://a.example/',
    )
    expect({ title, description, icon }).toEqual({
      ...{ title: 'Yes & so', description: 'a > b', icon: 'https://a.example/i?a%3Eb' },
    })
  })
})

describe('link preview', () => {
  it('shows the metadata of the page, with pictures served by this server [LP-01, LP-03, SV-44, SV-86]', async () => {
    serves({
      '/index': {
        body: page(`<title>Plain</title><meta property="og:title" content="Labour  cost&#10;index">
          <meta name="description" content="It rose by 3.1 %."><meta property="og:site_name" content="Insee">
          <meta property="og:image" content="/picture.png">`),
      },
      '/picture.png': { type: 'text/plain', body: PNG },
      '/': { body: page('<link rel="shortcut icon" href="/own.png">') },
      '/own.png': { body: PNG },
    })
    const address = `${url}/index`
    const { host } = new URL(url)
    expect(await read(address)).toMatchObject({
      status: 200,
      body: {
        url: address,
        title: 'Labour cost index',
        description: 'It rose by 3.1 %.',
        imageUrl: `/api/v1/link-previews/image?${new URLSearchParams({ url: address })}`,
        favicon: `/api/v1/link-previews/favicon?${new URLSearchParams({ domain: host, sz: '64' })}`,
        cleanDomain: '127.0.0.1',
        publisher: 'Insee',
      },
    })
    const image = await fetchFile('/link-previews/image', { url: address })
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(image.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG)
    const icon = await fetchFile('/link-previews/favicon', { domain: host, sz: '64' })
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(asked).toEqual(['/index', '/picture.png', '/', '/own.png'])
  })

  it('is cached for 24 hours, also when there is none; concurrent requests fetch once [LP-05]', async () => {
    serves({ '/kept': { body: page('<title>Kept</title>') } })
    await Promise.all([read(`${url}/kept`), read(`${url}/kept`), read(`${url}/kept`)])
    for (let times = 0; times < 2; times++)
      expect(await read(`${url}/gone`)).toMatchObject({ status: 200, body: { title: null, imageUrl: null } })
    expect(asked).toEqual(['/kept', '/gone'])
    now = new Date(now.getTime() + 24 * 3_600_000 - 1000)
    await read(`${url}/kept`)
    expect(asked).toHaveLength(2)
    now = new Date(now.getTime() + 2000)
    serves({ '/kept': { body: page('<title>New</title>') }, '/gone': { body: page('<title>Back</title>') } })
    expect(await read(`${url}/kept`)).toMatchObject({ body: { title: 'New' } })
    expect(await read(`${url}/gone`)).toMatchObject({ body: { title: 'Back' } })
  })

  it('stops waiting for a page after 5 s [LP-03]', async () => {
    answer = () => undefined
    const began = performance.now()
    expect(await read(`${url}/slow`)).toMatchObject({ status: 200, body: { title: null } })
    const took = performance.now() - began
    expect(took).toBeGreaterThan(4900)
    expect(took).toBeLessThan(8000)
  }, 15_000)

  it('is refused for addresses that are not public web pages [LP-02]', async () => {
    for (const address of ['http://intranet/x', 'ftp://example.com/', 'http://a.b', 'nonsense'])
      expect(await read(address), address).toMatchObject({ status: 422 })
    for (const address of ['http://10.0.0.1/', 'http://127.0.0.1:1/', 'http://169.254.169.254/latest'])
      expect(await read(address), address).toMatchObject({ status: 200, body: { title: null } })
    expect(asked).toEqual([])
  })

  it('finds an icon at its usual path, and ignores what is no picture [LP-04]', async () => {
    const { host } = new URL(url)
    now = new Date(now.getTime() + 48 * 3_600_000)
    const icon = Buffer.from('\0\0\x01\0icon', 'latin1')
    serves({ '/': { body: page('<title>No icon</title>') }, '/favicon.ico': { body: icon } })
    await read(`${url}/`)
    const found = await fetchFile('/link-previews/favicon', { domain: host, sz: '64' })
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    now = new Date(now.getTime() + 48 * 3_600_000)
    serves({ '/favicon.ico': { type: 'image/svg+xml', body: '<svg onload="x()"/>' } })
    await read(`${url}/`)
    expect((await fetchFile('/link-previews/favicon', { domain: host, sz: '64' })).status).toBe(204)
    expect((await fetchFile('/link-previews/favicon', { domain: 'intranet', sz: '64' })).status).toBe(422)
  })

  it('serves only pictures that a page names, and only to signed-in users', async () => {
    serves({ '/secret.png': { body: PNG } })
    expect((await fetchFile('/link-previews/image', { url: `${url}/secret.png` })).status).toBe(204)
    expect(asked).toEqual([])
    expect((await fetch(`${chat.url}/link-previews?url=${encodeURIComponent(url)}`)).status).toBe(401)
  })
})

describe('hovering over a link', () => {
  const words = '?note=the+words+of+the+chat'
  async function aChat(question: string, reply: string) {
    const sessionId = await chat.aSession()
    chat.model.reply([says(reply)])
    await (await chat.ask(sessionId, question)).ended
    return sessionId
  }

  it('fetches neither page nor icon for an address that only a model wrote', async () => {
    serves({})
    const sessionId = await aChat(`Look at ${url}/page, please.`, `See [it](${url}/page${words}).`)
    for (const address of [`${url}/page${words}`, `${url}/pag`, `${url}/`, `${url}/page/`, `${url}/page?`]) {
      const answer = await point(address, sessionId)
      expect(answer, address).toMatchObject({ status: 200, body: { fetched: false, title: null } })
    }
    expect(await point(`${url}/page`)).toMatchObject({ body: { fetched: false } })
    now = new Date(now.getTime() + 48 * 3_600_000)
    const { host } = new URL(url)
    expect((await fetchFile('/link-previews/favicon', { domain: host, sz: '64' })).status).toBe(204)
    expect(
      (await fetchFile('/link-previews/favicon', { domain: 'the-words.example.com', sz: '64' })).status,
    ).toBe(204)
    expect(asked).toEqual([])
  })

  it('reads a page whose exact address the user wrote', async () => {
    serves({ '/page?a=1': { body: page('<title>Written</title>') } })
    const sessionId = await aChat(`Is (${url}/page?a=1#top) good?`, 'Yes.')
    expect(await point(`${url}/page?a=1#other`, sessionId)).toMatchObject({
      body: { fetched: true, title: 'Written' },
    })
    expect(asked).toEqual(['/page?a=1'])
  })

  it('reads a page that a web search of the chat returned, but none that another tool repeats', async () => {
    serves({ '/found': { body: page('<title>Found</title>') } })
    const sessionId = await aChat('Search', 'Done.')
    const { db } = chat.app.deps
    const run = await db
      .selectFrom('runs')
      .select(['id', 'user_id'])
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    const execution = (tool_id: string, path: string) => ({
      ...{ id: crypto.randomUUID(), run_id: run.id, user_id: run.user_id, session_id: sessionId, tool_id },
      ...{ input: '{}', status: 'complete', result: JSON.stringify({ sources: [{ url: `${url}${path}` }] }) },
    })
    await db
      .insertInto('tool_executions')
      .values([execution('web_search', '/found'), execution('code_interpreter', `/echo${words}`)])
      .execute()
    expect(await point(`${url}/found`, sessionId)).toMatchObject({ body: { fetched: true, title: 'Found' } })
    expect(await point(`${url}/echo${words}`, sessionId)).toMatchObject({ body: { fetched: false } })
    expect(asked).toEqual(['/found'])
  })

  it('fetches no address that a copied chat names, in a message or as a source', async () => {
    serves({})
    const other = await aUser(chat.app)
    const { id } = await aSession(chat.app, other)
    const { id: parentId } = await aMessage(chat.app, id, { content: `See ${url}/theirs` })
    const source = { id: 's', number: 1, title: 'Cited', url: `${url}/cited` }
    const blocks = [{ type: 'text', id: 't', text: 'Yes.', sources: [source] }]
    await aMessage(chat.app, id, { parentId, role: 'assistant', content: 'Yes.', blocks })
    const link = (await chat.call('POST', `/sessions/${id}/links`, {}, other.headers)).body
    const copied = (await chat.call('POST', `/shared/${link.url.split('/s/')[1]}/copy`)).body
    const { active_branch } = (await chat.call('GET', `/sessions/${copied.session_id}/active-branch`)).body
    expect(JSON.stringify(active_branch)).toContain(source.url)
    for (const path of ['/theirs', '/cited'])
      expect(await point(url + path, copied.session_id)).toMatchObject({ body: { fetched: false } })
    expect(asked).toEqual([])
  })

  it('reveals nothing of a chat to other users', async () => {
    serves({})
    const sessionId = await aChat(`Look at ${url}/mine.`, 'Yes.')
    const stranger = await aUser(chat.app)
    expect((await point(`${url}/mine`, sessionId, stranger.headers)).status).toBe(403)
    expect(asked).toEqual([])
  })
})

describe('readHead', () => {
  const at = 'https://example.com/a/b'

  it('prefers Open Graph, then Twitter cards, then plain HTML', () => {
    expect(readHead(page('<title> A\n page </title>'), at)).toEqual({
      ...{ title: 'A page', description: null, image: null, icon: null, publisher: null },
    })
    const all = `<meta name="twitter:title" content="Card"><meta name="twitter:image" content="../c.png">
      <link rel="apple-touch-icon" href="/touch.png"><link rel="icon" href="i.ico">`
    expect(readHead(page(all), at)).toMatchObject({
      ...{ title: 'Card', image: 'https://example.com/c.png', icon: 'https://example.com/a/i.ico' },
    })
  })

  it('ignores executable addresses and SVG icons', () => {
    const hostile = `<meta property="og:image" content="javascript:alert(1)">
      <link rel="icon" type="image/svg+xml" href="/icon.svg"><title><b>x</b></title>`
    expect(readHead(page(hostile), at)).toMatchObject({ image: null, icon: null, title: '<b>x</b>' })
  })

  it('reads deeply nested HTML', () => {
    const deep = `${page('<title>Deep</title>')}${'<div>'.repeat(50_000)}`
    expect(readHead(deep, at).title).toBe('Deep')
    expect(readHead('<div>'.repeat(50_000), at).title).toBeNull()
  })
})
