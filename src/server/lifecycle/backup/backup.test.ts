import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { askUntilWaiting, playAgent, say } from '#tests/asking.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import type { TestAddress } from '#tests/database.ts'
import { databaseUrl } from '#tests/database-url.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'
import { startS3Server } from '#tests/s3-server.ts'
import { readBalance } from '../../money/billing/billing.ts'
import { connect } from '../../platform/db/db.ts'
import { createLog } from '../../platform/log.ts'
import type { RunContext } from '../../runs/runs/runs.ts'
import { backUp, restore } from './backup.ts'
import { writeArchive } from './write-archive.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const log = createLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'atrium-backup-'))
const archive = join(folder, 'all.tar.gz')
const gate = aGate()
const question = { prompt: 'Which one?', input_types: ['text', 'file'] }
const cleanups: (() => unknown)[] = []

let chat: Chat
let waitingId: string
let underWayId: string
let branchedId: string
let fileId: string
let calledId: string
let before: Awaited<ReturnType<typeof readAll>>

async function asks(run: RunContext): Promise<void> {
  await say(run, 'before', 'Before. ')
  const answer = await run.ask('waiting_for_input_after_step1', question)
  await say(run, 'after', `Got ${JSON.stringify(answer.input)}.`)
}

/** Creates an empty database. */
async function anEmptyDatabase(): Promise<TestAddress> {
  const database = `restored_${randomBytes(6).toString('hex')}`
  const admin = connect({ ...inject('cluster'), database: 'postgres' }, log, { max: 1 })
  await admin.pool.query(`create database ${database} template template0`)
  cleanups.push(async () => {
    await admin.pool.query(`drop database if exists ${database} with (force)`)
    await admin.close()
  })
  return { ...inject('cluster'), database }
}

const settingsFor = (address: TestAddress, dataDir: string) => ({
  DATABASE_URL: databaseUrl(address),
  ATRIUM_DATA_DIR: dataDir,
})
const aDataFolder = () => mkdtempSync(join(folder, 'data-'))

async function readAll(app: TestApp) {
  const { headers } = chat.user
  const get = async (path: string) => (await app.http.inject({ url: `/api/v1${path}`, headers })).body
  return {
    sessions: await get('/sessions'),
    branch: await get(`/sessions/${branchedId}/active-branch`),
    tree: await get(`/sessions/${branchedId}/tree`),
    waiting: await get(`/sessions/${waitingId}/active-branch`),
    requests: await get('/input-requests'),
    file: await get(`/input-files/${fileId}`),
    execution: await get(`/tool-executions/${calledId}`),
  }
}

/** Makes a tool call whose result is stored separately from its message. */
async function aLargeResult(): Promise<string> {
  const leave = playTool(chat.app, async () => ({ doubled: 1, text: randomBytes(20_000).toString('hex') }))
  chat.model.reply([calls('probe', { n: 1 })], [says('Done.')])
  const stream = await chat.ask(await chat.aSession(), 'Go')
  await stream.ended
  leave()
  return stream.view()?.blocks.find((block) => block.type === 'tool' && block.result_ref)?.id ?? ''
}

beforeAll(async () => {
  chat = await startChat({ user: { balance: 3 } })
  cleanups.push(() => chat.close())
  const { app, model, call } = chat
  branchedId = await chat.aSession()
  model.reply([says('Été, “quotes”, \\ and\na line. '), says('🙂')])
  await (await chat.ask(branchedId, 'Go')).ended
  const { body } = await call('GET', `/sessions/${branchedId}/active-branch`)
  model.reply([says('Another one.')])
  const reply = body.active_branch.at(-1).id
  const again = `${chat.url}/sessions/${branchedId}/messages/${reply}/regenerate`
  await (await openStream(again, { method: 'POST', headers: chat.user.headers, body: {} })).ended
  const form = new FormData()
  form.append('file', new Blob([randomBytes(3 << 20).toString('hex')], { type: 'text/plain' }), 'notes.txt')
  const sent = await fetch(`${chat.url}/input-files`, {
    method: 'POST',
    headers: chat.user.headers,
    body: form,
  })
  fileId = ((await sent.json()) as { id: string }).id
  const admin = await aUser(app, { role: 'super_admin' })
  const payload = { name: 'Lab', kind: 'compatible', base_url: model.url, api_key: 'sk-sealed-key-1234' }
  const made = await app.http.inject({
    ...{ method: 'POST', url: '/api/v1/model-connections', headers: admin.headers, payload },
  })
  expect(made.statusCode).toBe(201)
  calledId = await aLargeResult()
  // A reply in progress during the backup.
  model.reply([says('Half, '), waits(gate.opened), says('whole.')])
  underWayId = await chat.aSession()
  const underWay = await chat.ask(underWayId, 'Go')
  await underWay.until('response_chunk')
  playAgent([app], asks)
  waitingId = await askUntilWaiting(chat)
  before = await readAll(app)
  await backUp(settingsFor(app.address, app.dataDir), archive)
  gate.open()
  await underWay.ended
})
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean()
  rmSync(folder, { recursive: true, force: true })
})

