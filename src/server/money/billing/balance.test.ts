import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { createReservations, recordAbsorbed, recordUsage } from './billing.ts'
import { findBalance, findMonth, releaseReservations, tryReserve } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BILLING: 'on' } })
})
afterAll(() => app.close())

/** Returns a deterministic random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

async function aRun(userId: string, sessionId: string | null): Promise<string> {
  const { id } = await app.deps.db
    .insertInto('runs')
    .values({ kind: 'tool', user_id: userId, session_id: sessionId, agent_type: 'tool', agent_version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const usage = { input_tokens: 7, output_tokens: 3, cached_tokens: 0, reasoning_tokens: 0, estimated: false }
const anEntry = (user_id: string, session_id: string | null, run_id: string, amount: number) => ({
  ...{ user_id, session_id, run_id, step_key: randomUUID(), attempt: 1, model_name: 'house/large', usage },
  ...{ reason: 'reply', price: { amount, unpriced: false } },
})

/** Returns the stored balance and the ledger's sum as PostgreSQL prints them, with all digits. */
async function compare(userId: string) {
  const read = async (query: RawBuilder<{ is: string; should: string }>) =>
    (await query.execute(app.deps.db)).rows[0]
  return [
    await read(sql`
      select (select (balance, entries)::text from user_balances where user_id = ${userId}) as is,
        (sum(amount)::numeric(24, 9), count(*))::text as should from ledger_entries where user_id = ${userId}`),
    await read(sql`
      select (select (amount, input_tokens, output_tokens, calls)::text from user_months
              where user_id = ${userId} and calls > 0) as is,
        ((-sum(amount))::numeric(24, 9), sum(input_tokens), sum(output_tokens), count(*))::text as should
      from ledger_entries where user_id = ${userId} and kind = 'usage'`),
  ]
}

