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

/** Number of items; 100,000 take more than an hour. */
const ITEMS = Number(process.env.CONNECTOR_ITEMS ?? 1_000)
const KILLS = Number(process.env.FAULTS_COUNT ?? 10)
const PER_FOLDER = 50
/** Share of the requests that fail; a tenth of these with 429. */
const FAILING = 0.05
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

async function count(id: string) {
  const { rows } = await sql<{
    state: string
    phase: string | null
    items: number
    documents: number
    paths: number
  }>`
    select c.state, c.phase, (select count(*)::int from connector_items i where i.connector_id = c.id) as items,
      (select count(*)::int from documents d where d.connector_id = c.id) as documents,
      (select count(distinct i.path)::int from documents d join connector_items i on i.id = d.connector_item_id
        where d.connector_id = c.id and i.state = 'stored') as paths
    from connectors c where c.id = ${id}`.execute(app.deps.db)
  return rows[0] ?? { state: '', phase: null, items: 0, documents: 0, paths: 0 }
}

describe('a first sync', () => {
  it('reads every item once although its process is killed and the source fails at times', async () => {
    for (let at = 0; at < ITEMS; at += 1)
      dav.files.set(`f${Math.floor(at / PER_FOLDER)}/n${at}.txt`, { text: `Item number ${at}`, id: `${at}` })
    const ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app))
    const settings = { address: dav.url, username: 'ada', password: dav.password }
    const { id } = await connect(ada, null, { source: 'webdav', settings })
    let faults = 0
    dav.fault = () => {
      if (random() >= FAILING) return null
      faults += 1
      return random() < 0.1 ? 429 : 500
    }
    let [kills, phases] = [0, new Set<string>()]
    let worker = await startSyncingProcess(database.address, id, config)
    for (;;) {
      await sleep(50)
      const now = await count(id)
      if (now.state === 'ready') break
      // The first kill is during the listing, the others at equal distances.
      const progress = kills === 0 ? now.items > PER_FOLDER : now.documents > (kills * ITEMS) / (KILLS + 1)
      if (kills === KILLS || !progress) continue
      await worker.kill()
      kills += 1
      phases.add((await count(id)).phase ?? '')
      worker = await startSyncingProcess(database.address, id, config)
    }
    await worker.kill()
    expect([kills, [...phases].sort()]).toEqual([KILLS, ['listing', 'reading']])
    expect(faults).toBeGreaterThan(ITEMS * FAILING * 0.5)
    expect(await count(id)).toMatchObject({ items: ITEMS, documents: ITEMS, paths: ITEMS })
  }, 3_600_000)
})
