import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SourceEntry } from '#shared/knowledge/file-picks/file-picks.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { DRIVE_FILE, type PickingHouse, startPickingHouse } from '#tests/picking-house.ts'
import { keepCookies, wander } from '#tests/wander.ts'

let house: PickingHouse
let app: TestApp
let url: string
let ada: Reader
let eve: Reader
let chat: string
beforeAll(async () => {
  house = await startPickingHouse()
  app = await startApp({ config: { ...house.config, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  url = await app.listen()
  house.knowInstallation(url)
  ada = await aReader(app, `${url}/api/v1`, await aUser(app))
  eve = await aReader(app, `${url}/api/v1`, await aUser(app))
  chat = (await ada.call('POST', '/sessions', {})).body.id
}, 60_000)
afterAll(async () => {
  await app.close()
  house.close()
})
beforeEach(async () => {
  house.oauth.picks([])
  house.oauth.does('well')
  house.graph.items.clear()
  house.drive.files.clear()
  house.dav.files.clear()
  await sql`delete from file_picks`.execute(app.deps.db)
  await sql`delete from documents`.execute(app.deps.db)
})

/** Begins to pick, signs in like a browser, and returns the pick with what the page was asked for. */
async function pickAt(way: string, settings = {}, who = ada) {
  const begun = await fetch(`${url}/api/v1/file-picks`, {
    ...{ method: 'POST', headers: { ...who.user.headers, 'content-type': 'application/json' } },
    body: JSON.stringify({ way, settings, chat_session_id: chat }),
  })
  const body = (await begun.json()) as { id: string; state: string; url: string }
  expect(begun.status, JSON.stringify(body)).toBe(201)
  const jar = new Map<string, string>()
  keepCookies(jar, begun)
  const end = async () => {
    const { url: place } = await wander(body.url ?? url, new Map([[new URL(url).host, jar]]))
    return place.pathname
  }
  return { id: body.id as string, state: body.state, asked: new URL(body.url ?? url).searchParams, end }
}
const browse = async (pick_id: string, path = '') => {
  const { status, body } = await ada.call('POST', '/file-picks/browse', { pick_id, path })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items as SourceEntry[]
}
const take = (pick_id: string, file: { id: string; path?: string }, who = ada) =>
  who.call('POST', '/file-picks/take', { pick_id, chat_session_id: chat, id: file.id, path: file.path ?? '' })
const shown = (items: SourceEntry[]) => items.map(({ name, is_folder }) => (is_folder ? `${name}/` : name))
const asks = (kind: string) => house.oauth.asked.filter((one) => one === `grant ${kind}`).length

/** Expects a document of the chat with its text and its address in the source. */
async function expectDocument(answer: Awaited<ReturnType<typeof take>>, name: string, source: string) {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { id } = answer.body
  const done = await ada.processed(id)
  expect(done).toMatchObject({
    ...{ status: 'completed', name, user_id: ada.user.id },
    doc_metadata: { file_info: { source_url: source } },
  })
  const { items } = (await ada.call('GET', `/documents?chat_session_id=${chat}`)).body
  expect(items.map((one: { id: string }) => one.id)).toContain(id)
  // Like an upload, it belongs to its owner alone.
  expect((await eve.call('GET', `/documents/${id}`)).status).toBe(403)
}

describe('picking files for a chat', () => {
  it('offers OneDrive, SharePoint, Google Drive and Nextcloud [CN-19]', async () => {
    const { items } = (await ada.call('GET', '/file-picks/ways')).body
    const ways = items.map(({ id, signs_in, picks_there }: Record<string, unknown>) => [
      id,
      signs_in,
      picks_there,
    ])
    expect(ways).toEqual([
      ...[
        ['webdav', false, false],
        ['google-drive', true, true],
        ['onedrive', true, false],
      ],
      ['sharepoint', true, false],
    ])
  })

  it('covers only the files that a person picks on the page of Google [CN-19]', async () => {
    house.drive.put({ id: 'lease', name: 'Lease.txt', text: 'The lease costs 900 euros.' })
    house.drive.put({ id: 'other', name: 'Other.txt', text: 'Private.' })
    house.oauth.picks(['lease'])
    const { id, state, asked, end } = await pickAt('google-drive')
    expect(state).toBe('waiting')
    expect([asked.get('scope'), asked.get('trigger_onepick'), asked.get('access_type')]).toEqual([
      ...[DRIVE_FILE, 'true', 'online'],
    ])
    expect(await end()).toBe(`/chat/${chat}`)
    const found = await ada.call('GET', `/file-picks/state?pick_id=${id}`)
    expect(found.body).toMatchObject({ state: 'ready', picked: ['lease'] })
    await expectDocument(
      await take(id, { id: 'lease' }),
      'Lease.txt',
      'https://drive.google.com/file/d/lease/view',
    )
    expect((await take(id, { id: 'other' })).status).toBe(404)
    expect(house.drive.reads.get('other')).toBeUndefined()
  })

  it('asks Microsoft for the files of the person only, and for sites only where a site is named [CN-19]', async () => {
    house.graph.put({ id: 'plans', drive: 'mine', name: 'Plans', isFolder: true })
    house.graph.put({ id: 'p1', drive: 'mine', name: 'mill.txt', parent: 'plans', text: 'The mill.' })
    house.graph.put({ id: 'd1', drive: 'docs', name: 'site.txt', text: 'The site.' })
    const mine = await pickAt('onedrive')
    expect(mine.asked.get('scope')).toBe('Files.Read')
    expect(await mine.end()).toBe(`/chat/${chat}`)
    expect(shown(await browse(mine.id))).toEqual(['OneDrive/'])
    expect(shown(await browse(mine.id, 'OneDrive'))).toEqual(['Plans/'])
    const [mill] = await browse(mine.id, 'OneDrive/Plans')
    await expectDocument(await take(mine.id, mill!), 'mill.txt', 'https://files.test/p1')
    const site = await pickAt('sharepoint', { sites: 'https://files.test/sites/plans' })
    expect(site.asked.get('scope')).toBe('Files.Read.All Sites.Read.All')
    await site.end()
    const [file] = await browse(site.id, 'Plans/Documents')
    await expectDocument(await take(site.id, file!), 'site.txt', 'https://files.test/d1')
  })

  it('lists folders and files of Nextcloud and stores the app password sealed [CN-19]', async () => {
    house.dav.files.set('Leases/mill.txt', { text: 'The mill.', id: '7' })
    house.dav.files.set('note.txt', { text: 'A note.', id: '8' })
    const settings = { address: house.dav.url, username: 'ada', password: house.dav.password }
    const { id, state } = await pickAt('webdav', settings)
    expect(state).toBe('ready')
    expect(shown(await browse(id))).toEqual(['Leases/', 'note.txt'])
    const [mill] = await browse(id, 'Leases')
    const source = `${new URL(house.dav.url).origin}/index.php/f/7`
    await expectDocument(await take(id, mill!), 'mill.txt', source)
    const { rows } = await sql<{ row: string }>`select p::text as row from file_picks p`.execute(app.deps.db)
    expect(rows[0]?.row).not.toContain(house.dav.password)
    expect([...house.dav.methods].sort()).toEqual(['GET', 'PROPFIND'])
  })

  it('says why a sign-in does not work', async () => {
    const settings = { address: house.dav.url, username: 'ada', password: 'wrong' }
    const wish = { way: 'webdav', settings, chat_session_id: chat }
    const { status, body } = await ada.call('POST', '/file-picks', wish)
    expect([status, body.detail]).toEqual([422, `${new URL(house.dav.url).host} refuses the sign-in.`])
    house.oauth.does('deny')
    const { id, end } = await pickAt('onedrive')
    expect(await end()).toBe(`/chat/${chat}`)
    expect((await ada.call('GET', `/file-picks/state?pick_id=${id}`)).body.state).toBe('refused')
    expect((await ada.call('POST', '/file-picks/browse', { pick_id: id })).status).toBe(422)
  })

  it('refuses a pick without a field that its source requires [CN-19]', async () => {
    for (const settings of [{}, { sites: '' }]) {
      const wish = { way: 'sharepoint', settings, chat_session_id: chat }
      const { status, body } = await ada.call('POST', '/file-picks', wish)
      expect([status, body.detail]).toEqual([422, 'The field sites is required.'])
    }
  })

  it('reads a file once, also when it is asked for twice at the same time [CN-19]', async () => {
    house.dav.files.set('note.txt', { text: 'A note.', id: '8' })
    const { id } = await pickAt('webdav', {
      ...{ address: house.dav.url, username: 'ada', password: house.dav.password },
    })
    const [note] = await browse(id)
    const answers = await Promise.all([take(id, note!), take(id, note!)])
    answers.push(await take(id, note!))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('uses a sign-in for one pick only, without a refresh token, and forgets it at its end [CN-19]', async () => {
    const { id, end } = await pickAt('onedrive')
    await end()
    const { rows } = await sql<{ sealed: string }>`select sealed from file_picks`.execute(app.deps.db)
    expect(app.deps.secrets.open(rows[0]?.sealed ?? '')).not.toContain('refresh')
    expect(asks('refresh_token')).toBe(0)
    expect((await ada.call('POST', '/file-picks/end', { pick_id: id })).status).toBe(204)
    const stateOf = async (pick: string) =>
      (await ada.call('GET', `/file-picks/state?pick_id=${pick}`)).status
    expect(await stateOf(id)).toBe(422)
    const later = await pickAt('onedrive')
    await later.end()
    expect(await stateOf(later.id)).toBe(200)
    await sql`update file_picks set until = now() - interval '1 second'`.execute(app.deps.db)
    expect(await stateOf(later.id)).toBe(422)
  })

  it('belongs to one person, one browser and a chat that the person may write [CN-19]', async () => {
    const wish = { way: 'onedrive', settings: {}, chat_session_id: chat }
    expect((await eve.call('POST', '/file-picks', wish)).status).toBe(403)
    const { id, end } = await pickAt('onedrive')
    for (const [method, path, body] of [
      ...[['GET', `/file-picks/state?pick_id=${id}`, undefined] as const],
      ...[['POST', '/file-picks/browse', { pick_id: id }] as const],
    ])
      expect((await eve.call(method, path, body)).status).toBe(422)
    expect((await take(id, { id: 'x' }, eve)).status).toBe(403)
    expect((await eve.call('POST', '/file-picks/end', { pick_id: id })).status).toBe(204)
    await end()
    expect((await ada.call('GET', `/file-picks/state?pick_id=${id}`)).body.state).toBe('ready')
  })

  it('ignores the return of another browser', async () => {
    const begun = await ada.call('POST', '/file-picks', {
      way: 'onedrive',
      settings: {},
      chat_session_id: chat,
    })
    await wander(begun.body.url)
    const { body } = await ada.call('GET', `/file-picks/state?pick_id=${begun.body.id}`)
    expect(body.state).toBe('waiting')
  })

  it('refuses paths above the folder', async () => {
    const settings = { address: house.dav.url, username: 'ada', password: house.dav.password }
    const { id } = await pickAt('webdav', settings)
    expect((await ada.call('POST', '/file-picks/browse', { pick_id: id, path: '../private' })).status).toBe(
      422,
    )
    expect((await take(id, { id: 'x', path: 'a/../../x' })).status).toBe(422)
  })
})
