import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AuditStream } from '#shared/identity/audit-stream/audit-stream.ts'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { freePort } from '#tests/free-port.ts'
import { type SyslogServer, startSyslogServer } from '#tests/syslog-server.ts'
import { writeAudit } from '../audit/audit.ts'
import { sendEntries } from './send-entries.ts'

const HOUR = 3_600_000
const actor = { id: null, name: 'Ada', address: '10.0.0.1' }
const never = new AbortController().signal
let now = new Date()
let app: TestApp
let admin: TestUser
let web: ApiServer
let syslog: SyslogServer
let awayPort: number
beforeAll(async () => {
  web = await startApiServer()
  syslog = await startSyslogServer()
  awayPort = await freePort()
  const allowed = [web.url, `http://127.0.0.1:${syslog.port}`, `http://127.0.0.1:${awayPort}`]
  app = await startApp({
    ...{ jobs: false, clock: { now: () => now } },
    config: { ATRIUM_TOOLS_PRIVATE: allowed.join(',') },
  })
  admin = await aUser(app, { role: 'super_admin' })
})
afterAll(async () => {
  await app.close()
  await web.close()
  await syslog.close()
})
afterEach(async () => {
  now = new Date()
  web.answer({ body: { ok: true } })
  web.asked.length = 0
  syslog.clear()
  await app.deps.db.deleteFrom('audit_stream').execute()
})

