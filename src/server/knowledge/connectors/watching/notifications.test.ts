import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { type DriveServer, startDriveServer } from '#tests/drive-server.ts'
import { type GraphServer, startGraphServer } from '#tests/graph-server.ts'
import { type OAuthServer, startOAuthServer } from '#tests/oauth-server.ts'
import { signInTo } from '#tests/signing-in.ts'

const SOON = { timeout: 25_000, interval: 100 }
let app: TestApp
let base: string
let ada: Reader
let company: string
let oauth: OAuthServer
let drive: DriveServer
let graph: GraphServer
beforeAll(async () => {
  oauth = await startOAuthServer()
  const isKnown = async (token: string) => (await oauth.personOf(token)) !== null
  drive = await startDriveServer(isKnown)
  graph = await startGraphServer(oauth.url, isKnown)
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_PUBLIC_URL: 'https://atrium.example' },
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ GOOGLE_DRIVE_URL: drive.url, GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth` },
      ...{ GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`, ATRIUM_TOOLS_PRIVATE: graph.downloads },
      ...{ MICROSOFT_FILES_CLIENT_ID: 'atrium', MICROSOFT_FILES_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ MICROSOFT_FILES_URL: graph.url, MICROSOFT_FILES_SIGN_IN_URL: `${graph.url}/login/common` },
    },
  })
  const origin = await app.listen()
  base = `${origin}/api/v1`
  for (const source of [drive, graph]) source.receiver = origin
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${base}/connector-sign-ins/return`],
  }
  const scopes = ['https://www.googleapis.com/auth/drive.readonly', 'Files.Read.All', 'Sites.Read.All']
  oauth.know({ clients: [client], registers: false, scopes })
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  drive.close()
  graph.close()
  oauth.close()
})
beforeEach(() => {
  drive.channels.clear()
  drive.notified.length = 0
  drive.losesAnswer = false
  drive.put({ id: 'first', name: 'first.txt', text: 'The first file.' })
  graph.subscriptions.clear()
  graph.notified.length = 0
  graph.drives.set('mine', 'OneDrive')
  graph.put({ id: 'own', drive: 'mine', name: 'own.txt', text: 'My own file.' })
})

const db = () => app.deps.db
const read = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body
const namesOf = async (id: string) => (await documentsOf(app, id)).map(({ name }) => name)
const look = () => app.deps.jobs.add('look-for-watches', {})

/** Connects a source, reads everything and waits until it is watched. The last sync was an hour ago. */
async function connectWatched(source: string): Promise<string> {
  const { id } = await connect(ada, company, { source, settings: {}, start: false, every_minutes: 1440 })
  await signInTo(base, ada, id)
  expect(await syncNow(ada, id)).toMatchObject({ state: 'ready' })
  await look()
  await expect.poll(async () => (await read(id)).notifications, SOON).toBe('on')
  await age(id)
  return id
}
const age = (id: string) =>
  sql`update connectors set last_sync_at = last_sync_at - interval '1 hour' where id = ${id}`.execute(db())
const renew = async (id: string) => {
  await sql`update connector_watches set renew_at = now() where connector_id = ${id}`.execute(db())
  await look()
}
const planned = async (id: string) => Date.parse((await read(id)).next_sync_at) - Date.now()
const HOUR_MS = 3_600_000

const post = async (id: string, headers: Record<string, string>, body?: object, query = '') => {
  const answer = await fetch(`${base}/connectors/${id}/notifications${query}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('notifications of Google Drive', () => {
  it('make a change visible within seconds [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    expect(drive.channels.size).toBe(1)
    expect(await planned(id)).toBeGreaterThan(HOUR_MS)
    drive.put({ id: 'second', name: 'second.txt', text: 'The second file.' })
    await expect.poll(() => namesOf(id), SOON).toContain('second.txt')
    expect(drive.notified).toContain(202)
  })

  it('without the secret are refused and start nothing [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const [{ token = '' } = {}] = [...drive.channels.values()]
    const headers: Record<string, string>[] = [
      {},
      { 'x-goog-channel-token': 'guessed' },
      { 'x-goog-channel-token': `${token}x` },
    ]
    for (const forged of headers)
      expect(await post(id, { ...forged, 'x-goog-resource-state': 'change' })).toMatchObject({ status: 401 })
    const other = '00000000-0000-4000-8000-000000000000'
    expect(await post(other, { 'x-goog-channel-token': token })).toMatchObject({ status: 401 })
    expect(await post(id, {}, undefined, '?validationToken=echo')).toMatchObject({ status: 401 })
    expect(await planned(id)).toBeGreaterThan(HOUR_MS)
    const syncs = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(syncs.body.items).toHaveLength(1)
  })

  it('are renewed in new channels before they end, and stopped with the connector [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const [former] = [...drive.channels.keys()]
    const { rows } = await sql<{ hours: number }>`select extract(epoch from renew_at - now()) / 3600 as hours
      from connector_watches where connector_id = ${id}`.execute(db())
    expect(Number(rows[0]?.hours)).toBeLessThanOrEqual(24)
    await renew(id)
    const isReplaced = () => drive.channels.size === 1 && !drive.channels.has(former ?? '')
    await expect.poll(isReplaced, SOON).toBe(true)
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
    await expect.poll(() => drive.channels.size, SOON).toBe(0)
  })

  it('that ended leave the connector at its interval [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    drive.channels.clear()
    await sql`update connector_watches set ends_at = now() - interval '1 minute', renew_at = now() + interval '1 hour'
      where connector_id = ${id}`.execute(db())
    expect(await read(id)).toMatchObject({ notifications: 'off' })
    drive.put({ id: 'later', name: 'later.txt', text: 'A later file.' })
    await sql`update connectors set next_sync_at = now() where id = ${id}`.execute(db())
    await app.deps.jobs.add('look-for-syncs', {})
    await expect.poll(() => namesOf(id), SOON).toContain('later.txt')
  })

  it('of a channel whose process died before it was stored are accepted [CN-06]', async () => {
    drive.losesAnswer = true
    const { id } = await connect(ada, company, {
      source: 'google-drive',
      settings: {},
      start: false,
      every_minutes: 1440,
    })
    await signInTo(base, ada, id)
    await syncNow(ada, id)
    await look()
    await expect.poll(() => drive.channels.size, SOON).toBeGreaterThan(0)
    await age(id)
    drive.put({ id: 'third', name: 'third.txt', text: 'The third file.' })
    await expect.poll(() => namesOf(id), SOON).toContain('third.txt')
    drive.losesAnswer = false
    await renew(id)
    await expect.poll(async () => (await read(id)).notifications, SOON).toBe('on')
  })

  it('during a sync make another one follow [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const [{ token = '' } = {}] = [...drive.channels.values()]
    let isHeld = true
    drive.before = async (path) => {
      while (path === '/changes' && isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await ada.call('POST', `/connectors/${id}/sync`)
    await expect.poll(() => drive.asked.at(-1), SOON).toBe('/changes')
    expect(
      await post(id, { 'x-goog-channel-token': token, 'x-goog-resource-state': 'change' }),
    ).toMatchObject({ status: 202 })
    isHeld = false
    await expect.poll(async () => (await read(id)).state, SOON).toBe('ready')
    drive.before = () => undefined
    expect(await planned(id)).toBeLessThan(60_000)
  })

  it('that repeat plan one sync [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const [{ token = '' } = {}] = [...drive.channels.values()]
    const sent = Array.from({ length: 20 }, () =>
      post(id, { 'x-goog-channel-token': token, 'x-goog-resource-state': 'change' }),
    )
    expect((await Promise.all(sent)).every(({ status }) => status === 202)).toBe(true)
    await expect
      .poll(async () => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items.length, SOON)
      .toBe(2)
    const { rows } = await sql`select from graphile_worker.jobs where key = ${`connector ${id}`}`.execute(
      db(),
    )
    expect(rows.length).toBeLessThanOrEqual(1)
    expect(await planned(id)).toBeGreaterThan(HOUR_MS)
  })
})

