import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PART_BYTES } from '../../src/shared/knowledge/documents/uploads.ts'
import { isBusy } from '../../src/shared/lifecycle/imports/imports.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser, type TestUser } from '../support/builders.ts'
import { cloneDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import { chatgptChat, manyChats } from '../support/imports/chatgpt-export.ts'
import { anImporter } from '../support/imports/importing.ts'
import { claudeChat, librechatChat, openWebuiChat } from '../support/imports/other-exports.ts'
import { type Product, startProduct } from '../support/product.ts'
import { zipOf } from '../support/zip.ts'
import { createRandom } from './random.ts'

/** The size of the export. 5000 chats of 40 messages of 5000 bytes are 1 GB. */
const CHATS = Number(process.env.IMPORT_CHATS ?? 120)
const MESSAGES = Number(process.env.IMPORT_MESSAGES ?? 40)
const BYTES = Number(process.env.IMPORT_BYTES ?? 1_000)
const KILLS = Number(process.env.FAULTS_COUNT ?? 6)
const random = createRandom(Number(process.env.FAULTS_SEED ?? 7))
const LONG = { timeout: 3_600_000 }

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-imports-'))
let database: Awaited<ReturnType<typeof cloneDatabase>>
let app: TestApp
let user: TestUser
let product: Product
let peak = 0
const start = async () => {
  product = await startProduct({
    ...{ dataDir, entry: 'src/server/main.ts' },
    env: { DATABASE_URL: databaseUrl(database.address), ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' },
  })
}
const person = () => anImporter(`${product.url}/api/v1`, user)

beforeAll(async () => {
  database = await cloneDatabase()
  const config = { ATRIUM_DATA_DIR: dataDir, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' }
  app = await startApp({ address: database.address, jobs: false, config })
  user = await aUser(app)
  await start()
})
afterAll(async () => {
  await product.kill()
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Uploads the export without holding it in memory. Returns the id of the upload. */
async function upload(): Promise<string> {
  let size = 0
  for (const piece of manyChats(CHATS, MESSAGES, BYTES)) size += Buffer.byteLength(piece)
  const { body } = await person().call('POST', '/imports/uploads', { name: 'conversations.json', size })
  let [held, offset] = [[] as Buffer[], 0]
  const send = async () => {
    const part = Buffer.concat(held)
    await person().sendPart(body.id, offset, new Uint8Array(part))
    offset += part.length
    held = []
  }
  for (const piece of manyChats(CHATS, MESSAGES, BYTES)) {
    held.push(Buffer.from(piece))
    if (held.reduce((sum, { length }) => sum + length, 0) >= PART_BYTES) await send()
  }
  if (held.length > 0) await send()
  return body.id
}

/** Returns the memory of the product in MB. */
function memory(): number {
  const status = readFileSync(`/proc/${product.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function settled(id: string) {
  for (;;) {
    const { body } = await person().call('GET', `/imports/${id}`)
    if (!isBusy(body)) return body
    peak = Math.max(peak, memory())
    await sleep(250)
  }
}

/** Kills the product at random moments while a job works on the import. Returns how often. */
async function killWhile(id: string): Promise<number> {
  let kills = 0
  while (kills < KILLS) {
    await sleep(200 + random() * 1_500)
    const { state } = (await person().call('GET', `/imports/${id}`)).body
    if (!isBusy({ state })) break
    await product.kill()
    kills += 1
    await start()
  }
  return kills
}

async function count() {
  const { rows } = await sql<{ chats: number; messages: number; doubles: number }>`
    select count(distinct s.id)::int as chats, count(m.id)::int as messages,
      (count(m.id) - count(distinct (m.session_id, left(m.content, 60))))::int as doubles
    from sessions s left join messages m on m.session_id = s.id where s.user_id = ${user.id}`.execute(
    app.deps.db,
  )
  return rows[0]
}

async function read(): Promise<string> {
  const { body } = await person().call('POST', '/imports', { upload_id: await upload() })
  expect(body.state).toBe('reading')
  return body.id
}

const pair = [{ id: 'a' }, { id: 'b' }]
const libre = librechatChat('libre', false)
/** One chat of two messages in each format. */
const formats = {
  chatgpt: [chatgptChat({ id: 'chatgpt', messages: pair })],
  claude: [claudeChat('claude', [{}, {}])],
  open_webui: [
    openWebuiChat('webui', { a: { parentId: null }, b: { parentId: 'a', role: 'assistant' } }, 'b'),
  ],
  librechat: { ...libre, messages: libre.messages.slice(0, 2) },
  atrium: {
    ...{ format: 'atrium-chat', version: 1, id: 'atrium', title: 'Atrium', active_leaf: 'b' },
    messages: [
      { id: 'a', parent_id: null, role: 'user', content: 'Text a', blocks: [] },
      { id: 'b', parent_id: 'a', role: 'assistant', content: 'Text b', blocks: [] },
    ],
  },
}

/** Imports each format under a name that says nothing, with a kill after the start. */
async function importEveryFormat(): Promise<void> {
  for (const [format, content] of Object.entries(formats)) {
    const read = await person().preview(zipOf({ 'x/1.json': JSON.stringify(content) }), 'x')
    expect(read).toMatchObject({ state: 'ready', format })
    await person().call('POST', `/imports/${read.id}/start`, {})
    await product.kill()
    await start()
    expect(await settled(read.id)).toMatchObject({ state: 'done', added: { chats: 1, messages: 2 } })
    expect(await person().undo(read.id)).toMatchObject({ state: 'undone', kept: 0 })
  }
}

describe('an import', () => {
  it(
    'recognizes every format by content, and imports any size once although its job is killed [IP-01]',
    LONG,
    async () => {
      const idle = memory()
      await importEveryFormat()
      const id = await read()
      const whole = { chats: CHATS, messages: CHATS * MESSAGES }
      expect(await settled(id)).toMatchObject({ state: 'ready', preview: { ...whole, new_chats: CHATS } })
      const began = Date.now()
      await person().call('POST', `/imports/${id}/start`, {})
      const kills = await killWhile(id)
      expect(await settled(id)).toMatchObject({ state: 'done', added: whole })
      const seconds = Math.round((Date.now() - began) / 1_000)
      expect(await count()).toEqual({ ...whole, doubles: 0 })
      const again = await read()
      expect(await settled(again)).toMatchObject({ state: 'ready', preview: { new_chats: 0 } })
      await person().call('POST', `/imports/${again}/start`, {})
      expect(await settled(again)).toMatchObject({ state: 'done', added: { chats: 0, messages: 0 } })
      await person().call('POST', `/imports/${id}/undo`)
      await killWhile(id)
      expect(await settled(id)).toMatchObject({ state: 'undone', kept: 0, added: { chats: 0, messages: 0 } })
      expect(await count()).toEqual({ chats: 0, messages: 0, doubles: 0 })
      console.info(
        `${CHATS} chats in ${seconds} s with ${kills} kills, ${Math.round(peak)} MB at most, ${Math.round(idle)} MB idle`,
      )
      expect(kills).toBeGreaterThan(0)
      // The product also serves and indexes meanwhile; this bounds what comes on top.
      expect(peak - idle).toBeLessThan(300)
    },
  )
})