describe('the balance', () => {
  it('equals the sum of the ledger to the last digit under concurrent changes', async () => {
    const { db } = app.deps
    const random = randomFrom(20261122)
    const users = await Promise.all([1, 2].map(() => aUser(app, { balance: 5 })))
    const lost: (Error & { code?: string })[] = []
    const reserved: string[] = []
    const one = async (place: number) => {
      const { id } = users[place % 2] ?? users[0]!
      const session = await aSession(app, { id })
      const run = await aRun(id, session.id)
      const amount = random() / 10 ** Math.floor(random() * 9)
      const kind = random()
      const entry = anEntry(id, session.id, run, amount)
      if (kind < 0.3) return recordUsage(db, entry)
      if (kind < 0.4) return recordAbsorbed(db, entry)
      if (kind < 0.55) {
        // Two bills of one step, in a transaction that blocks another one of the session.
        return db.transaction().execute(async (trx) => {
          await recordUsage(trx, entry)
          await recordUsage(trx, { ...entry, step_key: 'second' })
          if (random() < 0.3) throw new Error('rolled back')
        })
      }
      if (kind < 0.65) {
        const top_up = { user_id: id, kind: 'top_up' as const, amount: amount - 0.5 }
        return void (await db.insertInto('ledger_entries').values(top_up).execute())
      }
      if (kind < 0.75) {
        await recordUsage(db, entry)
        return void (await db.deleteFrom('sessions').where('id', '=', session.id).execute())
      }
      if (kind < 0.85) {
        const booking = { id: randomUUID(), user_id: id, run_id: run, instance_id: app.deps.instance.id }
        await tryReserve(db, { ...booking, amount })
        reserved.push(booking.id)
        return releaseReservations(db, reserved.splice(0, 2))
      }
      if (kind < 0.9) {
        await recordUsage(db, entry)
        return void (await db.deleteFrom('ledger_entries').where('run_id', '=', run).execute())
      }
      await recordUsage(db, entry)
      await db
        .updateTable('ledger_entries')
        .set({ amount: -amount / 3 })
        .where('run_id', '=', run)
        .execute()
    }
    const work = Array.from({ length: 8 }, async (_, worker) => {
      for (let at = 0; at < 25; at++) await one(worker + at).catch((error) => lost.push(error))
    })
    // Connections are cut during the work.
    let isOver = false
    const cutting = (async () => {
      while (!isOver) {
        await sleep(40)
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query like '%ledger_entries%'
          and state <> 'idle' limit 1`
          .execute(db)
          .catch(() => undefined)
      }
    })()
    await Promise.all(work)
    isOver = true
    await cutting
    // 40P01: a deadlock.
    expect(lost.filter(({ code }) => code === '40P01')).toEqual([])
    expect(lost.length).toBeLessThan(100)
    for (const { id } of users) {
      for (const { is, should } of (await compare(id)).map((row) => row!)) expect(is).toBe(should)
    }
  })

  it('is locked after the session, so that bookings and endings of a session never deadlock', async () => {
    const { db } = app.deps
    const user = await aUser(app, { balance: 5 })
    const { id: sessionId } = await aSession(app, user)
    const run = await aRun(user.id, sessionId)
    const end = db.transaction().execute(async (trx) => {
      await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute()
      // A concurrent step of the session must wait for the session without holding the balance.
      const step = recordUsage(db, anEntry(user.id, sessionId, run, 1))
      await sleep(300)
      await recordUsage(trx, anEntry(user.id, sessionId, run, 1))
      return { step }
    })
    await (await end).step
    expect((await findBalance(db, user.id)).balance).toBe(3)
  })

  it('is read from one row, as are the month and the number of entries', async () => {
    const { db } = app.deps
    const user = await aUser(app, { balance: 5 })
    const run = await aRun(user.id, null)
    await sql`
      insert into ledger_entries (user_id, kind, amount, run_id, step_key, input_tokens, output_tokens)
      select ${user.id}, 'usage', -0.000000001, ${run}, n::text, 1, 2 from generate_series(1, 3000) n`.execute(
      db,
    )
    expect(await findBalance(db, user.id)).toEqual({ balance: 4.999997, entries: 3001 })
    expect(await findMonth(db, user.id, new Date())).toEqual({
      ...{ amount: 0.000003, input_tokens: 3000, output_tokens: 6000, calls: 3000 },
    })
    const before = await readsOf('ledger_entries')
    const url = '/api/v1/users/me/billing?page=1&limit=5'
    const { items } = (await app.http.inject({ url, headers: user.headers })).json()
    expect(items).toHaveLength(5)
    await app.http.inject({ url: '/api/v1/users/me', headers: user.headers })
    // Reads the five entries of the page, not all 3,000.
    expect((await readsOf('ledger_entries')) - before).toBeLessThan(300)
  })
})

/** Returns the rows of a table read so far. */
async function readsOf(table: string): Promise<number> {
  // PostgreSQL publishes the counters of a connection after a second.
  await sleep(1_200)
  await Promise.all(
    Array.from({ length: 12 }, () => sql`select pg_stat_force_next_flush()`.execute(app.deps.db)),
  )
  await sql`select pg_stat_clear_snapshot()`.execute(app.deps.db)
  const { rows } = await sql<{ count: number }>`
    select (seq_tup_read + idx_tup_fetch)::float8 as count from pg_stat_user_tables where relname = ${table}
  `.execute(app.deps.db)
  return rows[0]?.count ?? 0
}

describe('a reservation', () => {
  const call = { messages: [], tools: [] }
  const aWish = (user_id: string, run_id: string, signal = new AbortController().signal) => ({
    ...{ user_id, run_id, model_name: 'house/large', call, signal },
  })
  /** Reservations in which every call may cost a dollar. */
  const reservations = () => {
    const models = { ...app.deps.models, mostCost: async () => 1 }
    return createReservations({ ...app.deps, models })
  }

  it('ends with its process', async () => {
    const { db } = app.deps
    const user = await aUser(app, { balance: 0.5 })
    const run = await aRun(user.id, null)
    const gone = await startApp({ address: app.address })
    const booking = { id: randomUUID(), user_id: user.id, run_id: run, instance_id: gone.deps.instance.id }
    expect(await tryReserve(db, { ...booking, amount: 1 })).toBe('reserved')
    expect(await tryReserve(db, { ...booking, id: randomUUID(), amount: 1 })).toBe('busy')
    await gone.close()
    expect(await reservations().reserve(aWish(user.id, run))).toMatch(/-/)
  })

  it('is granted in order, and a stopped run leaves the queue immediately', async () => {
    const user = await aUser(app, { balance: 0.5 })
    const run = await aRun(user.id, null)
    const { reserve, release, wake } = reservations()
    const first = (await reserve(aWish(user.id, run)))!
    const [second, third] = [new AbortController(), new AbortController()]
    const waiting = [second, third].map(({ signal }) => reserve(aWish(user.id, run, signal)))
    const refused = expect(waiting[1]).rejects.toThrow('stopped')
    third.abort(new Error('stopped'))
    await refused
    await release(app.deps.db, [first])
    wake(user.id)
    expect(await waiting[0]).toMatch(/-/)
  })

  it('is refused immediately when the balance is empty', async () => {
    const user = await aUser(app, { balance: 0 })
    const refused = reservations().reserve(aWish(user.id, randomUUID()))
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_balance' })
  })

  it('is refused for a run that is already leaving', async () => {
    const user = await aUser(app, { balance: 0.5 })
    const run = await aRun(user.id, null)
    const { reserve } = reservations()
    await reserve(aWish(user.id, run))
    const refused = reserve({ ...aWish(user.id, run), isLeaving: () => true })
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_balance' })
  })
})
