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
import { connect, documentsOf } from '../support/connecting.ts'
import { cloneDatabase } from '../support/database.ts'
import { aReader, type Reader } from '../support/documents.ts'
import { sourceFixtures } from '../support/source-fixtures.ts'
import type { SourceFixture } from '../support/sources/source-fixture.ts'
import { startSyncingProcess } from '../support/syncing-process.ts'

const ITEMS = 120
/** All sources of the product. */
const SOURCES = [
  ...['confluence', 'folder', 'git', 'google-drive', 'imap', 'jira'],
  ...['microsoft-files', 'notion', 's3', 'slack', 'web', 'webdav'],
]

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-sources-'))
const fixtures = new Map<string, SourceFixture>()
let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let base: string
let ada: Reader
let bob: Reader
let dan: Reader
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
  base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
  dan = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
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

/** Works on a sync in this process until nothing is left to do, or the source asks to wait. */
async function finish(id: string) {
  for (;;) {
    await runSync(app.deps, id, new AbortController().signal)
    const now = await stateOf(id)
    if (now.state !== 'working' || now.waits) return now
  }
}

async function sync(id: string) {
  await ada.call('POST', `/connectors/${id}/sync`)
  return finish(id)
}

const lastCounts = async (id: string) => {
  const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
  const { added, changed, moved, removed, refused } = body.items[0].counts
  return { added, changed, moved, removed, refused }
}

const whole = (count: number) => ({ items: count, documents: count, texts: count })

/** Connects a source, and signs in if people do that on a page of it. */
async function connectSource(source: string, { settings, signIn, setReader }: SourceFixture) {
  const rights = setReader ? 'mirrored' : 'named'
  const { id } = await connect(ada, company, { source, settings, rights, start: !signIn })
  if (!signIn) return id
  await signIn(base, ada, id)
  expect((await ada.call('POST', `/connectors/${id}/sync`)).status).toBe(200)
  return id
}

/** Reads everything with two processes, the first of which is killed. The second is this one. */
async function readDespiteKill(id: string) {
  const worker = await startSyncingProcess(database.address, id, config)
  while ((await stateOf(id)).documents < 10) await sleep(20)
  await worker.kill()
  const killed = await stateOf(id)
  expect([killed.state, killed.documents < ITEMS]).toEqual(['working', true])
  expect(await finish(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
}

/** Tells how many of 12 documents a person reads. */
async function countRead(who: Reader, id: string) {
  const some = (await documentsOf(app, id)).filter((_, at) => at % 10 === 0)
  const statuses = await Promise.all(
    some.map(async (one) => (await who.call('GET', `/documents/${one.id}`)).status),
  )
  return statuses.filter((status) => status === 200).length
}

/** Only the person whom the source names reads. Another one replaces them with the next sync, which reads no content again. */
async function mirrorRights(id: string, { setReader }: SourceFixture) {
  if (!setReader) return
  expect([await countRead(bob, id), await countRead(dan, id)]).toEqual([12, 0])
  setReader(dan.user.email)
  expect(await sync(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
  expect([await countRead(bob, id), await countRead(dan, id)]).toEqual([0, 12])
  expect(await lastCounts(id)).toEqual(NONE)
}

const NONE = { added: 0, changed: 0, moved: 0, removed: 0, refused: 0 }

/** Counts the documents whose content has a text. */
async function countWith(text: string, who: Reader, id: string) {
  let found = 0
  for (const { id: document } of await documentsOf(app, id)) {
    const { content } = await who.bytes(`/documents/${document}/content?original=true`)
    if (content.toString().includes(text)) found += 1
  }
  return found
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
  const reader = fixture.setReader ? dan : ada
  expect(await countWith('Item number 0 changed', reader, id)).toBe(1)
  expect(await countWith('A new item', reader, id)).toBe(1)
  expect(await countWith('Item number', reader, id)).toBe(ITEMS - 1)
  expect(await sync(id)).toMatchObject({ state: 'ready', ...whole(ITEMS) })
  expect(await lastCounts(id)).toEqual(NONE)
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

it('reads all twelve sources despite a kill, follows changes and rights, waits when it is asked to, asks before a deletion, and writes nothing [CN-02] [CN-17] [CN-18]', async () => {
  const known = listKnownSources()
  expect(known.map(({ id }) => id).sort()).toEqual(SOURCES)
  for (const { id: source, mirrorsRights } of known) {
    const fixture = fixtures.get(source)
    if (!fixture) throw new Error(source)
    expect([source, mirrorsRights]).toEqual([source, fixture.setReader !== undefined])
    const files = new Map<string, string>()
    for (let at = 0; at < ITEMS; at += 1) files.set(`${at % 2 ? 'b' : 'a'}/n ${at}.txt`, `Item number ${at}`)
    fixture.setFiles(files)
    fixture.setReader?.(bob.user.email)
    const id = await connectSource(source, fixture)
    await readDespiteKill(id)
    await mirrorRights(id, fixture)
    await followChanges(id, fixture, files)
    await respectLimits(id, fixture)
    await askBeforeDeletion(id, fixture, files)
    expect([source, fixture.writes()]).toEqual([source, []])
  }
}, 600_000)