const call = async (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  who = admin,
) => {
  const url = `/api/v1/admin/audit-stream${path}`
  const answer = await app.http.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
}
const connect = async (address: string, more: object = {}) => {
  const { status, body } = await call('PUT', '', { address, starts: 'newest', ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { stream: AuditStream; secret: string | null }
}
const state = async () => (await call('GET', '')).body.stream as AuditStream
const write = (subject: string, at = now) =>
  app.deps.db.transaction().execute((trx) => writeAudit(trx, at, { actor, did: 'chat.read', subject }))
const writeMany = (count: number) =>
  sql`insert into audit_entries (at, actor_name, did, subject) select ${now}::timestamptz, 'Ada', 'chat.read', n::text
    from generate_series(1, ${count}::int) n`.execute(app.deps.db)
const send = () => sendEntries(app.deps, never)
const anotherProcess = () => ({ ...app.deps, instance: { ...app.deps.instance, id: randomUUID() } })

async function numbersAfter(id: number): Promise<number[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from audit_entries where id > ${id} order by id`.execute(app.deps.db)
  return rows.map((row) => Number(row.id))
}

/** The lines of all requests, in their order of arrival. */
const linesOf = (bodies: readonly string[]) =>
  bodies.flatMap((body) => body.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as Line)
type Line = { sequence: number; subject: string; action: string }
const webNumbers = () => linesOf(web.asked.map(({ body }) => body)).map(({ sequence }) => sequence)
const syslogNumbers = () => syslog.messages().map((message) => textOf(message).sequence)
const textOf = (message: string) => JSON.parse(message.slice(message.indexOf('\uFEFF') + 1)) as Line

describe('the audit stream', () => {
  it.each([
    {
      kind: 'https',
      away: () => `http://127.0.0.1:${awayPort}/`,
      here: () => `${web.url}/audit`,
      got: webNumbers,
    },
    {
      kind: 'syslog',
      away: () => `syslog://127.0.0.1:${awayPort}`,
      here: () => `syslog://127.0.0.1:${syslog.port}`,
      got: syslogNumbers,
    },
  ])(
    'sends each entry once and in order to $kind after a day without the receiver [GV-03]',
    async ({ away, here, got }) => {
      // Entries that are past their retention, and were not sent.
      const { rows } = await sql<{
        id: number
      }>`select coalesce(max(id), 0)::int as id from audit_entries`.execute(app.deps.db)
      const start = rows[0]?.id ?? 0
      await connect(away())
      const began = now.getTime()
      for (let hour = 1; hour <= 24; hour++) {
        now = new Date(began + hour * HOUR)
        await write(`hour ${hour}`)
        expect(await send()).not.toBeNull()
      }
      const down = await state()
      expect(down).toMatchObject({ sent_to: start, waiting: 25, error: expect.stringMatching(/./) })
      expect(Date.parse(down.failing_since ?? '')).toBe(began + HOUR)
      expect(got()).toEqual([])
      await sql`update audit_stream set address = ${here()}, next_at = ${now}`.execute(app.deps.db)
      expect(await send()).toBeNull()
      expect(got()).toEqual(await numbersAfter(start))
      expect(got()).toHaveLength(25)
      expect(await send()).toBeNull()
      expect(got()).toHaveLength(25)
      expect(await state()).toMatchObject({
        waiting: 0,
        waiting_since: null,
        error: null,
        failing_since: null,
      })
    },
  )

  it('waits as long as a receiver asks, and tries again after its errors', async () => {
    await connect(`${web.url}/audit`)
    await write('one')
    web.answer({ status: 500, body: 'no' })
    expect(await send()).toEqual(new Date(now.getTime() + 1_000))
    now = new Date(now.getTime() + 1_000)
    expect(await send()).toEqual(new Date(now.getTime() + 2_000))
    expect(await state()).toMatchObject({ error: 'The receiver answered 500.', waiting: 2 })
    now = new Date(now.getTime() + 2_000)
    web.answer({ status: 429, headers: { 'retry-after': '120' }, body: 'slow' })
    const next = new Date(now.getTime() + 120_000)
    expect(await send()).toEqual(next)
    const asked = web.asked.length
    now = new Date(now.getTime() + 119_000)
    expect(await send()).toEqual(next)
    expect(web.asked).toHaveLength(asked)
    now = next
    web.answer({ status: 204 })
    expect(await send()).toBeNull()
    expect(await state()).toMatchObject({ error: null, waiting: 0 })
  })

  it('loses and doubles nothing when it is killed between any two statements', {
    timeout: 60_000,
  }, async () => {
    await connect(`${web.url}/audit`)
    const { sent_to: start } = await state()
    await writeMany(450)
    const all = await numbersAfter(start)
    let statements = 0
    for (let kill = 0; kill === 0 || statements >= kill; kill++) {
      await sql`update audit_stream set sent_to = ${start}, held_until = clock_timestamp() - interval '1 second'`.execute(
        app.deps.db,
      )
      web.asked.length = 0
      statements = 0
      const step = () => {
        statements++
        if (statements > kill) throw new Error('killed')
      }
      const killed: KyselyPlugin = {
        transformQuery: ({ node }) => {
          step()
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const dying = anotherProcess()
      const { outbound } = dying
      const fetch: typeof outbound.fetch = async (...request) => {
        step()
        const answer = await outbound.fetch(...request)
        step()
        return answer
      }
      const abandoned = { ...dying, db: dying.db.withPlugin(killed), outbound: { ...outbound, fetch } }
      await sendEntries(abandoned, never).catch(() => undefined)
      const confirmed = (await state()).sent_to
      expect(webNumbers().concat(start)).toContain(confirmed)
      await sql`update audit_stream set held_until = clock_timestamp() - interval '1 second'`.execute(
        app.deps.db,
      )
      await sendEntries(anotherProcess(), never)
      // The receiver leaves out the numbers that it has.
      expect([...new Set(webNumbers())], `killed before statement ${kill + 1}`).toEqual(all)
    }
    expect(statements).toBeGreaterThan(14)
    expect(webNumbers()).toEqual(all)
  })

  it('keeps keys in the path of an address out of the audit log', async () => {
    await connect(`${web.url}/collect/old-key`)
    await connect(`${web.url}/collect/new-key`)
    const { rows } = await sql<{ changes: unknown }>`select changes from audit_entries
      where did = 'audit_stream.changed' order by id desc limit 1`.execute(app.deps.db)
    expect(rows[0]?.changes).toEqual([{ what: 'path', before: 'set', after: 'replaced' }])
  })

  it('has one sender among several processes', async () => {
    await connect(`${web.url}/audit`)
    const { sent_to } = await state()
    await writeMany(900)
    await Promise.all([1, 2, 3, 4].map(() => sendEntries(anotherProcess(), never)))
    await send()
    expect(webNumbers()).toEqual(await numbersAfter(sent_to))
  })

  it('sends entries to the new address when it is changed on their way', async () => {
    await connect(`${web.url}/old`)
    await send()
    await write('moved')
    let change: Promise<unknown> | null = null
    const original = app.deps.outbound.fetch
    const fetch: typeof original = async (...request) => {
      const answer = await original(...request)
      change ??= call('PUT', '', { address: `${web.url}/new` })
      await change
      return answer
    }
    await sendEntries({ ...app.deps, outbound: { ...app.deps.outbound, fetch } }, never)
    const moved = linesOf(web.asked.filter(({ path }) => path === '/new').map(({ body }) => body))
    expect(moved.map(({ subject }) => subject)).toContain('moved')
  })

  it('keeps entries that were not sent beyond their retention', async () => {
    const old = new Date(Date.now() - 800 * 24 * HOUR)
    await sql`alter table audit_entries disable trigger keep`.execute(app.deps.db)
    await sql`delete from audit_entries`.execute(app.deps.db)
    await sql`alter table audit_entries enable trigger keep`.execute(app.deps.db)
    for (const subject of ['one', 'two', 'three']) await write(subject, old)
    await write('new')
    const drop = async () => {
      const { rows } = await sql<{ n: number }>`select drop_audit_entries(${now}, 100)::int as n`.execute(
        app.deps.db,
      )
      return rows[0]?.n
    }
    await connect(`${web.url}/audit`, { starts: 'oldest', is_on: false })
    expect(await drop()).toBe(0)
    await connect(`${web.url}/audit`)
    web.answer(() => ({ status: 500 }))
    await send()
    expect(await drop()).toBe(0)
    web.answer({})
    now = new Date(now.getTime() + HOUR)
    await send()
    expect(linesOf(web.asked.map(({ body }) => body)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['one', 'new']),
    )
    expect(await drop()).toBe(3)
  })
})

