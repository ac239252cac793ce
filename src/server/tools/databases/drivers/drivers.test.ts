import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Value } from '#shared/tools/databases/databases.ts'
import { type CountingFront, startCountingFront } from '#tests/counting-front.ts'
import { hostileStatements } from '#tests/hostile-statements.ts'
import { startMariaDb } from '#tests/mariadb-server.ts'
import { checkQuery } from '../checking/checking.ts'
import { reachOf } from '../reach.ts'
import type { Driver, Reach } from './driver.ts'
import { mysqlDriver } from './mysql-driver.ts'
import { sqliteDriver } from './sqlite-driver.ts'

const never = new AbortController().signal
const columns = ['id', 'city', 'amount']

/** Checks and runs a query. `most`: rows after which no more are wanted. */
async function run(
  driver: Driver,
  reach: Reach,
  sql: string,
  { signal = never, most = 1_000_000, schema = 'erp' } = {},
) {
  const tables = [{ schema, name: 'invoices', columns }]
  const sent = await checkQuery({ kind: reach.kind, sql, tables })
  const rows: Value[][] = []
  let named: unknown[] = []
  await driver.run(reach, {
    ...{ sql: sent, tables, signal },
    onColumns: (found) => {
      named = found
    },
    onRow: (row) => rows.push(row) < most,
  })
  return { columns: named, rows }
}

describe('MySQL and MariaDB', () => {
  let server: Awaited<ReturnType<typeof startMariaDb>>
  let front: CountingFront
  let reach: Reach
  beforeAll(async () => {
    server = await startMariaDb()
    await server.ask(`create database erp; use erp;
      create table invoices (id int primary key, city varchar(40), amount decimal(12,2), iban varchar(40)) comment 'Lines';
      insert into invoices select seq, if(seq % 2, 'Lyon', 'Nantes'), seq, 'FR76' from seq_1_to_300;
      create user reader identified by 'secret'; grant select on erp.* to reader;
      create user writer identified by 'secret'; grant select, insert on erp.* to writer; grant file on *.* to writer;`)
    front = await startCountingFront(server.port)
    reach = {
      ...{
        kind: 'mysql',
        host: '127.0.0.1',
        server_name: 'localhost',
        port: front.port,
        database: 'erp',
        tls: 'off',
      },
      ...{ role: 'reader', password: 'secret', limit_seconds: 30, limit_rows: 1_000 },
    }
  }, 120_000)
  afterAll(async () => {
    await front?.close()
    await server?.close()
  })
  const running = async () => {
    const rows = await server.ask(`select count(*) as n from information_schema.processlist
      where user = 'reader' and command = 'Query' and info like '%invoices%'`)
    return Number(rows[0]?.n)
  }

  it('names the privileges of a role that may do more than read', async () => {
    expect(await mysqlDriver.inspect(reach, never)).toMatchObject({ is_read_only: true, privileges: [] })
    const { is_read_only, privileges } = await mysqlDriver.inspect({ ...reach, role: 'writer' }, never)
    expect(is_read_only).toBe(false)
    expect(privileges).toEqual(['FILE on *.*', 'INSERT on erp.*'])
  })

  it('lists tables with comments and returns typed rows', async () => {
    const [table] = await mysqlDriver.listTables(reach, never)
    expect(table).toMatchObject({ schema: 'erp', name: 'invoices', comment: 'Lines' })
    const sql = 'select city, sum(amount) as total, count(*) as n from invoices group by city order by city'
    const { columns: named, rows } = await run(mysqlDriver, reach, sql)
    expect(rows).toEqual([
      ['Lyon', 22500, 150],
      ['Nantes', 22650, 150],
    ])
    expect(named).toEqual([
      { name: 'city', is_number: false },
      { name: 'total', is_number: true },
      { name: 'n', is_number: true },
    ])
  })

  it('stops at the row limit of a huge result, and at the time limit', async () => {
    const huge = 'select a.id from invoices a cross join invoices b cross join invoices c'
    const { rows } = await run(mysqlDriver, reach, huge, { most: 500 })
    expect(rows).toHaveLength(500)
    const slow =
      'select count(*) from invoices a cross join invoices b cross join invoices c cross join invoices d'
    await expect(run(mysqlDriver, { ...reach, limit_seconds: 1 }, slow)).rejects.toThrow('more than 1 s')
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  })

  it('is cancelled at the server on abort', async () => {
    const stop = new AbortController()
    const slow =
      'select count(*) from invoices a cross join invoices b cross join invoices c cross join invoices d'
    const asked = run(mysqlDriver, reach, slow, { signal: stop.signal })
    asked.catch(() => undefined)
    await expect.poll(running, { timeout: 10_000 }).toBe(1)
    stop.abort(new Error('stopped'))
    await expect(asked).rejects.toThrow('stopped')
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  })

  it('receives none of the hostile statements [DB-06]', async () => {
    front.reset()
    for (const sql of hostileStatements.mysql)
      await expect(run(mysqlDriver, reach, sql), sql).rejects.toThrow(/refused before/)
    expect(front.connections()).toBe(0)
    await run(mysqlDriver, reach, 'select 1')
    expect(front.connections()).toBe(1)
  })
})

