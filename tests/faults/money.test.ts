import { describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt, signUp } from '../support/account.ts'
import { aGate } from '../support/chat.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { fails, says, startModelServer, waits } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readPlan } from './random.ts'
import { startSharedDatabase } from './shared-database.ts'

const plan = readPlan(2)
const REPLIES = 8
/** Cost of one scripted call: 100 input tokens, 20 output tokens. */
const COST = 2

const { afterwards, aFolder } = cleanAfterEach()

/** Starts a database, a scripted model with a price, and two processes that share them. */
async function anInstallation() {
  const model = await startModelServer()
  afterwards(() => model.close())
  const database = await startSharedDatabase(aFolder('money'), { isDurable: false })
  afterwards(() => database.stop())
  const env = {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_BILLING: 'on', ATRIUM_STARTING_BALANCE: '0.01' },
    ...database.env,
  }
  const start = async (name: string) => {
    const product = await startProduct({ dataDir: aFolder(name), env, entry: 'src/server/main.ts' })
    afterwards(() => product.kill())
    return product
  }
  const products = [await start('one'), await start('two')]
  const { db, close } = connect(database.address, createLog('silent'))
  afterwards(close)
  const prices = { input_price: 10_000, output_price: 50_000, offered: true, context_tokens: null }
  await db
    .insertInto('model_overrides')
    .values({ model_id: 'compatible/scripted', ...prices })
    .execute()
  return { model, db, products, start }
}
type Installation = Awaited<ReturnType<typeof anInstallation>>

async function statesOf({ db }: Installation, sessions: string[]) {
  const rows = await db.selectFrom('runs').select('state').where('session_id', 'in', sessions).execute()
  return rows.map(({ state }) => state).sort()
}

