import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt, signUp } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { calls, type ModelRequest, says, startModelServer } from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { readThrough } from './persistent-reader.ts'
import { readPlan } from './random.ts'
import { startSharedDatabase } from './shared-database.ts'

const plan = readPlan(5)
const SESSIONS = 6

const words = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index} `)
const parts = { first: words('plan', 25), second: words('check', 25), third: words('answer', 60) }
const whole = [parts.first, parts.second, parts.third].map((part) => part.join('')).join('\n\n')
const multiply = { a: 21, b: 2, operation: 'multiply' }

/** Three calls, distinguished by the results before them. */
const script = ({ messages }: ModelRequest) => {
  const results = messages.filter(({ role }) => role === 'tool').length
  if (results === 0)
    return [says(...parts.first), calls('calculator', multiply), calls('calculator', multiply)]
  if (results === 2) return [says(...parts.second), calls('calculator', multiply)]
  return [says(...parts.third)]
}

const { afterwards, aFolder } = cleanAfterEach()

async function aModel() {
  const model = await startModelServer({ tokensPerSecond: 60 })
  afterwards(() => model.close())
  model.always(script)
  return model
}

type Reply = { content: string; status: string; blocks: { type: string; status?: string }[] }
type Answers = { active_branch: Reply[] }

const newSession = async (account: ReturnType<typeof accountAt>) =>
  (await account.call<{ id: string }>('POST', '/sessions', { model_name: 'compatible/scripted' })).id

describe('readers of a killed server', () => {
  it(`receive every character once after ${plan.count} kills [R-13, SE-19]`, {
    timeout: 120_000 + plan.count * 5_000,
  }, async () => {
    const model = await aModel()
    const dataDir = aFolder('readers')
    const env = { ATRIUM_COMPATIBLE_URL: model.url }
    let product: Product = await startProduct({ dataDir, env })
    afterwards(() => product.kill())
    const { token } = await signUp(product.url)
    const account = () => accountAt(product.url, token)
    const ids = await Promise.all(Array.from({ length: SESSIONS }, () => newSession(account())))
    const place = { url: () => product.url, token }
    const deadline = Date.now() + 90_000 + plan.count * 4_000
    const replies = ids.map((id) => readThrough(place, id, 'Go', deadline))
    for (let round = 0; round < plan.count; round++) {
      // Three kills right after a takeover end a run (docs/decisions/0007), so every second one comes later.
      await sleep(100 + plan.random() * 900 + (round % 2) * 2_500)
      await product.kill()
      product = await startProduct({ dataDir, env })
    }
    for (const [index, view] of (await Promise.all(replies)).entries()) {
      expect(view.content).toBe(whole)
      const branch = await account().call<Answers>('GET', `/sessions/${ids[index]}/active-branch`)
      expect(branch.active_branch).toHaveLength(2)
      const [, reply] = branch.active_branch
      expect(reply).toMatchObject({ content: whole, status: 'completed', blocks: view.blocks })
      const shape = reply?.blocks.map(({ type, status }) => status ?? type)
      const turns = [['text', 'complete', 'complete'], ['text', 'complete'], ['text']]
      expect(shape).toEqual([...turns.flatMap((turn) => ['checkpoint', ...turn]), 'checkpoint'])
    }
    // At most the call in progress is repeated, never a committed one.
    expect(model.requests.length).toBeLessThanOrEqual(SESSIONS * (3 + plan.count))
  })
})

describe('suspended process', () => {
  it('loses its runs to another one and writes nothing when it resumes [R-13]', async () => {
    const model = await aModel()
    const database = await startSharedDatabase(aFolder('shared'), { isDurable: false })
    afterwards(() => database.stop())
    const env = { ATRIUM_COMPATIBLE_URL: model.url, ...database.env }
    const sleeper = await startProduct({ dataDir: aFolder('sleeper'), env })
    afterwards(() => sleeper.kill())
    const waker = await startProduct({ dataDir: aFolder('waker'), env })
    afterwards(() => waker.kill())
    const { token } = await signUp(sleeper.url)
    const account = accountAt(waker.url, token)
    const id = await newSession(account)
    const reader = readThrough({ url: () => sleeper.url, token }, id, 'Go', Date.now() + 100_000)
    await begun(account, id)
    await sleep(300)
    sleeper.process.kill('SIGSTOP')
    const asleep = Date.now()
    expect((await finished(account, id)).content).toBe(whole)
    const { db, close } = connect(database.address, createLog('silent'))
    afterwards(close)
    const before = await settled(db)
    await sleep(Math.max(0, 30_000 - (Date.now() - asleep)))
    sleeper.process.kill('SIGCONT')
    await sleep(3_000)
    expect(await snapshot(db)).toEqual(before)
    // A reader on the suspended process receives what the other one wrote.
    expect((await reader).content).toBe(whole)
  })
})

/** Waits until a reply has been started. */
async function begun(account: ReturnType<typeof accountAt>, id: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const branch = await account.call<Answers>('GET', `/sessions/${id}/active-branch`)
    if (branch.active_branch.length === 2) return
    await sleep(20)
  }
  throw new Error('no reply was started')
}

async function finished(account: ReturnType<typeof accountAt>, id: string): Promise<Reply> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const branch = await account.call<Answers>('GET', `/sessions/${id}/active-branch`)
    const reply = branch.active_branch[1]
    if (reply?.status === 'completed') return reply
    await sleep(200)
  }
  throw new Error('no process resumed the run')
}

/** Returns the rows once a second has passed without another write. */
async function settled(db: ReturnType<typeof connect>['db']) {
  for (let before = await snapshot(db); ; ) {
    await sleep(1_000)
    const after = await snapshot(db)
    if (isDeepStrictEqual(after, before)) return after
    before = after
  }
}

/** Returns all rows of a run. */
async function snapshot(db: ReturnType<typeof connect>['db']) {
  return {
    runs: await db.selectFrom('runs').selectAll().execute(),
    records: await db.selectFrom('run_records').selectAll().orderBy('position').execute(),
    messages: await db.selectFrom('messages').selectAll().orderBy('created_at').execute(),
    events: await db.selectFrom('run_events').select(['first_id', 'last_id']).orderBy('first_id').execute(),
    money: await db.selectFrom('ledger_entries').selectAll().orderBy('created_at').execute(),
  }
}