describe('SQLite', () => {
  let folder: string
  let reach: Reach
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-sqlite-'))
    const db = new DatabaseSync(join(folder, 'erp.db'))
    db.exec(`create table invoices (id integer primary key, city text, amount real, iban text);
      insert into invoices with recursive n (n) as (select 1 union all select n + 1 from n where n < 300)
        select n, iif(n % 2, 'Lyon', 'Nantes'), n, 'FR76' from n;
      create table salaries (person text)`)
    db.close()
    reach = await reachOf({ config: { ATRIUM_SQLITE_FOLDER: folder } as never }, connection('erp.db'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const connection = (database: string) => ({
    ...{
      kind: 'sqlite' as const,
      host: '',
      port: null,
      database,
      role: '',
      password: '',
      tls: 'off' as const,
    },
    ...{ limit_seconds: 30, limit_rows: 1_000 },
  })
  const ask = (sql: string, options = {}) => run(sqliteDriver, reach, sql, { schema: 'main', ...options })

  it('opens files of the allowed folder only', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'atrium-outside-'))
    writeFileSync(join(outside, 'x.db'), '')
    symlinkSync(join(outside, 'x.db'), join(folder, 'link.db'))
    const config = { ATRIUM_SQLITE_FOLDER: folder } as never
    for (const name of ['../x.db', 'link.db', join(outside, 'x.db'), '.', 'missing.db'])
      await expect(reachOf({ config }, connection(name)), name).rejects.toThrow('no file')
    rmSync(outside, { recursive: true, force: true })
  })

  it('returns typed rows and lists its tables', async () => {
    expect(await sqliteDriver.inspect(reach, never)).toMatchObject({ is_read_only: true })
    expect((await sqliteDriver.listTables(reach, never)).map(({ name }) => name)).toEqual([
      'invoices',
      'salaries',
    ])
    const { columns: named, rows } = await ask(
      'select city, sum(amount) as total from invoices group by city',
    )
    expect(rows).toEqual([
      ['Lyon', 22500],
      ['Nantes', 22650],
    ])
    expect(named).toEqual([
      { name: 'city', is_number: false },
      { name: 'total', is_number: true },
    ])
  })

  it('is denied other tables by SQLite itself', async () => {
    const tables = [{ schema: 'main', name: 'invoices', columns }]
    for (const sql of [
      'select person from salaries',
      'select iban from invoices',
      'select * from sqlite_master',
      'with invoices as (select person from salaries) select * from invoices',
      'select * from (with invoices as (select person from salaries) select * from invoices)',
    ])
      await expect(
        sqliteDriver.run(reach, {
          sql,
          tables,
          signal: never,
          onColumns: () => undefined,
          onRow: () => true,
        }),
      ).rejects.toThrow(/prohibited|not authorized/)
    const write = {
      sql: 'delete from invoices',
      tables,
      signal: never,
      onColumns: () => undefined,
      onRow: () => true,
    }
    await expect(sqliteDriver.run(reach, write)).rejects.toThrow('refused this')
  })

  it('stops at the row limit of a huge result, at the time limit, and on abort', async () => {
    const { rows } = await ask('select a.id from invoices a cross join invoices b cross join invoices c', {
      most: 500,
    })
    expect(rows).toHaveLength(500)
    const slow =
      'select count(*) from invoices a cross join invoices b cross join invoices c cross join invoices d'
    const short = { ...reach, limit_seconds: 1 }
    await expect(run(sqliteDriver, short, slow, { schema: 'main' })).rejects.toThrow('more than 1 s')
    const stop = new AbortController()
    const asked = ask(slow, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('stopped')), 300)
    await expect(asked).rejects.toThrow('stopped')
  })

  it('ends its process when the server is killed', async () => {
    const script = join(folder, 'parent.mjs')
    const child = join(import.meta.dirname, 'sqlite-child.ts')
    const task = { what: 'query', path: reach.database, tables: [{ name: 'invoices', columns }] }
    const sql = 'select count(*) from invoices a, invoices b, invoices c, invoices d'
    writeFileSync(
      script,
      `import { fork } from 'node:child_process'
      const child = fork(${JSON.stringify(child)}, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      child.send(${JSON.stringify({ ...task, sql })})
      process.send(child.pid)
      setInterval(() => {}, 1000)`,
    )
    const parent = fork(script, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const pid = await new Promise<number>((resolve) =>
      parent.once('message', (said) => resolve(Number(said))),
    )
    const isAlive = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(isAlive()).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(isAlive, { timeout: 10_000 }).toBe(false)
  })

  it('receives none of the hostile statements [DB-06]', async () => {
    for (const sql of hostileStatements.sqlite) await expect(ask(sql), sql).rejects.toThrow(/refused before/)
  })
})
