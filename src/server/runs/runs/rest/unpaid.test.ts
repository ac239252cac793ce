import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

const on = { ATRIUM_BILLING: 'on' }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aChat(): Promise<Chat> {
  const chat = await startChat({ app: { config: on }, user: { balance: 1 } })
  cleanups.push(() => chat.close())
  return chat
}

async function aSecondProcess({ app, model }: Chat): Promise<TestApp> {
  const config = { ...on, ATRIUM_COMPATIBLE_URL: model.url }
  const other = await startApp({ address: app.address, config })
  cleanups.push(() => other.close())
  return other
}

/** Starts a run that spends the whole balance in its first step. */
async function anUnpaidRun(chat: Chat): Promise<string> {
  const entry = { user_id: chat.user.id, kind: 'correction' as const, amount: -2 }
  const spent = Promise.withResolvers<void>()
  const sum = calls('calculator', { a: 6, b: 7, operation: 'multiply' })
  chat.model.reply([says('First. '), waits(spent.promise), sum])
  chat.model.always([says('It is 42.')])
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Hi')
  await stream.until('response_chunk')
  await chat.app.deps.db.insertInto('ledger_entries').values(entry).execute()
  spent.resolve()
  await stream.ended
  const runId = stream.view()?.run_id ?? ''
  expect((await readRun(chat.app, runId)).run).toMatchObject({ state: 'paused', paused_for: 'balance' })
  return runId
}

describe('runs that wait for a top-up', () => {
  it('resume as soon as it is booked, on any process', async () => {
    const chat = await aChat()
    const other = await aSecondProcess(chat)
    const runId = await anUnpaidRun(chat)
    const admin = await aUser(chat.app, { role: 'super_admin' })
    const booked = await other.http.inject({
      ...{ method: 'POST', url: `/api/v1/admin/users/${chat.user.id}/top-up` },
      ...{ headers: admin.headers, payload: { amount: 5 } },
    })
    expect(booked.json()).toEqual({ balance: 4 })
    // Well before the next poll.
    await completes(chat, runId)
  })

  it('cost nothing while they wait', async () => {
    const chat = await aChat()
    await anUnpaidRun(chat)
    const before = await looksAt(chat.app, 'ledger_entries')
    await sleep(3_000)
    expect((await looksAt(chat.app, 'ledger_entries')) - before).toBe(0)
  })

  it('resume at the next start when no process received the notification', async () => {
    const chat = await aChat()
    const runId = await anUnpaidRun(chat)
    const { db } = chat.app.deps
    await sql`alter table ledger_entries disable trigger keep_balance`.execute(db)
    await sql`update user_balances set balance = 5 where user_id = ${chat.user.id}`.execute(db)
    await sql`alter table ledger_entries enable trigger keep_balance`.execute(db)
    await sleep(1_300)
    expect((await readRun(chat.app, runId)).run.state).toBe('paused')
    await aSecondProcess(chat)
    await completes(chat, runId)
  })
})

const completes = ({ app }: Chat, runId: string) =>
  expect.poll(async () => (await readRun(app, runId)).run.state, { timeout: 10_000 }).toBe('completed')

/** Returns how often a table has been scanned. */
async function looksAt({ deps: { db } }: TestApp, table: string): Promise<number> {
  await sleep(1_200)
  await Promise.all(Array.from({ length: 12 }, () => sql`select pg_stat_force_next_flush()`.execute(db)))
  const { rows } = await sql<{ count: number }>`
    select (seq_scan + idx_scan)::float8 as count from pg_stat_user_tables where relname = ${table}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