describe('a restored installation', () => {
  let restored: TestApp
  let url: string
  beforeAll(async () => {
    const address = await anEmptyDatabase()
    const dataDir = aDataFolder()
    const counts = await restore(settingsFor(address, dataDir), archive)
    expect(counts.files).toBe(1)
    chat.model.reply([says('Half, '), says('whole.')])
    const config = { ATRIUM_DATA_DIR: dataDir, ATRIUM_COMPATIBLE_URL: chat.model.url }
    restored = await startApp({ address, config })
    cleanups.push(() => restored.close())
    url = `${await restored.listen()}/api/v1`
  })
  const follow = (id: string) =>
    openStream(`${url}/sessions/${id}/task-stream`, { headers: chat.user.headers })

  it('resumes a reply that was in progress', async () => {
    const stream = await follow(underWayId)
    await stream.ended
    expect(stream.view()?.content).toBe('Half, whole.')
  })

  it('contains everything: sessions, branches, requests, files and sign-ins', async () => {
    const { sessions, ...rest } = await readAll(restored)
    const { sessions: _, ...were } = before
    expect(rest).toEqual(were)
    const ids = (text: string) =>
      JSON.parse(text)
        .items.map(({ id }: { id: string }) => id)
        .sort()
    expect(ids(sessions)).toEqual(ids(before.sessions))
    expect(before.file.length).toBe(6 << 20)
  })

  it('decrypts the secrets of connections', async () => {
    const { api_key_sealed } = await restored.deps.db
      .selectFrom('model_connections')
      .select('api_key_sealed')
      .executeTakeFirstOrThrow()
    expect(restored.deps.secrets.open(api_key_sealed ?? '')).toBe('sk-sealed-key-1234')
  })

  it('accepts the answer a run waits for, and the run resumes [CK-18, R-13]', async () => {
    playAgent([restored], asks)
    const { headers } = chat.user
    const payload = { checkpoint_name: 'waiting_for_input_after_step1', input: 'blue', input_type: 'text' }
    const path = `/api/v1/sessions/${waitingId}/provide-input`
    const answered = await restored.http.inject({ method: 'POST', url: path, headers, payload })
    expect(answered.statusCode).toBe(200)
    const stream = await follow(waitingId)
    await stream.ended
    expect(stream.view()?.content).toBe('Before. Got "blue".')
  })

  it('keeps the references between rows', async () => {
    const { pool, close } = connect(restored.address, log, { max: 1 })
    const { rows } = await pool.query(
      "select count(*)::int as count from pg_constraint where contype = 'f' and not convalidated",
    )
    const lost = pool.query('insert into messages (session_id, role) values (gen_random_uuid(), $1)', [
      'user',
    ])
    await expect(lost).rejects.toMatchObject({ code: '23503' })
    await close()
    expect(rows[0].count).toBe(0)
  })

  it('keeps balances and updates them', async () => {
    const { id: user_id } = chat.user
    const balance = await readBalance(restored.deps.db, user_id)
    expect(balance).toBe(await readBalance(chat.app.deps.db, user_id))
    await restored.deps.db
      .insertInto('ledger_entries')
      .values({ user_id, kind: 'top_up', amount: 2 })
      .execute()
    expect(await readBalance(restored.deps.db, user_id)).toBe(balance + 2)
  })

  it('refuses another restore while it runs and because it is not empty', async () => {
    const settings = settingsFor(restored.address, aDataFolder())
    await expect(restore(settings, archive)).rejects.toThrow(/is running: stop it first/)
  })
})

