import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSync } from '../../src/server/knowledge/connectors/engine/run-sync.ts'
import { listKnownSources } from '../../src/server/knowledge/connectors/known-sources.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser } from '../support/builders.ts'
import { connect } from '../support/connecting.ts'
import { cloneDatabase } from '../support/database.ts'
import { aReader, type Reader } from '../support/documents.ts'
import { type SourceFixture, sourceFixtures } from '../support/source-fixtures.ts'
import { startSyncingProcess } from '../support/syncing-process.ts'

const ITEMS = 120

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-sources-'))
const fixtures = new Map<string, SourceFixture>()
let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let ada: Reader
let company: string
let config: Record<string, string>
beforeAll(async () => {
  for (const { id } of listKnownSources()) {
    const start = sourceFixtures[id]
    if (!start) throw new Error(`tests/support/source-fixtures.ts has no server for the source ${id}.`)
    fixtures.set(id, await start())
  }
  database = await cloneDatabase()
  config = { ATRIUM_DATA_DIR: dataDir, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }
  for (const fixture of fixtures.values())
    for (const [name, value] of Object.entries(fixture.config))
      config[name] = [config[name], value].filter(Boolean).join(',')
  app = await startApp({ address: database.address, jobs: false, config })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  await app.close()
  await database.drop()
  for (const fixture of fixtures.values()) await fixture.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function stateOf(id: string) {
  const { rows } = await sql<{
    state: string
    waits: boolean
    items: number
    documents: number
    texts: number
  }>`
    select c.state, coalesce(c.wait_until > now(), false) as waits,
      (select count(*)::int from connector_items i where i.connector_id = c.id) as items,
      (select count(*)::int from documents d where d.connector_id = c.id and d.parent_id is null) as documents,
      (select count(distinct d.connector_item_id)::int from documents d where d.connector_id = c.id) as texts
    from connectors c where c.id = ${id}`.execute(app.deps.db)
  return rows[0] ?? { state: '', waits: false, items: 0, documents: 0, texts: 0 }
}

/** Syncs in this process until nothing is left to do, or the source asks to wait. */
async function sync(id: string) {
  await ada.call('POST', `/connectors/${id}/sync`)
  for (;;) {
    await runSync(app.deps, id, new AbortController().signal)
    const now = await stateOf(id)
    if (now.state !== 'working' || now.waits) return now
  }
}

const lastCounts = async (id: string) => {
  const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
  const { added, changed, moved, removed, refused } = body.items[0].counts
  return { added, changed, moved, removed, refused }
}

const whole = (count: number) => ({ items: count, documents: count, texts: count })

/** Reads everything with two processes, the first of which is killed. */
async function readDespiteKill(id: string) {
  let worker = await startSyncingProcess(database.address, id, config)
  while ((await stateOf(id)).documents < 10) await sleep(20)
  await worker.kill()
  const killed = await stateOf(id)
  expect([killed.state, killed.documents < ITEMS]).toEqual(['working', true])
  worker = await startSyncingProcess(database.address, id, config)
  await expect.poll(async () => (await stateOf(id)).state, { timeout: 120_000 }).toBe('ready')
  await worker.kill()
  expect(await stateOf(id)).toMatchObject(whole(ITEMS))
}

async function followChanges(id: string, fixture: SourceFixture, files: Map<string, string>) {
  files.set('a/n 0.txt', 'Item number 0 changed')
  files.set('a/new.txt', 'A new item')
  files.delete('a/n 2.txt')
  fixture.setFiles(files)
  expect(await sync(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
  const counts = fixture.changesItems
    ? { added: 1, changed: 1, removed: 1 }
    : { added: 2, changed: 0, removed: 2 }
  expect(await lastCounts(id)).toEqual({ ...counts, moved: 0, refused: 0 })
  expect(await sync(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
  expect(await lastCounts(id)).toEqual({ added: 0, changed: 0, moved: 0, removed: 0, refused: 0 })
}

async function respectLimits(id: string, { setBusy }: SourceFixture) {
  if (!setBusy) return
  setBusy(true)
  expect(await sync(id)).toMatchObject({ state: 'working', waits: true, ...whole(ITEMS) })
  expect(await runSync(app.deps, id, new AbortController().signal)).toBeNull()
  setBusy(false)
  await sql`update connectors set wait_until = null where id = ${id}`.execute(app.deps.db)
  expect(await sync(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
}

async function askBeforeDeletion(id: string, { setFiles }: SourceFixture, files: Map<string, string>) {
  setFiles(new Map([...files].slice(0, 30)))
  expect(await sync(id)).toMatchObject({ state: 'asking', ...whole(ITEMS) })
}

it('reads every known source despite a kill, follows changes, waits when it is asked to, asks before a deletion, and writes nothing [CN-17] [CN-18]', async () => {
  for (const { id: source, mirrorsRights } of listKnownSources()) {
    const fixture = fixtures.get(source)
    if (!fixture) throw new Error(source)
    // Rights of a source that mirrors them need a test of their own here.
    expect([source, mirrorsRights]).toEqual([source, false])
    const files = new Map<string, string>()
    for (let at = 0; at < ITEMS; at += 1) files.set(`${at % 2 ? 'b' : 'a'}/n ${at}.txt`, `Item number ${at}`)
    fixture.setFiles(files)
    const { id } = await connect(ada, company, { source, settings: fixture.settings })
    await readDespiteKill(id)
    await followChanges(id, fixture, files)
    await respectLimits(id, fixture)
    await askBeforeDeletion(id, fixture, files)
    expect([source, fixture.writes()]).toEqual([source, []])
  }
}, 600_000)