describe('requests of the audit stream', () => {
  it('are signed with the secret, and with the former one for a day', async () => {
    const { secret } = await connect(`${web.url}/audit`)
    expect((await connect(`${web.url}/audit`)).secret).toBeNull()
    await send()
    const first = web.take()
    const headersOf = ({ headers }: typeof first) => headers as Record<string, string>
    expect(first.headers['content-type']).toBe('application/x-ndjson')
    const verify = (key: string, one = first) => new Verifier(key).verify(one.body, headersOf(one))
    expect(() => verify(secret ?? '')).not.toThrow(/signature/i)
    const { body } = await call('POST', '/secret')
    await send()
    const second = web.take()
    for (const key of [secret ?? '', body.secret]) expect(() => verify(key, second)).not.toThrow(/signature/i)
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, second)).toThrow(/signature/i)
    now = new Date(now.getTime() + 25 * HOUR)
    await write('later')
    await send()
    expect(String(web.take().headers['webhook-signature']).split(' ')).toHaveLength(1)
  })

  it('can be tried, also when nothing waits', async () => {
    expect((await call('POST', '/test')).status).toBe(404)
    await connect(`${web.url}/audit`)
    expect((await call('POST', '/test')).body).toEqual({ error: null })
    expect(JSON.parse(web.take().body)).toEqual({ test: true, at: now.toISOString() })
    web.answer({ status: 403 })
    expect((await call('POST', '/test')).body).toEqual({ error: 'The receiver answered 403.' })
    expect((await state()).error).toBeNull()
    await call('PUT', '', { address: `syslog://127.0.0.1:${syslog.port}` })
    expect((await call('POST', '/test')).body).toEqual({ error: null })
    expect(syslog.messages()[0]).toMatch(/^<110>1 \S+ atrium\.test atrium - test - \uFEFF\{"test":true/)
  })
})

describe('a new entry', () => {
  it('is sent within seconds by a job', async () => {
    const own = await startApp({ config: { ATRIUM_TOOLS_PRIVATE: web.url } })
    try {
      const { headers } = await aUser(own, { role: 'super_admin' })
      const payload = { address: `${web.url}/jobs`, starts: 'newest' }
      const url = '/api/v1/admin/audit-stream'
      expect((await own.http.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(200)
      await expect.poll(() => web.asked.length, { timeout: 10_000 }).toBe(1)
      await own.deps.db
        .transaction()
        .execute((trx) => writeAudit(trx, now, { actor, did: 'chat.read', subject: 'later' }))
      const subjects = () => linesOf(web.asked.map(({ body }) => body)).map(({ subject }) => subject)
      await expect.poll(subjects, { timeout: 10_000 }).toEqual([web.url, 'later'])
    } finally {
      await own.close()
    }
  })
})
