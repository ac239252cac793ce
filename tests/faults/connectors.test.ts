import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser } from '../support/builders.ts'
import { connect } from '../support/connecting.ts'
import { cloneDatabase } from '../support/database.ts'
import { type DavServer, startDavServer } from '../support/dav-server.ts'
import { aReader } from '../support/documents.ts'
import { startSyncingProcess } from '../support/syncing-process.ts'
import { createRandom } from './random.ts'

/** Number of items, each with another text. */
const ITEMS = Number(process.env.CONNECTOR_ITEMS ?? 100_000)
const KILLS = Number(process.env.FAULTS_COUNT ?? 10)
const PER_FOLDER = 1_000
/** Share of the requests that fail. */
const FAILING = 0.05
/** Share of the failures with 429, each of which makes the whole sync wait for a second. */
const BUSY = 0.002
/** Failures of one item. After five it would be listed as refused. */
const MAX_FAILURES = 3
const random = createRandom(Number(process.env.FAULTS_SEED ?? 7))

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-connectors-'))
let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let dav: DavServer
let config: Record<string, string>
beforeAll(async () => {
  dav = await startDavServer()
  database = await cloneDatabase()
  config = {
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_TOOLS_PRIVATE: dav.url,
    ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
  }
  app = await startApp({ address: database.address, jobs: false, config })
})
afterAll(async () => {
  await app.close()
  await database.drop()
  dav.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** How far a sync is, without counting its documents. */
async function progressOf(id: string) {
  const { rows } = await sql<{ state: string; phase: string | null; listed: number; added: number }>`
    select state, phase, listed, (counts ->> 'added')::int as added from connectors where id = ${id}`.execute(
    app.deps.db,
  )
  return rows[0] ?? { state: '', phase: null, listed: 0, added: 0 }
}

/** Counts items, documents, documents with the text of their item, and requests to process them. */
async function count(id: string) {
  const { rows } = await sql<{ items: number; documents: number; right: number; jobs: number }>`
    select (select count(*)::int from connector_items i where i.connector_id = ${id} and i.state = 'stored') as items,
      (select count(*)::int from documents d where d.connector_id = ${id}) as documents,
      (select count(distinct i.path)::int from documents d join connector_items i on i.id = d.connector_item_id
        join readings r on r.id = d.reading_id join blobs b on b.id = r.blob_id
        where d.connector_id = ${id} and d.name = split_part(i.path, '/', 2) and b.sha256 = encode(sha256(convert_to(
          'Item number ' || substr(split_part(d.name, '.', 1), 2), 'UTF8')), 'hex')) as right,
      (select count(*)::int from graphile_worker.jobs where task_identifier = 'process-document') as jobs`.execute(
    app.deps.db,
  )
  return rows[0]
}

/** Makes the source fail, and returns the number of failures so far. */
function makeSourceFail(): () => number {
  const failures = new Map<string, number>()
  let faults = 0
  dav.fault = (path) => {
    const failed = failures.get(path) ?? 0
    if (failed === MAX_FAILURES || random() >= FAILING) return null
    failures.set(path, failed + 1)
    faults += 1
    return random() < BUSY ? 429 : 500
  }
  return () => faults
}

describe('a first sync', () => {
  it('reads 100,000 items once each although its process is killed ten times and the source fails at times [CN-05]', async () => {
    for (let at = 0; at < ITEMS; at += 1)
      dav.files.set(`f${Math.floor(at / PER_FOLDER)}/n${at}.txt`, { text: `Item number ${at}`, id: `${at}` })
    const ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
    const settings = { address: dav.url, username: 'ada', password: dav.password }
    const { id } = await connect(ada, null, { source: 'webdav', settings })
    const countFaults = makeSourceFail()
    let [kills, phases] = [0, new Set<string>()]
    let worker = await startSyncingProcess(database.address, id, config)
    for (;;) {
      await sleep(50)
      const now = await progressOf(id)
      if (now.state === 'ready') break
      // The first kill is during the listing, the others at equal distances.
      const isTime = kills === 0 ? now.listed > ITEMS / 10 : now.added > (kills * ITEMS) / (KILLS + 1)
      if (kills === KILLS || !isTime) continue
      await worker.kill()
      kills += 1
      phases.add((await progressOf(id)).phase ?? '')
      worker = await startSyncingProcess(database.address, id, config)
    }
    await worker.kill()
    expect([kills, [...phases].sort()]).toEqual([KILLS, ['listing', 'reading']])
    expect(countFaults()).toBeGreaterThan(ITEMS * FAILING * 0.5)
    expect(await count(id)).toEqual({ items: ITEMS, documents: ITEMS, right: ITEMS, jobs: ITEMS })
    const { listed, read, refused } = (await ada.call('GET', `/connectors/${id}`)).body
    expect([listed, read, refused]).toEqual([ITEMS, ITEMS, 0])
    const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(body.items[0].counts).toMatchObject({ added: ITEMS, refused: 0 })
  }, 3_600_000)
})
