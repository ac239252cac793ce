import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type GraphServer, startGraphServer } from '#tests/graph-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { signInTo } from '#tests/signing-in.ts'

let app: TestApp
let base: string
let ada: Reader
let bob: Reader
let dan: Reader
let company: string
let oauth: OAuthServer
let graph: GraphServer
let downloads: string
beforeAll(async () => {
  oauth = await startOAuthServer()
  graph = await startGraphServer(oauth.url, async (token) => (await oauth.personOf(token)) !== null)
  downloads = graph.downloads
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_TOOLS_PRIVATE: graph.downloads },
      ...{ MICROSOFT_FILES_CLIENT_ID: 'atrium', MICROSOFT_FILES_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ MICROSOFT_FILES_URL: graph.url, MICROSOFT_FILES_SIGN_IN_URL: `${graph.url}/login/common` },
    },
  })
  base = `${await app.listen()}/api/v1`
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${base}/connector-sign-ins/return`],
  }
  oauth.know({ clients: [client], registers: false, scopes: ['Files.Read.All', 'Sites.Read.All'] })
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
  dan = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
})
afterAll(async () => {
  await app.close()
  graph.close()
  oauth.close()
})
beforeEach(() => {
  graph.items.clear()
  graph.groups.clear()
  graph.links = graph.url
  graph.repeats = null
  graph.downloads = downloads
  graph.fail(0, 0)
  graph.drives.clear()
  graph.drives.set('docs', 'Documents')
  graph.drives.set('mine', 'OneDrive')
  graph.sites.set('files.test:/sites/achats', { name: 'Achats', drives: ['docs'] })
  graph.put({ id: 'lots', drive: 'docs', name: 'Lots & plans', isFolder: true })
  for (let at = 0; at < 20; at += 1)
    graph.put({ id: `n${at}`, drive: 'docs', name: `n ${at}.txt`, parent: 'lots', text: `Number ${at}` })
  graph.put({ id: 'lot3', drive: 'docs', name: 'Lot 3.txt', text: 'The pumps of lot 3.' })
  graph.put({ id: 'own', drive: 'mine', name: 'own.txt', text: 'My own file.' })
})

const settings = { sites: 'https://files.test/sites/achats/' }
const wish = { source: 'microsoft-files', settings, start: false }
/** Connects a site, signs in and reads everything. */
async function connectSite(more = {}): Promise<string> {
  const { id } = await connect(ada, company, { ...wish, ...more })
  expect((await signInTo(base, ada, id)).back).toBe(`/documents/connectors/${id}?sign_in=connected`)
  await syncNow(ada, id)
  graph.reads.clear()
  graph.asked.length = 0
  return id
}
const read = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)
const countReads = () => [...graph.reads.values()].reduce((sum, count) => sum + count, 0)

describe('SharePoint and OneDrive', () => {
  it('are browsed and counted after the sign-in, and read with all folders', async () => {
    const { id } = await connect(ada, company, wish)
    const { asked } = await signInTo(base, ada, id)
    expect(asked.get('scope')).toBe('offline_access Files.Read.All Sites.Read.All')
    const trial = { source: 'microsoft-files', settings: {}, company_id: company, connector_id: id }
    const browse = async (path: string) =>
      (await ada.call('POST', '/connector-sources/browse', { ...trial, path })).body.items.map(
        (one: { path: string }) => one.path,
      )
    expect(await browse('')).toEqual(['Achats'])
    expect(await browse('Achats')).toEqual(['Achats/Documents'])
    expect(await browse('Achats/Documents')).toEqual(['Achats/Documents/Lots & plans'])
    const selection = { folders: ['Achats/Documents/Lots & plans'], include: [], exclude: [] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...trial, selection })
    expect(counted.body).toMatchObject({ items: 20, is_complete: true })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', listed: 21, read: 21, refused: 0 })
    const { body } = await ada.call('GET', `/documents/${(await find(id, 'Achats/Documents/Lot 3.txt'))?.id}`)
    expect(body.source).toMatchObject({ url: 'https://files.test/lot3', owner: 'Ada Kessler' })
    expect([...graph.methods]).toEqual(['GET'])
  })

  it('are the OneDrive of the person without sites', async () => {
    const { id } = await connect(bob, null, { ...wish, settings: {} })
    await signInTo(base, bob, id)
    expect(await syncNow(bob, id)).toMatchObject({ state: 'ready', read: 1 })
    expect(await find(id, 'OneDrive/own.txt')).toBeDefined()
  })

  it('are read by their changes: new, changed, renamed, moved and deleted files', async () => {
    const id = await connectSite()
    const before = await find(id, 'Achats/Documents/Lot 3.txt')
    graph.put({ id: 'lot3', drive: 'docs', name: 'Lot 3 final.txt' })
    graph.put({ id: 'n0', drive: 'docs', text: 'Changed.' })
    graph.put({ id: 'n1', drive: 'docs', parent: '' })
    graph.remove('docs', 'n2')
    const now = new Date(Date.now() + 60_000).toISOString()
    graph.put({ id: 'new', drive: 'docs', name: 'New', isFolder: true, createdDateTime: now })
    graph.put({ id: 'fresh', drive: 'docs', name: 'fresh.txt', parent: 'new', text: 'Fresh.' })
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 1, changed: 1, moved: 2, removed: 1, refused: 0 })
    expect(countReads()).toBe(2)
    const paths = (await documentsOf(app, id)).map(({ path }) => path)
    expect(paths).toHaveLength(21)
    expect(paths).toEqual(
      expect.arrayContaining(['Achats/Documents/n 1.txt', 'Achats/Documents/New/fresh.txt']),
    )
    expect(await find(id, 'Achats/Documents/Lot 3 final.txt')).toMatchObject({ id: before?.id, version: 1 })
    expect(await read(id)).toMatchObject({ listed: 21, read: 21 })
  })

  it('are listed again after a renamed folder and an old delta link, without reading content twice', async () => {
    const id = await connectSite()
    graph.put({ id: 'lots', drive: 'docs', name: 'Lots' })
    await syncNow(ada, id)
    expect(await countsOf(id)).toMatchObject({ added: 0, changed: 0, moved: 20, removed: 0 })
    expect(await find(id, 'Achats/Documents/Lots/n 0.txt')).toBeDefined()
    graph.forgetChanges()
    graph.put({ id: 'lot3', drive: 'docs', text: 'The pumps are blue.' })
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 0, changed: 1, moved: 0, removed: 0, refused: 0 })
    expect(countReads()).toBe(1)
  })

  it('ask before more than a tenth of the items disappears with changes', async () => {
    const id = await connectSite()
    for (let at = 0; at < 3; at += 1) graph.remove('docs', `n${at}`)
    const asking = await syncNow(ada, id)
    expect(asking).toMatchObject({ state: 'asking', read: 21, removal: { missing: 3, of: 21 } })
    const answer = { removal_id: asking.removal?.id, answer: 'remove' }
    await ada.call('POST', `/connectors/${id}/removal`, answer)
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 18 })
    await ada.call('POST', `/connectors/${id}/removal/undo`, { removal_id: asking.removal?.id })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'asking', read: 21, removal: { missing: 3 } })
  })

  it('mirror permissions of people and groups, and changed ones count after the next sync', async () => {
    const user = (email: string) => ({ roles: ['read'], grantedToV2: { user: { id: '1', email } } })
    const group = { roles: ['write'], grantedToV2: { group: { id: 'G-1', displayName: 'Board' } } }
    const login = `i:0#.f|membership|${bob.user.email}`
    const byLogin = { roles: ['read'], grantedToV2: { siteUser: { loginName: login } } }
    const link = (scope: string) => ({
      ...{ roles: ['read'], link: { scope, type: 'view' } },
      grantedToIdentitiesV2: [{ user: { id: '1', email: bob.user.email } }],
    })
    const put = (id: string, ...permissions: object[]) => graph.put({ id, drive: 'docs', permissions })
    put('lot3', user(bob.user.email.toUpperCase()))
    put('n0', group)
    put('n1', link('anonymous'), link('organization'))
    put('n2', link('users'))
    put('n3', byLogin)
    graph.groups.set('g-1', [dan.user.email])
    const id = await connectSite({ rights: 'mirrored' })
    const seen = async (who: Reader) => {
      const paths = ['Lot 3.txt', ...[0, 1, 2, 3].map((at) => `Lots & plans/n ${at}.txt`)]
      const statuses = []
      for (const path of paths) {
        const document = await find(id, `Achats/Documents/${path}`)
        statuses.push((await who.call('GET', `/documents/${document?.id}`)).status === 200)
      }
      return statuses
    }
    expect(await seen(bob)).toEqual([true, false, false, true, true])
    expect(await seen(dan)).toEqual([false, true, false, false, false])
    expect(await seen(ada)).toEqual([false, false, false, false, false])
    // Graph does not report changed permissions as changes of the item.
    const lot3 = graph.items.get('docs/lot3')
    if (lot3) lot3.permissions = []
    graph.groups.clear()
    await syncNow(ada, id)
    expect((await seen(bob))[0]).toBe(false)
    expect((await seen(dan))[1]).toBe(false)
    expect(countReads()).toBe(0)
  })

  it('do not follow a link to another host, which would receive the token', async () => {
    const id = await connectSite()
    graph.links = graph.downloads
    graph.forgetChanges()
    graph.put({ id: 'lot3', drive: 'docs', text: 'The pumps are blue.' })
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 21, error: expect.stringContaining('another host') },
    })
  })

  it('refuse a download from a private address, and read everything else', async () => {
    const id = await connectSite()
    graph.downloads = 'http://127.0.0.1:9'
    graph.put({ id: 'n0', drive: 'docs', text: 'Changed.' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', error: null, refused: 1 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([{ state: 'refused', name: 'n 0.txt', reason: 'refused' }])
    expect(body.items[0].detail).toContain('not an address of the public internet')
  })

  it.each(['items', 'permissions'] as const)(
    'fail when the pages of %s repeat, and keep their documents',
    async (list) => {
      graph.put({ id: 'lot3', drive: 'docs', permissions: [{ roles: ['read'] }] })
      const id = await connectSite({ rights: 'mirrored' })
      graph.repeats = list
      const connector = await syncNow(ada, id)
      graph.repeats = null
      expect(connector).toMatchObject({
        ...{ state: 'failing', read: 21, error: expect.stringContaining('repeats a part of its list') },
      })
      expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    },
  )

  it('are read without folders that contain each other', async () => {
    graph.put({ id: 'x', drive: 'docs', name: 'X', isFolder: true, parent: 'y' })
    graph.put({ id: 'y', drive: 'docs', name: 'Y', isFolder: true, parent: 'x' })
    graph.put({ id: 'z', drive: 'docs', name: 'z.txt', parent: 'x', text: 'Round and round.' })
    const id = await connectSite()
    expect(await read(id)).toMatchObject({ state: 'ready', read: 21, error: null })
  })

  it('are left alone for as long as they ask, and keep documents when the sign-in ends', async () => {
    const id = await connectSite()
    graph.fail(429, 1, { 'retry-after': '1' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', error: null })
    oauth.forget()
    expect(await syncNow(ada, id)).toMatchObject({ state: 'signed_out', read: 21 })
    expect((await signInTo(base, ada, id)).back).toContain('connected')
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    expect(countReads()).toBe(0)
  })
})
