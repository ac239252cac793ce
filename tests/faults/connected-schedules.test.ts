import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSchedules } from '../../src/server/chat/schedules/schedules.ts'
import { type Chat, startChat } from '../support/chat.ts'
import { connect } from '../support/connecting.ts'
import { cloneDatabase } from '../support/database.ts'
import { type DavServer, startDavServer } from '../support/dav-server.ts'
import { aReader, type Reader } from '../support/documents.ts'
import { says } from '../support/model-server.ts'
import { startSyncingProcess } from '../support/syncing-process.ts'

const ITEMS = 12
const KILLS = 3

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-connected-'))
let database: Awaited<ReturnType<typeof cloneDatabase>>
let chat: Chat
let ada: Reader
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
  chat = await startChat({ app: { address: database.address, jobs: false, config } })
  chat.model.always([says('Fine.')])
  ada = await aReader(chat.app, chat.url, chat.user)
})
afterAll(async () => {
  await chat.close()
  await database.drop()
  dav.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const stateOf = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body

/** Syncs while the process is killed several times. */
async function syncWithKills(id: string): Promise<void> {
  const count = async () => {
    const { rows } = await sql<{ done: number }>`
      select count(*)::int as done from connector_items where connector_id = ${id} and state = 'stored'`.execute(
      chat.app.deps.db,
    )
    return rows[0]?.done ?? 0
  }
  const share = ITEMS / (KILLS + 1)
  for (let kills = 1; kills <= KILLS; kills += 1) {
    const killed = Promise.withResolvers<void>()
    let sent = 0
    dav.beforeFile = async () => {
      sent += 1
      if (sent > share) await killed.promise
    }
    const worker = await startSyncingProcess(database.address, id, config)
    while ((await count()) < kills * share) await sleep(20)
    await worker.kill()
    killed.resolve()
  }
  dav.beforeFile = async () => undefined
  const worker = await startSyncingProcess(database.address, id, config)
  while ((await stateOf(id)).state !== 'ready') await sleep(20)
  await worker.kill()
}

/** Returns the number of deliveries and of runs by version of the documents. */
async function countStarts(schedule: string) {
  const { rows } = await sql<{ version: string; deliveries: number; runs: number; documents: number }>`
    select split_part(d.foreign_id, ' ', 3) as version, count(*)::int as deliveries,
      count(distinct d.document_id)::int as documents, count(*) filter (where s.state = 'completed')::int as runs
    from trigger_deliveries d left join slots s on s.id = d.slot_id where d.schedule_id = ${schedule} group by 1 order by 1`.execute(
    chat.app.deps.db,
  )
  return rows
}

async function aConnector(): Promise<string> {
  for (let at = 0; at < ITEMS; at += 1)
    dav.files.set(`n${at}.txt`, { text: `Item number ${at}`, id: `${at}` })
  const settings = { address: dav.url, username: 'ada', password: dav.password }
  return (await connect(ada, null, { source: 'webdav', settings })).id
}

async function aSchedule(rule: object): Promise<string> {
  const wish = {
    ...{ name: 'Watch', text: 'What is new?', model_name: 'compatible/scripted' },
    ...{ time_zone: 'Europe/Paris', rule },
  }
  const made = await ada.call('POST', '/schedules', wish)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}

it('starts the schedules of a connector and of its project once for each document, although the sync is killed [TG-01]', async () => {
  const connector_id = await aConnector()
  const workspace_id = (await ada.call('POST', '/workspaces', { name: 'Leases' })).body.id
  await ada.call('POST', `/workspaces/${workspace_id}/connectors`, { connector_id, is_in: true })
  const schedules = [
    await aSchedule({ kind: 'connector_document', connector_id }),
    await aSchedule({ kind: 'document', workspace_id }),
  ]
  await syncWithKills(connector_id)
  await chat.app.deps.jobs.start()
  const look = async () => {
    await runSchedules(chat.app.deps, new AbortController().signal)
    return Promise.all(schedules.map(countStarts))
  }
  const all = { version: '1', deliveries: ITEMS, documents: ITEMS, runs: ITEMS }
  await expect.poll(look, { timeout: 120_000, interval: 200 }).toEqual([[all], [all]])
  await sql`update connectors set listed_at = null`.execute(chat.app.deps.db)
  expect((await ada.call('POST', `/connectors/${connector_id}/sync`)).status).toBe(200)
  await expect.poll(async () => (await stateOf(connector_id)).state, { timeout: 30_000 }).toBe('ready')
  expect(await look()).toEqual([[all], [all]])
}, 300_000)