describe('a backup archive', () => {
  it('is recorded with its rows and files once it is complete', async () => {
    const { db } = chat.app.deps
    const { rows } = await sql<{ age: number; files: number }>`
      select extract(epoch from now() - finished_at)::int as age, files::int from backups`.execute(db)
    expect(rows).toHaveLength(1)
    expect(rows[0]!.age).toBeLessThan(120)
    expect(rows[0]!.files).toBeGreaterThan(0)
  })

  it('is readable only by its owner and is never overwritten unasked', async () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    await expect(backUp(settingsFor(chat.app.address, chat.app.dataDir), archive)).rejects.toThrow(
      'exists already',
    )
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut short', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.8))],
    ['without its end', (bytes) => gzipSync(gunzipSync(bytes).subarray(0, -4096))],
    [
      'changed in one byte',
      (bytes) =>
        gzipSync(
          Buffer.from(gunzipSync(bytes).toString('latin1').replace('Another one.', 'Another two.'), 'latin1'),
        ),
    ],
    ['nothing', () => Buffer.alloc(0)],
    ['something else', () => gzipSync(randomBytes(2048))],
  ])('changes nothing when it is %s', async (name, damage) => {
    const path = join(folder, `${name}.tar.gz`)
    writeFileSync(path, damage(readFileSync(archive)))
    const address = await anEmptyDatabase()
    await expect(restore(settingsFor(address, aDataFolder()), path)).rejects.toThrow(
      /no (whole )?archive of Atrium/,
    )
    const { pool, close } = connect(address, log, { max: 1 })
    const { rowCount } = await pool.query("select from pg_class where relnamespace = 'public'::regnamespace")
    await close()
    expect(rowCount).toBe(0)
  })

  it('is refused by an installation with any content, even a single file', async () => {
    const address = await anEmptyDatabase()
    const used = await startApp({ address })
    await aUser(used)
    await used.deps.files.write('a', Readable.from([Buffer.from('a')]))
    await expect(restore(settingsFor(address, used.dataDir), archive)).rejects.toThrow('store is not empty')
    await used.close()
    await expect(restore(settingsFor(address, aDataFolder()), archive)).rejects.toThrow('is not empty')
  })

  it('is accepted by an installation that was started but never used', async () => {
    const address = await anEmptyDatabase()
    await (await startApp({ address })).close()
    const dataDir = aDataFolder()
    writeFileSync(join(dataDir, 'secret.key'), 'made at that start')
    expect(await restore(settingsFor(address, dataDir), archive)).toMatchObject({ files: 1 })
    expect(readFileSync(join(dataDir, 'secret.key'))).toEqual(
      readFileSync(join(chat.app.dataDir, 'secret.key')),
    )
  })

  it('is refused when it comes from a newer version', async () => {
    const path = join(folder, 'newer.tar.gz')
    const header = { format: 1, atrium: '9.0.0', created_at: '', migrations: ['9999_later.sql'] }
    const bytes = Buffer.from(JSON.stringify(header))
    await writeArchive(path, ({ add }) => add('atrium.json', bytes.length, [bytes]))
    const settings = settingsFor(await anEmptyDatabase(), aDataFolder())
    await expect(restore(settings, path)).rejects.toThrow('made by a newer version of Atrium')
  })

  it('requires the key it was created with, if one is set', async () => {
    const address = await anEmptyDatabase()
    const settings = { ...settingsFor(address, aDataFolder()), ATRIUM_SECRET_KEY: 'another-key-of-the-house' }
    await expect(restore(settings, archive)).rejects.toThrow(
      'ATRIUM_SECRET_KEY is not the key of the archive',
    )
  })

  it('includes files of an S3-compatible store and restores them to one', async () => {
    const s3 = await startS3Server()
    cleanups.push(() => s3.close())
    const store = {
      S3_ENDPOINT: s3.url,
      S3_BUCKET: 'restored',
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    }
    const settings = { ...settingsFor(await anEmptyDatabase(), aDataFolder()), ...store }
    await restore(settings, archive)
    const objects = [...s3.objects].map(([key, bytes]) => [key.replace('/restored/', ''), bytes.toString()])
    expect(objects).toEqual([[expect.any(String), before.file]])
    const again = join(folder, 'from-s3.tar.gz')
    expect(await backUp(settings, again)).toMatchObject({ files: 1 })
    const onward = settingsFor(await anEmptyDatabase(), aDataFolder())
    expect(await restore(onward, again)).toMatchObject({ files: 1 })
  })
})
