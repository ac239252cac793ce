import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Answer, type Chat, startChat } from '#tests/chat.ts'
import { startCompanyPostgres } from '#tests/company-postgres.ts'
import { type CountingFront, startCountingFront } from '#tests/counting-front.ts'
import { hostileStatements } from '#tests/hostile-statements.ts'
import { calls, says } from '#tests/model-server.ts'
import { createDatabasePort } from './databases.ts'

let chat: Chat
let front: CountingFront
let company: Awaited<ReturnType<typeof startCompanyPostgres>>
let admin: TestUser

beforeAll(async () => {
  company = await startCompanyPostgres()
  await company.owner.query(`
    create schema erp;
    create table erp.invoices (id int primary key, city text, amount numeric(12,2), iban text);
    comment on table erp.invoices is 'One row per invoice';
    insert into erp.invoices select n, (array['Lyon', 'Nantes'])[1 + n % 2], n, 'FR76' || n from generate_series(1, 300) n;
    create table erp.salaries (person text, amount int);
    create role trigger_maker login password 'secret word'; grant trigger, maintain, references (id) on erp.invoices to trigger_maker;
    create role reader login password 'secret word'; create role writer login password 'secret word';
    grant usage on schema erp to reader, writer;
    grant select on erp.invoices to reader; grant select on erp.salaries to reader;
    grant select, insert on erp.invoices to writer;`)
  front = await startCountingFront(company.port)
  chat = await startChat({
    ...{ app: { config: { ATRIUM_DATABASE_HOSTS: '127.0.0.1' } }, user: { role: 'member' } },
  })
  admin = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(async () => {
  await chat?.close()
  await front?.close()
  await company?.close()
})
beforeEach(() => front.reset())

const asAdmin = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(chat.url + path, {
    ...{ method, headers: { ...admin.headers, ...type } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}
const aConnection = (more: object = {}) => ({
  ...{ name: 'ERP', kind: 'postgres', host: '127.0.0.1', port: front.port, database: 'postgres' },
  ...{ role: 'reader', tls: 'off', password: 'secret word', ...more },
})
const invoices = {
  ...{ schema: 'erp', name: 'invoices', comment: 'One row per invoice' },
  columns: ['id', 'city', 'amount'].map((name) => ({
    ...{ name, type: 'text', comment: '' },
    samples: name === 'city' ? ['Lyon'] : [],
  })),
}
/** Connects a database with one allowed table, open to the people of the named role. */
async function aDatabase(more: object = {}) {
  const { status, body } = await asAdmin(
    'POST',
    '/admin/databases',
    aConnection({ name: `ERP ${Math.random()}`, ...more }),
  )
  expect(body).toMatchObject({ id: expect.any(String) })
  expect(status).toBe(201)
  await asAdmin('PUT', `/admin/databases/${body.id}/tables`, { tables: [invoices] })
  const open = {
    kind: 'database',
    id: body.id,
    decided_by: null,
    refuse: [],
    allow: [{ who: 'role', id: 'member' }],
  }
  expect((await asAdmin('PUT', '/admin/grants', open)).status).toBe(200)
  return body as { id: string; name: string }
}

/** Runs a query as the user, through the tool. */
async function ask(database: string, sql: string) {
  const sessionId = await chat.aSession()
  const started = await chat.call('POST', '/tools/query_database/execute', {
    inputs: { database, sql },
    session_id: sessionId,
  })
  expect(started.status).toBe(202)
  return ended(started.body.tool_execution_id)
}
const portOf = (more: object) =>
  createDatabasePort(
    chat.app.deps,
    { id: randomUUID(), input: { user_id: chat.user.id, ...more } } as never,
    new AbortController().signal,
  )
async function ended(id: string) {
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${id}`)
    if (['complete', 'error'].includes(body.status)) return body
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

describe('connecting a database', () => {
  it('refuses a role that may write and names its privileges', async () => {
    const tested = await asAdmin('POST', '/admin/databases/test', aConnection({ role: 'writer' }))
    expect(tested.body).toMatchObject({ is_read_only: false, privileges: ['INSERT on erp.invoices'] })
    const { status, body } = await asAdmin('POST', '/admin/databases', aConnection({ role: 'writer' }))
    expect(status).toBe(422)
    expect(body.detail).toContain('INSERT on erp.invoices')
    const superuser = await asAdmin(
      'POST',
      '/admin/databases/test',
      aConnection({ role: 'boss', password: 'boss' }),
    )
    expect(superuser.body.privileges[0]).toBe('superuser')
    const maker = await asAdmin('POST', '/admin/databases/test', aConnection({ role: 'trigger_maker' }))
    expect(maker.body.privileges).toEqual(
      ['MAINTAIN', 'REFERENCES', 'TRIGGER'].map((one) => `${one} on erp.invoices`),
    )
    const listed = await asAdmin('GET', '/admin/databases')
    expect(listed.body.items).toEqual([])
  })

  it('stores a sealed password, offers the tables of the role, and is closed until it is granted', async () => {
    const { status, body } = await asAdmin('POST', '/admin/databases', aConnection())
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toContain('secret word')
    expect(body).toMatchObject({ has_password: true, tables: [] })
    expect(await lastAudited(chat.app, 'database.connected')).toMatchObject({ subject: 'ERP' })
    const tables = await asAdmin('GET', `/admin/databases/${body.id}/tables`)
    expect(tables.body.items.map(({ name }: { name: string }) => name)).toEqual(['invoices', 'salaries'])
    expect(tables.body.items[0].comment).toBe('One row per invoice')
    const { body: offered } = await chat.call('GET', '/tools')
    expect(offered.map(({ id }: { id: string }) => id)).not.toContain('query_database')
    const moved = { ...aConnection({ host: 'localhost' }), password: undefined }
    const refused = await asAdmin('PUT', `/admin/databases/${body.id}`, moved)
    expect(refused.body.detail).toContain('Enter the password again')
    expect((await asAdmin('DELETE', `/admin/databases/${body.id}`)).status).toBe(200)
  })

  it('stops at 200 databases, which are all listed', async () => {
    const { db } = chat.app.deps
    await sql`insert into databases (name, kind, host, port, database, role, tls, limit_seconds, limit_rows, tables)
      select 'many ' || n, 'postgres', 'many.example', 5432, 'erp', 'reader', 'off', 1, 1, '[]'
      from generate_series(1, 200 - (select count(*) from databases)) n`.execute(db)
    await sql`delete from databases where name = 'many 1'`.execute(db)
    const [made, over] = await Promise.all(
      ['One', 'Two'].map((name) => asAdmin('POST', '/admin/databases', aConnection({ name }))),
    )
    expect([made?.status, over?.status].sort()).toEqual([201, 409])
    const refused = await asAdmin('POST', '/admin/databases', aConnection({ name: 'One more' }))
    expect([refused.status, refused.body.detail]).toEqual([409, 'An installation has at most 200 databases.'])
    expect((await asAdmin('GET', '/admin/databases')).body.items).toHaveLength(200)
    await sql`delete from databases where host = 'many.example' or name in ('One', 'Two')`.execute(db)
  })

  it('refuses a private host that no setting allows', async () => {
    const { status, body } = await asAdmin(
      'POST',
      '/admin/databases/test',
      aConnection({ host: '127.0.0.2' }),
    )
    expect(status).toBe(422)
    expect(body.detail).toContain('127.0.0.2')
    expect(front.connections()).toBe(0)
  })
})

describe('a query', () => {
  it('returns the rows of allowed columns with a file of all of them', async () => {
    const { name } = await aDatabase()
    const { body: offered } = await chat.call('GET', '/tools')
    expect(offered.map(({ id }: { id: string }) => id)).toContain('query_database')
    const { result } = await ask(
      name,
      'select city, sum(amount) as total from erp.invoices group by city order by 1',
    )
    expect(result).toMatchObject({
      columns: [
        { name: 'city', is_number: false },
        { name: 'total', is_number: true },
      ],
      rows: [
        ['Lyon', 22650],
        ['Nantes', 22500],
      ],
      ...{ row_count: 2, is_cut: false, file: { type: 'media_reference', media_type: 'text/csv' } },
    })
    const file = await fetch(chat.url.replace('/api/v1', '') + result.file.download_url, {
      headers: chat.user.headers,
    })
    expect(await file.text()).toBe('city,total\r\nLyon,22650\r\nNantes,22500\r\n')
    const joined = 'select i.id, g.n from erp.invoices i, generate_series(1, i.id) as g(n) where i.id = 2'
    expect((await ask(name, joined)).result.rows).toEqual([
      [2, 1],
      [2, 2],
    ])
    const all = await ask(name, 'select * from erp.invoices order by id')
    expect(all.result.columns.map(({ name }: { name: string }) => name)).toEqual(['id', 'city', 'amount'])
    expect(all.result.rows).toHaveLength(200)
    expect(all.result.row_count).toBe(300)
  })

  it('cannot read tables and columns that are not allowed [DB-03]', async () => {
    const { name } = await aDatabase()
    front.reset()
    for (const sql of [
      'select iban from erp.invoices',
      'select i.iban from erp.invoices i',
      'select * from erp.salaries',
      'select * from pg_catalog.pg_authid',
      'with pg_authid as (select 1 as id) select (select count(*) from pg_catalog.pg_authid) from pg_authid',
      'select ctid from erp.invoices',
    ])
      expect((await ask(name, sql)).error, sql).toMatch(/refused before it reached the database/)
    expect(front.connections()).toBe(0)
    const described = await chat.call('POST', '/tools/describe_databases/execute', { inputs: {} })
    const { result } = await ended(described.body.tool_execution_id)
    const told = JSON.stringify(result)
    expect(told).toContain('One row per invoice')
    expect(told).toContain('"samples":["Lyon"]')
    expect(told).not.toMatch(/iban|salaries|pg_/)
    // A whole row holds allowed columns only.
    const row = await ask(name, 'select to_json(i) as row from erp.invoices i where id = 1')
    expect(row.result.rows).toEqual([['{"id":1,"city":"Nantes","amount":1.00}']])
  })

  it('is refused before it reaches the server when it is hostile [DB-06]', async () => {
    const { name } = await aDatabase()
    expect(hostileStatements.postgres.length).toBeGreaterThan(200)
    const sessionId = await chat.aSession()
    front.reset()
    for (const sql of hostileStatements.postgres.filter(
      (one) => one.isWellFormed() && !one.includes('\u0000') && one !== '',
    )) {
      const inputs = { database: name, sql }
      const { body } = await chat.call('POST', '/tools/query_database/execute', {
        inputs,
        session_id: sessionId,
      })
      if (body.tool_execution_id === undefined) continue
      expect((await ended(body.tool_execution_id)).error, sql).toMatch(
        /refused before|does not fit|characters/,
      )
    }
    expect(front.connections()).toBe(0)
    await ask(name, 'select 1 as one')
    expect(front.connections()).toBe(1)
  }, 120_000)

  it('is closed to visitors of an embedded assistant, even when its owner may run it', async () => {
    const { name } = await aDatabase()
    const visitor = { id: randomUUID(), key_id: randomUUID() }
    const standalone = { session_id: null, input: '{}' }
    expect((await portOf({ standalone }).list()).map((one) => one.name)).toContain(name)
    expect(await portOf({ visitor }).list()).toEqual([])
    front.reset()
    await expect(portOf({ visitor }).query(name, 'select 1 as one')).rejects.toThrow('There is no database')
    expect(front.connections()).toBe(0)
  })

  it('is closed to a run that answers words of others, or whose reply is read outside [DB-03]', async () => {
    const { name } = await aDatabase()
    const { db } = chat.app.deps
    const session_id = await chat.aSession()
    chat.model.reply([says('Hello.')])
    await (await chat.ask(session_id, 'Hello')).ended
    const { rows } = await sql<{ id: string }>`select id from messages
      where session_id = ${session_id} and role = 'user'`.execute(db)
    const own = { session_id, user_message_id: rows[0]!.id }
    const refused = async (input: object, why: string) => {
      await expect(portOf(input).list()).rejects.toThrow(why)
      await expect(portOf(input).query(name, 'select 1 as one')).rejects.toThrow(why)
    }
    expect((await portOf(own).list()).map((one) => one.name)).toContain(name)
    front.reset()
    await refused({ ...own, is_program: true }, 'programs from outside')
    await refused({ standalone: { session_id: null, input: '{}', by_interface: true } }, 'from outside')
    await sql`update messages set is_by_others = true where session_id = ${session_id}`.execute(db)
    await refused(own, 'messages, events or programs from outside')
    await sql`update messages set is_by_others = false where session_id = ${session_id}`.execute(db)
    await sql`update sessions set shared_with_project = true where id = ${session_id}`.execute(db)
    expect((await portOf(own).list()).map((one) => one.name)).toContain(name)
    await sql`update sessions set shared_with_project = false where id = ${session_id}`.execute(db)
    const { body } = await chat.call('POST', '/assistants', { name: 'Reception', system_prompt: 'Be there.' })
    await sql`insert into mail_threads (assistant_id, user_id, sender, session_id)
      values (${body.id}, ${chat.user.id}, 'paul@partner.example', ${session_id})`.execute(db)
    await refused(own, 'in a chat that others can read')
    expect(front.connections()).toBe(0)
  })

  it('ends at the row limit and at the time limit', async () => {
    const { name } = await aDatabase({ limit_rows: 1000, limit_seconds: 1 })
    // 27 million rows.
    const many = 'select a.id, b.city from erp.invoices a cross join erp.invoices b cross join erp.invoices c'
    const before = process.memoryUsage().rss
    const { result } = await ask(name, many)
    expect(result).toMatchObject({ row_count: 1000, is_cut: true })
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    const slow = await ask(
      name,
      'select count(*) from generate_series(1, 100000) as a(n), generate_series(1, 100000) as b(m)',
    )
    expect(slow.error).toContain('more than 1 s')
    expect(await running()).toBe(0)
  })

  it('is cancelled at the server when its run is stopped', async () => {
    const { name } = await aDatabase({ limit_seconds: 60 })
    const sql =
      'select count(*) from generate_series(1, 1000000) as a(n), generate_series(1, 1000000) as b(m)'
    const sessionId = await chat.aSession()
    chat.model.always(() => [calls('query_database', { database: name, sql })])
    const stream = await chat.ask(sessionId, 'Count')
    await expect.poll(running, { timeout: 20_000 }).toBe(1)
    const stopped = await chat.call('POST', `/sessions/${sessionId}/stop`, {})
    expect(stopped.status).toBeLessThan(300)
    await stream.ended
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  })

  it('is cited by the answer that names its number, with query, time and rows', async () => {
    const { name } = await aDatabase()
    const sql = 'select sum(amount) as total from erp.invoices'
    const sessionId = await chat.aSession()
    const moves = [calls('query_database', { database: name, sql }), says('The total is 45,150 [1].')]
    chat.model.always(() => moves.splice(0, 1))
    const stream = await chat.ask(sessionId, 'Total?')
    await stream.ended
    const blocks = stream.view()!.blocks
    const text = blocks.find(({ type }) => type === 'text')
    const tool = blocks.find(({ type }) => type === 'tool') as unknown as { id: string }
    expect(text).toMatchObject({
      sources: [
        {
          id: tool.id,
          number: 1,
          query: { database: name, sql: expect.stringContaining('sum(amount)'), rows: 1 },
        },
      ],
    })
    expect(JSON.stringify(text)).toContain(`<citation chunk=\\"${tool.id}\\">[1]</citation>`)
  })
})

/** Number of active queries of the reading role at the server. */
async function running(): Promise<number> {
  const { rows } = await company.owner.query(
    `select count(*)::int as n from pg_stat_activity where usename = 'reader' and state = 'active'`,
  )
  return rows[0].n
}
