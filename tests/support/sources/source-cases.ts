import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SyncCounts } from '../../../src/shared/knowledge/connectors/connectors.ts'
import { startApp, type TestApp } from '../app.ts'
import { aUser } from '../builders.ts'
import { connect, documentsOf, synced, syncNow } from '../connecting.ts'
import { cloneDatabase } from '../database.ts'
import { aReader, type Reader } from '../documents.ts'
import { startSyncingProcess } from '../syncing-process.ts'
import type { SourceServer } from './source-server.ts'

/** A source with a server in place of its interface. */
export type RecordedSource = {
  source: string
  server: SourceServer
  settings: () => Record<string, string>
  /** Gives the server this many items that are read. */
  fill: (items: number) => void
  /** Changes some items and returns the counts that a sync must report. */
  change: () => SyncCounts
  /** Tells whether a request reads the content of an item. */
  isRead: (request: string) => boolean
  /** Ends or renews the sign-in. */
  setSignedIn: (isSignedIn: boolean) => void
  /** Requests with another method than GET that only read. */
  mayAsk?: RegExp
}

/** A running application whose administrator connects the source. */
export type Connecting = {
  readonly app: TestApp
  readonly ada: Reader
  readonly company: string
  connect: (more?: Record<string, unknown>) => Promise<string>
  /** Returns a member of the company with a verified address. */
  aMember: () => Promise<Reader>
  counts: (id: string) => Promise<SyncCounts>
  document: (id: string, path: string) => Promise<{ id: string; text: string; source: unknown }>
}

const ITEMS = 22

/** The server under both of its names; files may be at another origin than the interface. */
const hostsOf = ({ url }: SourceServer) => `${url},${url.replace('127.0.0.1', 'localhost')}`

/** Starts an application before the tests of a file. */
export function startConnecting(recorded: () => RecordedSource): Connecting {
  let state: { app: TestApp; base: string; ada: Reader; company: string } | undefined
  const running = () => {
    if (!state) throw new Error('The application has not started.')
    return state
  }
  beforeAll(async () => {
    const app = await startApp({
      config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_TOOLS_PRIVATE: hostsOf(recorded().server) },
    })
    const base = `${await app.listen()}/api/v1`
    const ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
    const company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
    state = { app, base, ada, company }
  })
  afterAll(() => state?.app.close())
  return {
    get app() {
      return running().app
    },
    get ada() {
      return running().ada
    },
    get company() {
      return running().company
    },
    connect: async (more = {}) => {
      const { source, settings } = recorded()
      const { ada, company } = running()
      return (await connect(ada, company, { source, settings: settings(), ...more })).id
    },
    aMember: async () => {
      const { app, base, company } = running()
      return aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
    },
    counts: async (id) => (await running().ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts,
    document: async (id, path) => {
      const { app, ada } = running()
      const found = (await documentsOf(app, id)).find((one) => one.path === path)
      expect(found, path).toBeDefined()
      const { body } = await ada.call('GET', `/documents/${found?.id}`)
      const { content } = await ada.bytes(`/documents/${found?.id}/content?original=true`)
      return { id: found?.id ?? '', text: content.toString(), source: body.source }
    },
  }
}

