import { CompiledQuery, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cloneDatabase } from '#tests/database.ts'
import { createLog } from '../log.ts'
import { type Connection, connect } from './connect.ts'
import { planEach, planOnce } from './plan-once.ts'

let connection: Connection
let drop: () => Promise<void>
beforeEach(async () => {
  const database = await cloneDatabase()
  drop = database.drop
  connection = connect(database.address, createLog('silent'), { max: 1 })
})
afterEach(async () => {
  await connection.close()
  await drop()
})

const findNames = () =>
  planOnce('find_names', CompiledQuery.raw('select name from companies where name <> $1', ['']))
const names = async (db = connection.db) =>
  (await db.executeQuery<{ name: string }>(findNames())).rows.map(({ name }) => name)
/** Returns the prepared statements of this connection and how often each was used. */
async function kept() {
  const { rows } = await sql<{ name: string; uses: number }>`
    select name, (generic_plans + custom_plans)::int as uses from pg_prepared_statements order by name`.execute(
    connection.db,
  )
  return rows
}
const found = async (name: string) => {
  await connection.db.insertInto('companies').values({ name }).execute()
}

it('plans a statement once per connection', async () => {
  await found('Ada')
  for (let n = 0; n < 5; n += 1) expect(await names()).toEqual(['Ada'])
  expect(await kept()).toEqual([{ name: 'find_names_0', uses: 5 }])
})

it('plans each variant of a statement once', async () => {
  await found('Ada')
  const ask = async (text: string, value: string) => {
    const { rows } = await connection.db.executeQuery(planEach('named', CompiledQuery.raw(text, [value])))
    return rows
  }
  for (let n = 0; n < 2; n += 1) {
    expect(await ask('select name from companies where name = $1', 'Ada')).toEqual([{ name: 'Ada' }])
    expect(await ask('select name from companies where name <> $1', 'Ada')).toEqual([])
  }
  const plans = await kept()
  expect(plans.map(({ uses }) => uses)).toEqual([2, 2])
  for (const { name } of plans) expect(name).toMatch(/^named_[0-9a-f]{16}_0$/)
})

it('plans again after a connection has discarded its plans', async () => {
  await found('Ada')
  await names()
  await sql`discard all`.execute(connection.db)
  expect(await names()).toEqual(['Ada'])
  await names()
  expect(await kept()).toEqual([{ name: 'find_names_1', uses: 2 }])
})

it('handles a migration that changes the type of a column', async () => {
  await found('Ada')
  await names()
  await sql`alter table companies alter column name type varchar(200)`.execute(connection.db)
  await sql`alter table companies add column motto text`.execute(connection.db)
  expect(await names()).toEqual(['Ada'])
  expect(await names()).toEqual(['Ada'])
  expect(await kept()).toContainEqual({ name: 'find_names_1', uses: 2 })
})

it('fails a transaction whose plans were discarded, but not the next one', async () => {
  await found('Ada')
  await names()
  await sql`discard all`.execute(connection.db)
  const inTransaction = () => connection.db.transaction().execute((db) => names(db as typeof connection.db))
  await expect(inTransaction()).rejects.toMatchObject({ code: '26000' })
  expect(await inTransaction()).toEqual(['Ada'])
})

it('plans separately on a new connection', async () => {
  await found('Ada')
  await names()
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection.db).catch(() => undefined)
  // The pool removes the broken connection when it detects the end.
  await expect.poll(() => names().catch(() => null), { timeout: 20_000 }).toEqual(['Ada'])
  expect(await kept()).toEqual([{ name: 'find_names_0', uses: 1 }])
})

it('rethrows errors of the statement itself', async () => {
  const wrong = planOnce('wrong', CompiledQuery.raw('select 1 / $1::int', [0]))
  await expect(connection.db.executeQuery(wrong)).rejects.toMatchObject({ code: '22012' })
  await expect(connection.db.executeQuery(wrong)).rejects.toMatchObject({ code: '22012' })
})