describe('notifications of Microsoft Graph', () => {
  it('prove the address, and make a change visible within seconds [CN-06]', async () => {
    const id = await connectWatched('microsoft-files')
    expect([...graph.subscriptions.values()]).toMatchObject([{ resource: '/drives/mine/root' }])
    graph.put({ id: 'second', drive: 'mine', name: 'second.txt', text: 'The second file.' })
    await expect.poll(() => namesOf(id), SOON).toContain('second.txt')
    expect(graph.notified).toContain(202)
  })

  it('without the secret are refused, and no address is proved later [CN-06]', async () => {
    const id = await connectWatched('microsoft-files')
    const [{ clientState = '' } = {}] = [...graph.subscriptions.values()]
    const batches = [
      {},
      { value: [] },
      { value: [{ clientState: 'guessed' }] },
      { value: [{ clientState }, {}] },
    ]
    for (const batch of batches) expect(await post(id, {}, batch)).toMatchObject({ status: 401 })
    await sql`update connector_watches set tried_at = tried_at - interval '2 minutes' where connector_id = ${id}`.execute(
      db(),
    )
    expect(await post(id, {}, undefined, '?validationToken=%3Cscript%3E')).toMatchObject({ status: 401 })
    expect(await planned(id)).toBeGreaterThan(HOUR_MS)
  })

  it('are renewed in place, made again when Graph ended them, and stopped with the connector [CN-06]', async () => {
    const id = await connectWatched('microsoft-files')
    const [[subscription = '', made] = []] = [...graph.subscriptions]
    const ends = made?.expirationDateTime ?? ''
    await renew(id)
    await expect
      .poll(() => (graph.subscriptions.get(subscription)?.expirationDateTime ?? '') > ends, SOON)
      .toBe(true)
    graph.subscriptions.clear()
    await renew(id)
    await expect.poll(() => graph.subscriptions.size, SOON).toBe(1)
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
    await expect.poll(() => graph.subscriptions.size, SOON).toBe(0)
  })

  it('about their own end renew them, and about missed ones start a sync [CN-06]', async () => {
    const id = await connectWatched('microsoft-files')
    const isDue = async () => {
      const { rows } =
        await sql`select from connector_watches where connector_id = ${id} and renew_at <= now()`.execute(
          db(),
        )
      return rows.length > 0
    }
    await graph.tellLifecycle('missed')
    expect([await isDue(), (await planned(id)) < 60_000]).toEqual([false, true])
    await graph.tellLifecycle('reauthorizationRequired')
    expect(await isDue()).toBe(true)
  })
})

describe('an installation without https', () => {
  it('says that syncs run at the interval [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const local = await startApp({ address: app.address, jobs: false })
    const own = await aReader(local, `${await local.listen()}/api/v1`, ada.user)
    expect((await own.call('GET', `/connectors/${id}`)).body).toMatchObject({ notifications: 'unreachable' })
    await local.close()
  })
})

describe('many forged notifications', () => {
  it('are limited, and do not keep the source from notifying [CN-06]', async () => {
    const id = await connectWatched('google-drive')
    const [{ token = '' } = {}] = [...drive.channels.values()]
    const statuses = []
    for (let at = 0; at < 70; at += 1)
      statuses.push((await post(id, { 'x-goog-channel-token': `guess ${at}` })).status)
    expect([statuses.includes(401), statuses.at(-1)]).toEqual([true, 429])
    expect(await planned(id)).toBeGreaterThan(HOUR_MS)
    const authentic = { 'x-goog-channel-token': token, 'x-goog-resource-state': 'change' }
    expect(await post(id, authentic)).toMatchObject({ status: 202 })
    expect(await planned(id)).toBeLessThan(60_000)
  })
})