/** Adds the tests that every source must pass. */
export function itSyncs(recorded: () => RecordedSource, connecting: Connecting): void {
  beforeEach(() => {
    const { server, setSignedIn, fill } = recorded()
    server.fault = () => null
    server.repeats = false
    setSignedIn(true)
    fill(ITEMS)
    server.requests.length = 0
  })

  describe('the syncs', () => {
    it('read everything first, and later only what changed', async () => {
      const { server, change, isRead } = recorded()
      const id = await connecting.connect()
      const first = { state: 'ready', error: null, listed: ITEMS, read: ITEMS, refused: 0 }
      expect(await synced(connecting.ada, id)).toMatchObject(first)
      expect(server.requests.filter(isRead)).toHaveLength(ITEMS)
      server.requests.length = 0
      expect(await syncNow(connecting.ada, id)).toMatchObject(first)
      expect(server.requests.filter(isRead)).toEqual([])
      const counts = change()
      await syncNow(connecting.ada, id)
      expect(await connecting.counts(id)).toEqual(counts)
      const reads = server.requests.filter(isRead).length
      expect(reads).toBeGreaterThan(0)
      expect(reads).toBeLessThanOrEqual(1.2 * (counts.added + counts.changed))
    })

    it('wait as long as the source asks', async () => {
      const { server } = recorded()
      let until = 0
      let early = 0
      server.fault = () => {
        if (until === 0 && server.requests.length > ITEMS / 2) {
          until = Date.now() + 1_000
          return { status: 429, json: {}, headers: { 'retry-after': '1' } }
        }
        if (Date.now() < until - 200) early += 1
        return null
      }
      const id = await connecting.connect()
      expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', read: ITEMS, refused: 0 })
      expect(Date.now()).toBeGreaterThan(until)
      // Up to three others were under way, with a few requests each.
      expect(early).toBeLessThan(10)
    })

    it('keep all documents when the sign-in ends, and continue after a new one', async () => {
      const { setSignedIn } = recorded()
      const id = await connecting.connect()
      await synced(connecting.ada, id)
      setSignedIn(false)
      const ended = await syncNow(connecting.ada, id)
      expect(ended).toMatchObject({ state: 'signed_out', read: ITEMS, removal: null, next_sync_at: null })
      const { source, settings } = recorded()
      const trial = { source, settings: settings(), company_id: connecting.company }
      expect((await connecting.ada.call('POST', '/connector-sources/try', trial)).body.ok).toBe(false)
      setSignedIn(true)
      await connecting.ada.call('PATCH', `/connectors/${id}`, { settings: settings() })
      expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', read: ITEMS, error: null })
    })

    it('keep all documents when the source refuses, fails or repeats its list', async () => {
      const { server } = recorded()
      const id = await connecting.connect()
      await synced(connecting.ada, id)
      const failing = { state: 'failing', read: ITEMS, removal: null }
      server.fault = () => ({ status: 403, json: {} })
      expect(await syncNow(connecting.ada, id)).toMatchObject(failing)
      server.fault = () => ({ json: [{ a: '\0' }] })
      expect(await syncNow(connecting.ada, id)).toMatchObject(failing)
      server.fault = () => null
      server.repeats = true
      expect(await syncNow(connecting.ada, id)).toMatchObject(failing)
      server.repeats = false
      expect(await syncNow(connecting.ada, id)).toMatchObject({ state: 'ready', read: ITEMS, error: null })
    }, 60_000)

    it('only read', async () => {
      const { server, mayAsk } = recorded()
      await synced(connecting.ada, await connecting.connect())
      const others = server.requests.filter((one) => !one.startsWith('GET ') && !mayAsk?.test(one))
      expect(others).toEqual([])
      expect(server.requests.length).toBeGreaterThan(ITEMS)
    })
  })

  it('continues a first sync whose process is killed, without a doubled or missing item', async () => {
    const { server, source, settings, isRead } = recorded()
    const dataDir = mkdtempSync(join(tmpdir(), 'atrium-source-'))
    const database = await cloneDatabase()
    const config = {
      ...{ ATRIUM_DATA_DIR: dataDir, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
      ATRIUM_TOOLS_PRIVATE: hostsOf(server),
    }
    const { address } = database
    const app = await startApp({ address, jobs: false, config })
    const user = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
    const { id } = await connect(user, null, { source, settings: settings() })
    const state = async () => (await user.call('GET', `/connectors/${id}`)).body
    server.requests.length = 0
    const readCount = () => server.requests.filter(isRead).length
    // Items that were read share commits, so the source holds the second half until the kill.
    const killed = Promise.withResolvers<void>()
    server.beforeAnswer = async () => {
      if (readCount() > ITEMS / 2) await killed.promise
    }
    let worker = await startSyncingProcess(address, id, config)
    await expect.poll(async () => (await state()).read, { timeout: 60_000, interval: 5 }).toBeGreaterThan(2)
    await worker.kill()
    server.beforeAnswer = async () => undefined
    killed.resolve()
    const before = (await state()).read
    worker = await startSyncingProcess(address, id, config)
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('ready')
    await worker.kill()
    const { rows } = await sql<{ items: number; documents: number }>`
      select (select count(*)::int from connector_items where connector_id = ${id} and state = 'stored') as items,
        (select count(*)::int from documents where connector_id = ${id}) as documents`.execute(app.deps.db)
    const reads = readCount()
    await app.close()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
    expect(rows[0]).toEqual({ items: ITEMS, documents: ITEMS })
    expect(before).toBeLessThan(ITEMS)
    // Those that were under way are read again.
    expect(reads).toBeLessThanOrEqual(ITEMS + 4)
  }, 180_000)
}
