import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { lockConnector } from '../connector-store.ts'
import { addSources } from '../connectors.ts'

const [scripted, neighbour] = [aScriptedSource(), aScriptedSource('neighbour')]
const { contentOf } = scripted
let app: TestApp
let ada: Reader
beforeAll(async () => {
  addSources([scripted.source, neighbour.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_LIMIT_STORAGE_MB: '0' } })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'company_admin' }))
  // The server notices a deadlock immediately.
  await sql`alter database ${sql.id(await databaseName())} set deadlock_timeout = '10ms'`.execute(app.deps.db)
})
afterAll(async () => {
  addSources([])
  await app.close()
})
beforeEach(() => {
  for (const one of [scripted, neighbour]) {
    one.items.clear()
    one.reads.clear()
    one.before = () => undefined
    one.contentOf = contentOf
  }
})
afterEach(() => {
  vi.restoreAllMocks()
})

const databaseName = async () =>
  (await sql<{ name: string }>`select current_database() as name`.execute(app.deps.db)).rows[0]?.name ?? ''
const countDeadlocks = async () =>
  (
    await sql<{ deadlocks: number }>`
      select deadlocks::int from pg_stat_database where datname = current_database()`.execute(app.deps.db)
  ).rows[0]?.deadlocks

describe('concurrent reads of one connector', () => {
  it('store all items without a deadlock', async () => {
    for (let at = 0; at < 24; at += 1) scripted.items.set(`n${at}.txt`, { text: `Number ${at}` })
    const { id } = await connect(ada, null, { source: 'scripted', settings: {} })
    const ended = await syncNow(ada, id)
    expect(ended).toMatchObject({ state: 'ready', read: 24, error: null })
    for (let at = 0; at < 24; at += 1) scripted.items.set(`n${at}.txt`, { text: `Changed ${at}` })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 24, error: null })
    expect(await documentsOf(app, id)).toHaveLength(24)
    const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(body.items.filter(({ error }: { error: string | null }) => error !== null)).toEqual([])
    await expect.poll(countDeadlocks, { timeout: 3_000 }).toBe(0)
  })
})

describe('a sync that has locked its connector', () => {
  it('lets a reading add the documents that are inside of one', async () => {
    scripted.items.set('outer.txt', { text: 'Outer' })
    const { id } = await connect(ada, null, { source: 'scripted', settings: {} })
    await synced(ada, id)
    const { db } = app.deps
    await db.transaction().execute(async (syncing) => {
      await lockConnector(syncing, id)
      await db.transaction().execute(async (reading) => {
        await sql`set local statement_timeout = '5s'`.execute(reading)
        await sql`insert into documents (user_id, name, extension, size, reading_id, parent_id, connector_id, connector_item_id, tags, status)
          select user_id, 'inner.txt', 'txt', size, reading_id, id, connector_id, connector_item_id, tags, status
          from documents where connector_id = ${id}`.execute(reading)
      })
    })
    const { rows } = await sql`select from documents where connector_id = ${id}`.execute(db)
    expect(rows).toHaveLength(2)
  })
})

describe('an account that is being changed', () => {
  it('does not wait for a sync that waits for it', async () => {
    scripted.items.set('a.txt', { text: 'A' })
    let isReading = false
    let read: () => void = () => undefined
    scripted.before = ({ kind }) => {
      if (kind !== 'read') return
      isReading = true
      return new Promise<void>((resolve) => {
        read = resolve
      })
    }
    const { id } = await connect(ada, null, { source: 'scripted', settings: {} })
    await expect.poll(() => isReading).toBe(true)
    await app.deps.db.transaction().execute(async (changing) => {
      await sql`select from users where id = ${ada.user.id} for update`.execute(changing)
      read()
      await sleep(1_000)
      await sql`set local lock_timeout = '5s'`.execute(changing)
      expect(await lockConnector(changing, id)).toMatchObject({ id })
    })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 1, error: null })
  })
})

describe('a sync whose transaction loses a deadlock', () => {
  it('continues without a failure', async () => {
    await sql`create sequence losses`.execute(app.deps.db)
    await sql`create function lose_once() returns trigger language plpgsql as $$ begin
      if nextval('losses') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$`.execute(app.deps.db)
    await sql`create trigger loses before update of stored_version on connector_items
      for each row execute function lose_once()`.execute(app.deps.db)
    scripted.items.set('a.txt', { text: 'A' })
    const { id } = await connect(ada, null, { source: 'scripted', settings: {} })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 1, error: null })
    const { body } = await ada.call('GET', `/connectors/${id}/syncs`)
    expect(body.items).toMatchObject([{ error: null, counts: { added: 1 } }])
    expect(scripted.reads.get('a.txt')).toBeGreaterThan(1)
    await sql`drop trigger loses on connector_items`.execute(app.deps.db)
  })
})

describe('the places of a host', () => {
  const settings = { host: 'stuck.test' }
  /** Shortens the timeout of an item. */
  const hurry = () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 120_000 ? 300 : ms))
  }
  const listStuck = () => {
    for (let at = 0; at < 4; at += 1) scripted.items.set(`stuck${at}.txt`, { text: `Stuck ${at}` })
    neighbour.items.set('fast.txt', { text: 'Fast' })
  }

  it.each([
    [
      'never open',
      () => (scripted.before = ({ kind }) => (kind === 'read' ? new Promise(() => undefined) : undefined)),
    ],
    ['never end', () => (scripted.contentOf = () => new Readable({ read: () => undefined }))],
  ])('are freed by contents that %s and ignore the timeout', async (_, stick) => {
    hurry()
    listStuck()
    stick()
    const stuck = await connect(ada, null, { source: 'scripted', settings })
    const fast = await connect(ada, null, { source: 'neighbour', settings })
    expect(await synced(ada, fast.id)).toMatchObject({ state: 'ready', read: 1 })
    expect(await synced(ada, stuck.id)).toMatchObject({ state: 'ready', read: 0, refused: 4 })
    const { body } = await ada.call('GET', `/connectors/${stuck.id}/items`)
    expect(body.items[0]).toMatchObject({ state: 'refused', reason: 'unavailable' })
  })

  it('are freed by a content that the storage refuses', async () => {
    scripted.items.set('a.txt', { text: 'Large. '.repeat(200_000) })
    const { id } = await connect(ada, null, { source: 'scripted', settings })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 1 })
    await sql`update companies set storage_mb = 1`.execute(app.deps.db)
    const opened: Readable[] = []
    scripted.contentOf = (text) => {
      const content = contentOf(text)
      opened.push(content)
      return content
    }
    scripted.items.set('b.txt', { text: 'Small.' })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 1, refused: 1 })
    await sql`update companies set storage_mb = null`.execute(app.deps.db)
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
  })
})
