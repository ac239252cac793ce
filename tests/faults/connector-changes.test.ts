import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepWatch } from '../../src/server/knowledge/connectors/watching/keep-watch.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser } from '../support/builders.ts'
import { connect } from '../support/connecting.ts'
import { cloneDatabase } from '../support/database.ts'
import { aReader, type Reader } from '../support/documents.ts'
import { DRIVE_FOLDER, type DriveServer, startDriveServer } from '../support/drive-server.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { signInTo } from '../support/signing-in.ts'
import { startSyncingProcess } from '../support/syncing-process.ts'

const ITEMS = 1_000
/** Half of the kills are while pages of changes are read, half while contents are. */
const KILLS = 4
/** Time that the service takes to issue tokens, so that two processes ask for them at the same time. */
const TOKEN_MS = 500

/** Allows for loaded machines. */
const SLOW = { timeout: 240_000 }

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-changes-'))
let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let base: string
let ada: Reader
let oauth: OAuthServer
let drive: DriveServer
let config: Record<string, string>
const tokens = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  await sleep(TOKEN_MS)
  const { authorization, 'content-type': type = '' } = request.headers
  const headers = { 'content-type': type, ...(authorization && { authorization }) }
  const given = await fetch(`${oauth.url}/token`, { method: 'POST', headers, body: Buffer.concat(chunks) })
  response.writeHead(given.status, { 'content-type': 'application/json' }).end(await given.text())
})
beforeAll(async () => {
  oauth = await startOAuthServer()
  drive = await startDriveServer(async (token) => (await oauth.personOf(token)) !== null)
  await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve))
  database = await cloneDatabase()
  config = {
    ...{ ATRIUM_DATA_DIR: dataDir, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
    ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
    ...{ GOOGLE_DRIVE_URL: drive.url, GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth` },
    ATRIUM_PUBLIC_URL: 'https://atrium.example',
    GOOGLE_DRIVE_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
  }
  app = await startApp({ address: database.address, jobs: false, config })
  const origin = await app.listen()
  base = `${origin}/api/v1`
  drive.receiver = origin
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${base}/connector-sign-ins/return`],
  }
  oauth.know({
    ...{ clients: [client], registers: false },
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  ada = await aReader(app, base, await aUser(app))
})
afterAll(async () => {
  await app.close()
  await database.drop()
  drive.close()
  tokens.close()
  oauth.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const stateOf = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body
const syncsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items
async function isSynced(id: string, syncs: number): Promise<boolean> {
  return (await stateOf(id)).state === 'ready' && (await syncsOf(id)).length === syncs
}
/** Number of items in the state of the source that are stored, and of documents. */
async function countStored(id: string) {
  const { rows } = await sql<{ items: number; documents: number; progress: number }>`
    select (select count(*)::int from connector_items where connector_id = ${id} and state = 'stored') as items,
      (select count(*)::int from documents where connector_id = ${id}) as documents,
      (select coalesce(sum(version), 0)::int from documents where connector_id = ${id}) as progress`.execute(
    app.deps.db,
  )
  return rows[0] ?? { items: 0, documents: 0, progress: 0 }
}

async function connectDrive(): Promise<string> {
  const { id } = await connect(ada, null, { source: 'google-drive', settings: {}, start: false })
  await signInTo(base, ada, id)
  expect((await ada.call('POST', `/connectors/${id}/sync`)).status).toBe(200)
  return id
}

const COUNTS = { added: 300, changed: 500, moved: 120, removed: 80, refused: 0 }
const CHANGES = 1_000
/** Contents that have to be read. */
const CONTENTS = COUNTS.added + COUNTS.changed

/** Makes 1,000 changes in the source: 500 contents, 60 names and 60 places are others, 80 files are gone and 300 are new. */
function change(round: number): void {
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `n${from + at}`)
  for (const id of ids(0, 500)) drive.put({ id, text: `${id} changed in ${round}` })
  for (const id of ids(500, 560)) drive.put({ id, name: `renamed ${id} in ${round}.txt` })
  for (const id of ids(560, 620)) drive.put({ id, parents: [round === 1 ? drive.root : 'folder'] })
  const first = ITEMS - COUNTS.removed * round
  for (const id of ids(first, first + COUNTS.removed)) drive.remove(id)
  for (let at = 0; at < COUNTS.added; at += 1)
    drive.put({ id: `new${round}-${at}`, text: `New ${at} in ${round}` })
}
/** Items behind a round of changes. */
const leftAfter = (round: number) => ITEMS + round * (COUNTS.added - COUNTS.removed)

async function expectChanged(id: string, round: number) {
  const [{ counts, error }] = await syncsOf(id)
  expect([counts, error]).toEqual([COUNTS, null])
  const left = leftAfter(round)
  expect(await countStored(id)).toMatchObject({ items: left, documents: left })
  expect(await stateOf(id)).toMatchObject({ listed: left, read: left })
  expect(drive.asked).not.toContain('/files')
}

describe('changes of a source', () => {
  it('1,000 of all kinds are seen at the next sync although processes are killed, or two work at the same time [CN-06]', async () => {
    drive.put({ id: 'folder', name: 'Folder', mimeType: DRIVE_FOLDER })
    for (let at = 0; at < ITEMS; at += 1)
      drive.put({ id: `n${at}`, parents: ['folder'], text: `Number ${at}` })
    const id = await connectDrive()
    let worker = await startSyncingProcess(database.address, id, config)
    await expect.poll(() => isSynced(id, 1), SLOW).toBe(true)
    await worker.kill()

    drive.reads.clear()
    drive.asked.length = 0
    change(1)
    let [kills, pages] = [0, 0]
    drive.before = async (path) => {
      if (path === '/changes') pages += 1
      await sleep(20)
    }
    const before = (await countStored(id)).progress
    await ada.call('POST', `/connectors/${id}/sync`)
    worker = await startSyncingProcess(database.address, id, config)
    for (;;) {
      await sleep(20)
      if (await isSynced(id, 2)) break
      const { progress } = await countStored(id)
      const isTime =
        kills < KILLS / 2 ? pages > (kills + 1) * 50 : progress > before + (kills - 2) * 250 + 100
      if (kills === KILLS || !isTime) continue
      await worker.kill()
      kills += 1
      worker = await startSyncingProcess(database.address, id, config)
    }
    await worker.kill()
    drive.before = () => undefined
    expect(kills).toBe(KILLS)
    await expectChanged(id, 1)
    const reads = [...drive.reads.values()].reduce((sum, one) => sum + one, 0)
    expect(reads).toBeGreaterThanOrEqual(CONTENTS)
    // Reads that were killed before their commit are repeated.
    expect(reads).toBeLessThanOrEqual(1.2 * CHANGES)

    change(2)
    const workers = await startTwo(id)
    await ada.call('POST', `/connectors/${id}/sync`)
    await expect.poll(() => isSynced(id, 3), SLOW).toBe(true)
    for (const one of workers) await one.kill()
    await expectChanged(id, 2)
  }, 600_000)
})

describe('a notification', () => {
  it('is acted on after the process that should is killed [CN-06]', async () => {
    const id = await connectDrive()
    let worker = await startSyncingProcess(database.address, id, config)
    await expect.poll(() => isSynced(id, 1), SLOW).toBe(true)
    await keepWatch(app.deps, id, new AbortController().signal)
    expect(await stateOf(id)).toMatchObject({ notifications: 'on' })
    drive.notified.length = 0
    drive.put({ id: 'notified', text: 'A file that is notified.' })
    await expect.poll(() => drive.notified, SLOW).toContain(202)
    await worker.kill()
    expect(await syncsOf(id)).toHaveLength(1)
    worker = await startSyncingProcess(database.address, id, config)
    await expect.poll(() => isSynced(id, 2), SLOW).toBe(true)
    await worker.kill()
    const [{ counts }] = await syncsOf(id)
    expect(counts).toMatchObject({ added: 1 })
  }, 300_000)
})

describe('an expired token', () => {
  it('is renewed once by two processes', async () => {
    drive.files.clear()
    drive.put({ id: 'only', text: 'One file.' })
    oauth.tokensLast(1)
    const id = await connectDrive()
    await sql`update connectors set state = 'paused', next_sync_at = null`.execute(app.deps.db)
    await sleep(1_100)
    oauth.tokensLast(3_600)
    oauth.asked.length = 0
    const workers = await startTwo(id)
    await sleep(500)
    await ada.call('POST', `/connectors/${id}/sync`)
    await expect.poll(() => isSynced(id, 1), SLOW).toBe(true)
    for (const worker of workers) await worker.kill()
    expect(oauth.asked).toEqual(['grant refresh_token'])
  }, 300_000)
})

const startTwo = (id: string) =>
  Promise.all([
    startSyncingProcess(database.address, id, config),
    startSyncingProcess(database.address, id, config),
  ])
