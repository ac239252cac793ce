import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { type DavServer, startDavServer } from '#tests/dav-server.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { firstPage } from '../../count-items.ts'
import { CursorExpired, type SourceContext } from '../../define-connector.ts'
import { openSource } from '../../engine/open-source.ts'
import webdav from './webdav-source.ts'

let app: TestApp
let ada: Reader
let company: string
let dav: DavServer
beforeAll(async () => {
  dav = await startDavServer()
  app = await startApp({
    config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_TOOLS_PRIVATE: dav.url },
  })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  dav.close()
})
beforeEach(() => {
  dav.files.clear()
  for (let at = 0; at < 20; at += 1)
    dav.files.set(`Achats/n ${at}.txt`, { text: `Number ${at}`, id: `${at}` })
  dav.files.set('Été & Co/Lot 3.txt', { text: 'The pumps of lot 3.', id: '100', owner: 'Inès Roche' })
})

const settingsOf = () => ({ address: dav.url, username: 'ada', password: dav.password })
const connectDav = (more = {}) => connect(ada, company, { source: 'webdav', settings: settingsOf(), ...more })
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)

describe('a WebDAV server', () => {
  it('is read with all folders, and later only what changed, moved or disappeared', async () => {
    const { id } = await connectDav()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 21, read: 21, refused: 0 })
    const before = await find(id, 'Été & Co/Lot 3.txt')
    expect(before).toMatchObject({ name: 'Lot 3.txt', tags: ['Été & Co'], version: 1 })
    const { body: document } = await ada.call('GET', `/documents/${before?.id}`)
    expect(document.source).toEqual({
      ...{ connector_id: id, connector_name: 'Contracts', path: 'Été & Co/Lot 3.txt', owner: 'Inès Roche' },
      ...{
        url: `${new URL(dav.url).origin}/index.php/f/100`,
        labels: [],
        changed_at: expect.stringContaining('2026-11-02T10:00'),
      },
    })
    const lot = dav.files.get('Été & Co/Lot 3.txt')
    dav.files.delete('Été & Co/Lot 3.txt')
    dav.files.set('Archive/Lot 3 final.txt', lot ?? { text: '' })
    dav.files.set('Achats/n 0.txt', { text: 'Changed', id: '0' })
    dav.files.delete('Achats/n 1.txt')
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 0, changed: 1, moved: 1, removed: 1, refused: 0 })
    const after = await find(id, 'Archive/Lot 3 final.txt')
    expect(after).toMatchObject({ id: before?.id, name: 'Lot 3 final.txt', tags: ['Archive'], version: 1 })
    expect(await find(id, 'Achats/n 1.txt')).toBeUndefined()
  })

  it('is browsed and counted, and only the selection is read', async () => {
    const trial = { source: 'webdav', company_id: company, settings: settingsOf() }
    const { body } = await ada.call('POST', '/connector-sources/browse', trial)
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['Achats', 'Été & Co'])
    const selection = { folders: ['Été & Co'], include: [], exclude: [] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...trial, selection })
    expect(counted.body).toMatchObject({ items: 1, bytes: 19, is_complete: true })
  })

  it('continues after errors and keeps the sync when a folder is refused', async () => {
    dav.fail(500, 2)
    const trial = { source: 'webdav', company_id: company, settings: settingsOf() }
    expect((await ada.call('POST', '/connector-sources/try', trial)).body.ok).toBe(false)
    dav.fail(0, 0)
    const { id } = await connectDav()
    await synced(ada, id)
    dav.fail(500, 3)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, removal: null })
    dav.fail(403, 100)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'failing', read: 21, removal: null })
    dav.fail(429, 1, { 'retry-after': '1' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
  })

  it('says when its password is wrong, and gets stored secrets for the same address only', async () => {
    const wrong = { source: 'webdav', company_id: company, settings: { ...settingsOf(), password: 'no' } }
    const tried = await ada.call('POST', '/connector-sources/try', wrong)
    expect([tried.body.ok, tried.body.error]).toEqual([false, expect.stringContaining('refuses the sign-in')])
    const { id } = await connectDav()
    await synced(ada, id)
    const known = { source: 'webdav', company_id: company, connector_id: id }
    const same = await ada.call('POST', '/connector-sources/try', { ...known, settings: { username: 'ada' } })
    expect(same.body.ok).toBe(true)
    const moved = { ...known, settings: { address: `${dav.url}/`, username: 'ada' } }
    expect((await ada.call('POST', '/connector-sources/try', moved)).body.ok).toBe(false)
  })

  it('is only read', async () => {
    const { id } = await connectDav()
    await synced(ada, id)
    expect([...dav.methods].sort()).toEqual(['GET', 'PROPFIND'])
  })

  it('cannot be on a private address that the installation does not allow', async () => {
    const settings = { ...settingsOf(), address: 'http://127.0.0.1:9/dav' }
    const trial = { source: 'webdav', company_id: company, settings }
    const { body } = await ada.call('POST', '/connector-sources/try', trial)
    expect([body.ok, body.error]).toEqual([
      false,
      expect.stringContaining('not an address of the public internet'),
    ])
  })

  it('is read when its names have invisible characters or NUL, or its folders contain each other', async () => {
    dav.files.clear()
    dav.files.set('zero\u200bwidth.txt', { text: 'Invisible.', id: '1' })
    dav.files.set('n\u0000l.txt', { text: 'Zero.', id: '2' })
    dav.files.set('plain.txt', { text: 'Plain.', id: '3' })
    dav.loop = 'loop'
    const { id } = await connectDav()
    const connector = await synced(ada, id)
    dav.loop = null
    expect(connector).toMatchObject({ state: 'ready', error: null })
    expect((await documentsOf(app, id)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['plain.txt', 'zerowidth.txt']),
    )
    expect(connector.listed).toBeLessThan(60)
  }, 60_000)

  it('is listed again when a folder disappears in the middle of a listing', async () => {
    const use = { connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) }
    const source = await openSource(app.deps, 'webdav', settingsOf(), use)
    const selection = { folders: [], include: [], exclude: [] }
    const { cursor } = await firstPage(source, selection, null)
    for (const path of [...dav.files.keys()]) if (path.startsWith('Achats/')) dav.files.delete(path)
    await expect(firstPage(source, selection, cursor)).rejects.toThrow(CursorExpired)
  })

  it('never sends its password to a host that a path names', async () => {
    const hosts: string[] = []
    const fetch = async (url: string) => {
      hosts.push(new URL(url).host)
      const href = ['/dav///', '/dav///evil.example/'][hosts.length - 1] ?? '/dav/'
      const xml = `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${href}</d:href><d:collection/></d:response></d:multistatus>`
      return { ok: true, status: 207, headers: new Headers(), text: () => xml }
    }
    const context = {
      settings: { ...settingsOf(), address: 'https://files.example/dav' },
      config: {},
      outbound: { fetch },
    }
    const source = await webdav.open(context as unknown as SourceContext)
    for await (const page of source.list({ folders: [], include: [], exclude: [] }, null))
      expect(page.items).toEqual([])
    expect(hosts).toEqual(['files.example', 'files.example', 'files.example'])
  })

  it('that answers with a page of HTML does not look empty', async () => {
    const xml = '<html><body>Sign in</body></html>'
    const fetch = async () => ({ ok: true, status: 207, headers: new Headers(), text: () => xml })
    const context = { settings: settingsOf(), config: {}, outbound: { fetch } }
    const source = await webdav.open(context as unknown as SourceContext)
    await expect(firstPage(source, { folders: [], include: [], exclude: [] }, null)).rejects.toMatchObject({
      code: 'unavailable',
    })
  })

  it('that names no versions is read with every sync', async () => {
    dav.files.clear()
    dav.files.set('a.txt', { text: 'Before', id: '1' })
    dav.hasVersions = false
    const { id } = await connectDav()
    await synced(ada, id)
    dav.files.set('a.txt', { text: 'Behind', id: '1' })
    await syncNow(ada, id)
    dav.hasVersions = true
    expect(await countsOf(id)).toMatchObject({ changed: 1 })
    expect(await find(id, 'a.txt')).toMatchObject({ version: 2 })
  })
})