async function moneyOf({ db }: Installation, userId: string) {
  const ledger = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount', 'run_id', 'step_key'])
    .where('user_id', '=', userId)
    .execute()
  const kept = await db
    .selectFrom('user_balances')
    .select(['balance', 'entries'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const reserved = await db.selectFrom('balance_reservations').select('id').execute()
  return { ledger, kept, reserved }
}

describe('kill -9 of a process during a paid call', () => {
  it(`releases the reserved amount, and bills each reply once (${plan.count} kills)`, {
    timeout: 60_000 + plan.count * 60_000,
  }, async () => {
    const place = await anInstallation()
    const { model, db, products, start } = place
    const { token, username } = await signUp(products[0]!.url)
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const accountOf = (product: Product) => accountAt(product.url, token)
    for (let round = 0; round < plan.count; round++) {
      const before = model.requests.length
      const gate = aGate()
      model.always([says('Hello.'), waits(gate.opened)])
      const sessions: string[] = []
      for (let at = 0; at < REPLIES; at++) {
        const account = accountOf(products[at % 2]!)
        const { id } = await account.call<{ id: string }>('POST', '/sessions', {
          model_name: 'compatible/scripted',
        })
        await account.call('POST', '/messages', { chat_session_id: id, content: 'Hi' })
        sessions.push(id)
      }
      await expect.poll(() => model.requests.length - before, { timeout: 20_000 }).toBe(1)
      // The first reply was sent to the first process and is in progress.
      await new Promise((resolve) => setTimeout(resolve, plan.random() * 500))
      await products[0]!.kill()
      // Exactly one process resumes it.
      await expect.poll(() => model.requests.length - before, { timeout: 20_000 }).toBe(2)
      products[0] = await start(`again-${round}`)
      gate.open()
      const oneIsPaid = ['completed', ...Array.from({ length: REPLIES - 1 }, () => 'paused')]
      await expect.poll(() => statesOf(place, sessions), { timeout: 60_000 }).toEqual(oneIsPaid)
      expect(model.requests.length - before).toBe(2)
      const overdrawn = await moneyOf(place, userId)
      expect(overdrawn.kept.balance).toBeCloseTo(0.01 - COST, 9)
      expect(overdrawn.reserved).toEqual([])
      const amount = COST * REPLIES
      await db.insertInto('ledger_entries').values({ user_id: userId, kind: 'top_up', amount }).execute()
      const all = Array.from({ length: REPLIES }, () => 'completed')
      await expect.poll(() => statesOf(place, sessions), { timeout: 60_000 }).toEqual(all)
      const { ledger, kept, reserved } = await moneyOf(place, userId)
      const used = ledger.filter(({ kind }) => kind === 'usage')
      expect(used).toHaveLength(REPLIES * (round + 1))
      expect(kept.entries).toBe(ledger.length)
      expect(kept.balance).toBeCloseTo(0.01, 9)
      expect(reserved).toEqual([])
    }
  })
})

describe('kill -9 of a process while a fallback answers', () => {
  it('lets another process complete the reply with the fallback: one decision, and each call billed once [AD-17]', {
    timeout: 120_000,
  }, async () => {
    const { model, db, products } = await anInstallation()
    const [asked, answered] = ['compatible/scripted', 'spare/scripted']
    const spare = await startModelServer()
    afterwards(() => spare.close())
    const connection = { provider: 'spare', name: 'Spare', kind: 'compatible', base_url: spare.url }
    await db.insertInto('model_connections').values(connection).execute()
    const prices = { input_price: 10_000, output_price: 50_000, offered: true, context_tokens: null }
    await db
      .insertInto('model_overrides')
      .values({ model_id: answered, ...prices })
      .execute()
    await db
      .updateTable('model_overrides')
      .set({ fallback_id: answered })
      .where('model_id', '=', asked)
      .execute()
    const gate = aGate()
    model.always([fails(401, 'no such key')])
    spare.always([says('From the '), waits(gate.opened), says('spare.')])
    const { token } = await signUp(products[0]!.url)
    const one = accountAt(products[0]!.url, token)
    const { id } = await one.call<{ id: string }>('POST', '/sessions', { model_name: asked })
    await one.call('POST', '/messages', { chat_session_id: id, content: 'Hi' })
    const streamed = async () =>
      JSON.stringify(await db.selectFrom('run_events').select('events').execute()).includes('From the ')
    await expect.poll(streamed, { timeout: 20_000 }).toBe(true)
    await products[0]!.kill()
    // The first provider is back by then, but the resumed run uses the fallback it decided for.
    model.always([says('From the first.')])
    await expect.poll(() => spare.requests.length, { timeout: 30_000 }).toBe(2)
    gate.open()
    const two = accountAt(products[1]!.url, token)
    const replyOf = async () =>
      (await two.call<{ active_branch: Record<string, unknown>[] }>('GET', `/sessions/${id}/active-branch`))
        .active_branch[1]
    await expect.poll(replyOf, { timeout: 30_000 }).toMatchObject({ status: 'completed' })
    const { content, blocks } = (await replyOf()) as { content: string; blocks: { type: string }[] }
    expect(content).toBe('From the spare.')
    expect(blocks.filter(({ type }) => type === 'fallback')).toMatchObject([
      { asked: { id: asked }, answered: { id: answered }, reason: 'unauthorized' },
    ])
    expect([model.requests.length, spare.requests.length]).toEqual([1, 2])
    const records = await db.selectFrom('run_records').select(['kind', 'key', 'value']).execute()
    const decisions = records.filter(({ value }) =>
      JSON.stringify(value)?.includes('"reason":"unauthorized"'),
    )
    expect(decisions.map(({ kind, key }) => [kind, key])).toEqual([
      ['started', 'model:1#1'],
      ['step', 'model:1'],
    ])
    const booked = await db
      .selectFrom('ledger_entries')
      .select(['kind', 'model_name'])
      .where('run_id', 'is not', null)
      .orderBy('kind')
      .execute()
    // The lost attempt is billed to the installation.
    expect(booked).toEqual([
      { kind: 'absorbed', model_name: answered },
      { kind: 'usage', model_name: answered },
    ])
    expect(await db.selectFrom('balance_reservations').select('id').execute()).toEqual([])
  })
})
