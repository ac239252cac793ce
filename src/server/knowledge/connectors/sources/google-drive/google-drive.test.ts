import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { type DavServer, startDavServer } from '#tests/dav-server.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { DRIVE_FOLDER, type DriveServer, startDriveServer } from '#tests/drive-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { signInTo } from '#tests/signing-in.ts'

const NATIVE = 'application/vnd.google-apps.'
let app: TestApp
let base: string
let ada: Reader
let bob: Reader
let company: string
let oauth: OAuthServer
let drive: DriveServer
let dav: DavServer
/** Access tokens that Google received. */
const tokens = new Set<string>()
beforeAll(async () => {
  oauth = await startOAuthServer()
  drive = await startDriveServer(async (token) => {
    tokens.add(token)
    return (await oauth.personOf(token)) !== null
  })
  dav = await startDavServer()
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', GOOGLE_DRIVE_URL: drive.url },
      ATRIUM_TOOLS_PRIVATE: dav.url,
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth`,
      GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`,
    },
  })
  base = `${await app.listen()}/api/v1`
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${base}/connector-sign-ins/return`],
  }
  oauth.know({
    ...{ clients: [client], registers: false },
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
})
afterAll(async () => {
  await app.close()
  drive.close()
  dav.close()
  oauth.close()
})
beforeEach(() => {
  oauth.does('well')
  oauth.tokensLast(3_600)
  oauth.asked.length = 0
  drive.files.clear()
  drive.drives.clear()
  drive.members.clear()
  drive.reads.clear()
  drive.fail(0, 0)
  drive.before = () => undefined
  drive.repeats = null
  drive.put({ id: 'achats', name: 'Achats', mimeType: DRIVE_FOLDER })
  for (let at = 0; at < 20; at += 1)
    drive.put({ id: `n${at}`, name: `n ${at}.txt`, parents: ['achats'], text: `Number ${at}` })
  drive.put({ id: 'lot3', name: 'Lot 3.txt', text: 'The pumps of lot 3.' })
})

const wish = { source: 'google-drive', settings: {}, start: false }
/** Connects Google Drive, signs in and reads everything. */
async function connectDrive(more = {}): Promise<string> {
  const { id } = await connect(ada, company, { ...wish, ...more })
  expect((await signInTo(base, ada, id)).back).toBe(`/documents/connectors/${id}?sign_in=connected`)
  await syncNow(ada, id)
  drive.reads.clear()
  drive.asked.length = 0
  return id
}
const read = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const pathsOf = async (id: string) => (await documentsOf(app, id)).map(({ path }) => path)
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)
const countReads = () => [...drive.reads.values()].reduce((sum, count) => sum + count, 0)

describe('the sign-in to Google Drive', () => {
  it('waits for a person, reads nothing before they choose, and then reads all', async () => {
    const { id, state } = await connect(ada, company, { ...wish, start: true })
    expect(state).toBe('signed_out')
    expect((await ada.call('POST', `/connectors/${id}/sync`)).status).toBe(409)
    const trial = { source: 'google-drive', settings: {}, company_id: company, connector_id: id }
    expect((await ada.call('POST', '/connector-sources/try', trial)).body.ok).toBe(false)
    const { asked, back } = await signInTo(base, ada, id)
    expect(back).toBe(`/documents/connectors/${id}?sign_in=connected`)
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ client_id: 'atrium', code_challenge_method: 'S256', access_type: 'offline' },
      scope: 'https://www.googleapis.com/auth/drive.readonly',
    })
    expect(await read(id)).toMatchObject({ state: 'paused', listed: 0, error: null })
    const { body: folders } = await ada.call('POST', '/connector-sources/browse', {
      ...trial,
      path: 'My Drive',
    })
    expect(folders.items).toEqual([{ path: 'My Drive/Achats', name: 'Achats', has_folders: true }])
    const selection = { folders: ['My Drive/Achats'], include: [], exclude: [] }
    const counted = await ada.call('POST', '/connector-sources/count', { ...trial, selection })
    expect(counted.body).toMatchObject({ items: 20, is_complete: true })
    expect(countReads()).toBe(0)
    expect((await ada.call('PATCH', `/connectors/${id}`, { selection, rights: 'mirrored' })).status).toBe(200)
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 20, rights: 'mirrored' })
    expect((await ada.call('PATCH', `/connectors/${id}`, { rights: 'named' })).status).toBe(409)
  })

  it('is refused in another browser, without consent, and for people who do not manage the connector', async () => {
    const { id } = await connect(ada, company, wish)
    expect((await signInTo(base, ada, id, { isOther: true })).back).toContain('sign_in=expired')
    oauth.does('deny')
    expect((await signInTo(base, ada, id)).back).toContain('sign_in=refused')
    expect((await read(id)).state).toBe('signed_out')
    expect((await bob.call('POST', `/connectors/${id}/sign-in`)).status).toBe(403)
    const forged = await fetch(`${base}/connector-sign-ins/return?state=x&code=y`, { redirect: 'manual' })
    expect(forged.headers.get('location')).toBe('/documents/connectors?sign_in=expired')
  })

  it('renews an expired token, and reports a revoked sign-in without losing documents', async () => {
    const id = await connectDrive()
    oauth.tokensLast(1)
    expect((await signInTo(base, ada, id)).back).toContain('connected')
    await synced(ada, id)
    oauth.asked.length = 0
    oauth.tokensLast(3_600)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21 })
    expect(oauth.asked).toEqual(['grant refresh_token'])
    oauth.forget()
    expect(await syncNow(ada, id)).toMatchObject({ state: 'signed_out', read: 21, next_sync_at: null })
    const document = await find(id, 'My Drive/Lot 3.txt')
    expect((await bob.call('GET', `/documents/${document?.id}`)).status).toBe(200)
    drive.put({ id: 'lot3', text: 'The pumps of lot 3 changed.' })
    await signInTo(base, ada, id)
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    expect(await countsOf(id)).toMatchObject({ added: 0, changed: 1, removed: 0 })
  })
})

describe('sign-ins', () => {
  it('are by key or OAuth, of the company or a person, sealed, and keep what was read when they end [CN-03]', async () => {
    dav.files.set('a.txt', { text: 'By key.', id: '1' })
    const settings = { address: dav.url, username: 'ada', password: dav.password }
    const byKey = { source: 'webdav', settings }
    const byPage = { source: 'google-drive', settings: {}, start: false }
    const made: { id: string; who: Reader }[] = []
    for (const [who, owner] of [
      [ada, company],
      [bob, null],
    ] as const)
      for (const one of [byKey, byPage]) {
        const { id } = await connect(who, owner, one)
        if (one === byPage) {
          await signInTo(base, who, id)
          await who.call('POST', `/connectors/${id}/sync`)
        }
        expect(await synced(who, id)).toMatchObject({ state: 'ready', read: one === byPage ? 21 : 1 })
        made.push({ id, who })
      }
    const { rows } = await sql`
      select to_jsonb(c) as row from connectors c union all select to_jsonb(s) from connector_sign_ins s`.execute(
      app.deps.db,
    )
    const stored = JSON.stringify(rows)
    expect(tokens.size).toBeGreaterThan(0)
    for (const secret of [dav.password, ...tokens]) expect(stored).not.toContain(secret)
    const shown = await Promise.all(
      made.map(async ({ id, who }) => (await who.call('GET', `/connectors/${id}`)).body),
    )
    for (const secret of [dav.password, ...tokens]) expect(JSON.stringify(shown)).not.toContain(secret)

    dav.password = 'another'
    oauth.forget()
    for (const { id, who } of made) {
      const before = (await documentsOf(app, id)).length
      const ended = await syncNow(who, id)
      expect(ended).toMatchObject({ state: 'signed_out', error: expect.any(String), next_sync_at: null })
      expect(ended.read).toBe(before)
      const [document] = await documentsOf(app, id)
      expect((await who.call('GET', `/documents/${document?.id}`)).status).toBe(200)
    }
    dav.password = 'sesame'
    const { rows: told } = await sql<{ count: number }>`
      select count(*)::int as count from notifications where kind = 'connector_signed_out'
        and connector_id = any(${made.map(({ id }) => id)}::uuid[])`.execute(app.deps.db)
    expect(told[0]?.count).toBe(4)
  })
})

describe('Google Drive', () => {
  it('lists folders, shared drives and its own documents in pages, without shortcuts and trash', async () => {
    drive.drives.set('team', 'Team')
    drive.put({ id: 'plan', name: 'Plan', mimeType: `${NATIVE}document`, text: 'A plan.' })
    drive.put({ id: 'form', name: 'Form', mimeType: `${NATIVE}form` })
    drive.put({ id: 'huge', name: 'Huge', mimeType: `${NATIVE}presentation`, text: 'x'.repeat(10_000_001) })
    drive.put({ id: 'link', name: 'Link', mimeType: `${NATIVE}shortcut` })
    drive.put({ id: 'gone', name: 'gone.txt', text: 'Gone.', trashed: true })
    drive.put({ id: 'notes', name: 'a/b.txt', text: 'Notes.', driveId: 'team', parents: ['team'] })
    const id = await connectDrive()
    const paths = await pathsOf(id)
    expect(paths).toHaveLength(23)
    expect(paths).toEqual(
      expect.arrayContaining(['My Drive/Lot 3.txt', 'My Drive/Plan.docx', 'Team/a-b.txt']),
    )
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items.map((one: { name: string; reason: string }) => [one.name, one.reason])).toEqual([
      ['Form', 'unreadable'],
      ['Huge.pptx', 'too_large'],
    ])
    expect([...drive.methods]).toEqual(['GET'])
  })

  it('reads only changes afterwards: new, changed, renamed, moved and deleted files', async () => {
    drive.drives.set('team', 'Team')
    const id = await connectDrive()
    const before = await find(id, 'My Drive/Lot 3.txt')
    drive.put({ id: 'lot3', name: 'Lot 3 final.txt' })
    drive.put({ id: 'n0', text: 'Changed.' })
    drive.put({ id: 'n1', parents: ['team'], driveId: 'team' })
    drive.put({ id: 'n2', trashed: true })
    drive.put({ id: 'new', name: 'new.txt', text: 'New.', parents: ['achats'] })
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 1, changed: 1, moved: 2, removed: 1, refused: 0 })
    expect(countReads()).toBe(2)
    expect(drive.asked.filter((path) => path === '/files')).toEqual([])
    const paths = await pathsOf(id)
    expect(paths).toHaveLength(21)
    expect(paths).toEqual(expect.arrayContaining(['Team/n 1.txt', 'My Drive/Achats/new.txt']))
    expect(paths).not.toContain('My Drive/Achats/n 2.txt')
    expect(await find(id, 'My Drive/Lot 3 final.txt')).toMatchObject({ id: before?.id, version: 1 })
    expect(await read(id)).toMatchObject({ listed: 21, read: 21 })
  })

  it('lists everything again after a renamed folder, and an old token, and reads no content twice', async () => {
    const id = await connectDrive()
    drive.put({ id: 'achats', name: 'Achats 2027' })
    await syncNow(ada, id)
    expect(await countsOf(id)).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(await find(id, 'My Drive/Achats 2027/n 0.txt')).toBeDefined()
    drive.forgetChanges()
    drive.put({ id: 'lot3', text: 'The pumps are blue.' })
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 0, changed: 1, moved: 0, removed: 0, refused: 0 })
    expect(countReads()).toBe(1)
  })

  it('lists everything once a week, and finds what was never reported', async () => {
    const id = await connectDrive()
    drive.files.delete('n0')
    await syncNow(ada, id)
    expect(await read(id)).toMatchObject({ listed: 21, read: 21 })
    expect(drive.asked).not.toContain('/files')
    const setAge = (hours: number) =>
      sql`update connectors set listed_at = now() - make_interval(hours => ${hours}) where id = ${id}`.execute(
        app.deps.db,
      )
    await setAge(7 * 24 - 1)
    await syncNow(ada, id)
    expect(drive.asked).not.toContain('/files')
    await setAge(7 * 24 + 1)
    await syncNow(ada, id)
    expect(drive.asked).toContain('/files')
    expect(await countsOf(id)).toEqual({ added: 0, changed: 0, moved: 0, removed: 1, refused: 0 })
    expect(await read(id)).toMatchObject({ listed: 20, read: 20 })
    expect(countReads()).toBe(0)
  })

  it('follows a changed selection with a complete listing', async () => {
    const id = await connectDrive()
    const selection = { folders: [], include: [], exclude: ['Lot*'] }
    await ada.call('PATCH', `/connectors/${id}`, { selection })
    expect(await synced(ada, id)).toMatchObject({ listed: 20, read: 20 })
    expect(drive.asked).toContain('/files')
  })

  it('asks before more than a tenth of the items disappears with changes', async () => {
    const id = await connectDrive()
    for (let at = 0; at < 4; at += 1) drive.put({ id: `n${at}`, trashed: true })
    const asking = await syncNow(ada, id)
    expect(asking).toMatchObject({ state: 'asking', read: 21, removal: { missing: 4, of: 21 } })
    const answer = { removal_id: asking.removal?.id, answer: 'keep' }
    await ada.call('POST', `/connectors/${id}/removal`, answer)
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 21 })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'asking', removal: { missing: 4 } })
  })

  it('mirrors permissions of files, and changed ones count after the next sync', async () => {
    drive.drives.set('team', 'Team')
    const mine = { type: 'user', emailAddress: bob.user.email.toUpperCase() }
    drive.put({ id: 'lot3', permissions: [mine] })
    drive.put({ id: 'n0', permissions: [{ type: 'anyone' }, { type: 'domain', domain: 'orsane.eu' }] })
    drive.put({
      id: 'team1',
      name: 't.txt',
      text: 'T',
      driveId: 'team',
      parents: ['team'],
      permissions: [mine],
    })
    const id = await connectDrive({ rights: 'mirrored' })
    const statusOf = async (who: Reader, path: string) =>
      (await who.call('GET', `/documents/${(await find(id, path))?.id}`)).status
    const seen = async () => [
      await statusOf(bob, 'My Drive/Lot 3.txt'),
      await statusOf(bob, 'My Drive/Achats/n 0.txt'),
      await statusOf(bob, 'Team/t.txt'),
      await statusOf(ada, 'My Drive/Lot 3.txt'),
    ]
    expect(await seen()).toEqual([200, 403, 200, 403])
    drive.put({ id: 'lot3', permissions: [] })
    drive.put({ id: 'team1', permissions: [{ ...mine, deleted: true }] })
    drive.put({ id: 'n0', permissions: [mine] })
    await syncNow(ada, id)
    expect(await seen()).toEqual([403, 200, 403, 403])
    expect(countReads()).toBe(0)
  })

  it('mirrors the members of shared drives, of which Google reports no change', async () => {
    drive.drives.set('team', 'Team')
    drive.members.set('team', [{ type: 'user', emailAddress: bob.user.email }])
    drive.put({ id: 'team1', name: 't.txt', text: 'T', driveId: 'team', parents: ['team'] })
    const id = await connectDrive({ rights: 'mirrored' })
    const document = await find(id, 'Team/t.txt')
    const statusOf = async () => (await bob.call('GET', `/documents/${document?.id}`)).status
    expect(await statusOf()).toBe(200)
    await syncNow(ada, id)
    expect(drive.asked).not.toContain('/files')
    drive.members.set('team', [])
    await syncNow(ada, id)
    expect(await statusOf()).toBe(403)
  })

  it.each(['files', 'permissions', 'drives'] as const)(
    'fails when the pages of %s repeat, and keeps its documents',
    async (list) => {
      drive.drives.set('team', 'Team')
      drive.put({ id: 'team1', name: 't.txt', text: 'T', driveId: 'team', parents: ['team'] })
      const id = await connectDrive({ rights: 'mirrored' })
      drive.repeats = list
      drive.forgetChanges()
      const connector = await syncNow(ada, id)
      drive.repeats = null
      expect(connector).toMatchObject({
        ...{ state: 'failing', read: 22, error: expect.stringContaining('repeats a part of its list') },
      })
      expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 22, error: null })
    },
  )

  it('reads changes in folders that contain each other without an end', async () => {
    const id = await connectDrive()
    const createdTime = new Date(Date.now() + 60_000).toISOString()
    drive.put({ id: 'x', name: 'X', mimeType: DRIVE_FOLDER, parents: ['y'], createdTime })
    drive.put({ id: 'y', name: 'Y', mimeType: DRIVE_FOLDER, parents: ['x'], createdTime })
    drive.put({ id: 'z', name: 'z.txt', parents: ['x'], text: 'Round and round.' })
    drive.put({ id: 'lot3', text: 'The pumps are blue.' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    expect(await countsOf(id)).toMatchObject({ changed: 1 })
  })

  it('waits when Google asks for it', async () => {
    const id = await connectDrive()
    drive.fail(403, 1, 'userRateLimitExceeded', { 'retry-after': '1' })
    drive.put({ id: 'lot3', text: 'Once more.' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', error: null })
    expect(await countsOf(id)).toMatchObject({ changed: 1 })
  })
})
