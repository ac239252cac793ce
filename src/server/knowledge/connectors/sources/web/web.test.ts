import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { readRobots } from './robots.ts'

let app: TestApp
let ada: Reader
let company: string
let url: string
const pages = new Map<string, { text: string; changed?: string; status?: number }>()
const asked = new Set<string>()
let mapReads = 0
let isDown = false
let robotFaults = 0
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/robots.txt' && robotFaults > 0) {
    robotFaults -= 1
    return response.writeHead(503).end()
  }
  if (path === '/second.xml') {
    const entry = `<url><loc>${url}/p0?second</loc><lastmod>2026</lastmod></url>`
    return response.end(isDown ? '<html><body>Back soon</body></html>' : `<urlset>${entry}</urlset>`)
  }
  if (path.startsWith('/bomb')) {
    mapReads += 1
    const length = path === '/bomb.xml' ? 150_000 : 0
    const maps = Array.from({ length }, (_, at) => `<sitemap><loc>${url}/bomb-${at}.xml</loc></sitemap>`)
    response.end(`<sitemapindex>${maps.join('')}</sitemapindex>`)
    return
  }
  if (path === '/many.xml') {
    mapReads += 1
    const urls = Array.from(
      { length: 450 },
      (_, at) => `<url><loc>${url}/m${at}</loc><lastmod>2026</lastmod></url>`,
    )
    response.end(`<urlset>${urls.join('')}</urlset>`)
    return
  }
  if (request.method === 'GET') asked.add(path)
  const page = pages.get(path)
  if (path === '/sitemap.xml') {
    const listed = [...pages].filter(([, { changed }]) => changed)
    const urls = listed.map(
      ([at, { changed }]) => `<url><loc>${url}${at}</loc><lastmod>${changed}</lastmod></url>`,
    )
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}
      <url><loc>https://elsewhere.example/page</loc></url></urlset>`)
  } else if (path === '/index.xml')
    response.end(`<sitemapindex><sitemap><loc>${url}/sitemap.xml</loc></sitemap></sitemapindex>`)
  else if (path === '/robots.txt') response.end('User-agent: *\nDisallow: /private/\n')
  else
    response.writeHead(page?.status ?? (page ? 200 : 404), { etag: `"${page?.text.length}"` }).end(page?.text)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_WEB_PRIVATE: url } })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  server.close()
})

const html = (text: string) => `<html><body><article><p>${text}</p></article></body></html>`

describe('web pages', () => {
  it('are read from a sitemap as far as the robots.txt allows, and later only changed ones', async () => {
    for (let at = 0; at < 12; at += 1)
      pages.set(`/p${at}`, { text: html(`Page ${at} of the supplier.`), changed: '2026-01-01' })
    pages.set('/private/prices', { text: html('Secret.'), changed: '2026-01-01' })
    pages.set('/gone', { text: '', status: 404, changed: '2026-01-01' })
    pages.set('/alone', { text: html('A page that no sitemap names.') })
    const { id } = await connect(ada, company, {
      ...{ source: 'web', settings: { addresses: `${url}/index.xml\n${url}/alone` } },
    })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 14, read: 13, refused: 1 })
    expect(asked.has('/private/prices')).toBe(false)
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([{ reason: 'not_found', url: `${url}/gone` }])
    asked.clear()
    pages.set('/p3', { text: html('Page 3 says something else now.'), changed: '2026-02-01' })
    pages.delete('/p4')
    await syncNow(ada, id)
    expect([...asked].filter((path) => path.startsWith('/p'))).toEqual(['/p3'])
    const { body: syncs } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(syncs.items[0].counts).toMatchObject({ added: 0, changed: 1, removed: 1 })
    const [first] = await documentsOf(app, id)
    expect((await ada.processed(first?.id ?? '')).status).toBe('completed')
  })
})

describe('a sitemap', () => {
  const count = (path: string, selection = {}) =>
    ada.call('POST', '/connector-sources/count', {
      ...{ source: 'web', company_id: company, settings: { addresses: `${url}${path}` } },
      selection: { folders: [], include: [], exclude: [], ...selection },
    })

  it('is read once for all pages of a listing', async () => {
    mapReads = 0
    expect((await count('/many.xml')).body).toMatchObject({ items: 450, is_complete: true })
    expect(mapReads).toBe(1)
  })

  it('that is replaced by a page of HTML fails, and keeps its documents', async () => {
    for (let at = 0; at < 12; at += 1)
      pages.set(`/p${at}`, { text: html(`Page ${at}.`), changed: '2026-01-01' })
    pages.set('/p0?second', { text: html('Of the second sitemap.') })
    const settings = { addresses: `${url}/sitemap.xml\n${url}/second.xml` }
    const { id } = await connect(ada, company, { source: 'web', settings })
    const { read } = await synced(ada, id)
    isDown = true
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read, removal: null, error: expect.stringContaining('is no sitemap') },
    })
    isDown = false
    robotFaults = 2
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read, error: null })
    expect(robotFaults).toBe(0)
  })

  it('that names 150,000 others is followed to 200 sitemaps', async () => {
    mapReads = 0
    expect((await count('/bomb.xml')).body).toMatchObject({ items: 0, is_complete: true })
    expect(mapReads).toBe(200)
  })
})

describe('a robots.txt', () => {
  it.each([
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/c', false],
    ['User-agent: atrium\nDisallow: /\n\nUser-agent: *\nAllow: /', '/x', false],
    ['User-agent: other\nDisallow: /', '/x', true],
    ['User-agent: one\nUser-agent: *\nDisallow: /x # all', '/x/y', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf?c', true],
    ['User-agent: *\nDisallow:', '/x', true],
  ])('%j decides about %s', (text, path, isAllowed) => {
    expect(readRobots(text, 'Atrium')(path)).toBe(isAllowed)
  })

  it('with hostile lines is read in a short time', () => {
    const begin = performance.now()
    const blank = ' '.repeat(250_000)
    expect(readRobots(`Disallow: x${blank}y\nAllow:${blank}#\u2028`, 'Atrium')('/x')).toBe(true)
    const allows = readRobots(`User-agent: *\nDisallow: /${'*'.repeat(400_000)}x`, 'Atrium')
    for (let at = 0; at < 1000; at += 1) allows(`/page-${at}`)
    expect(performance.now() - begin).toBeLessThan(1000)
  })
})
