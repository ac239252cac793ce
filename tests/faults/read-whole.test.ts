import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt, signUp } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { aReadDocument } from '../support/made-passages.ts'
import {
  cuts,
  fails,
  type ModelRequest,
  type Move,
  says,
  startModelServer,
  waits,
} from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { createRandom, readPlan } from './random.ts'
import { startSharedDatabase } from './shared-database.ts'

const plan = readPlan(1)
const { afterwards, aFolder } = cleanAfterEach()
/** Characters of one passage. Ten passages form one part. */
const LENGTH = 590
const PENALTY = 'There is a penalty for late payment.'
/** One of 40 passages contains what is asked for. */
const textOf = (n: number) => {
  const head = `Passage ${n}. ${n % 40 === 0 ? `${PENALTY} ` : ''}`
  return head.padEnd(LENGTH, 'The parties confirm what they agreed before. ')
}

/** Returns the matches in a part with their numbers, or a model's answer if there are none. */
function noteOf(request: ModelRequest): Move {
  const told = JSON.stringify(request.messages)
  const found = Array.from(told.matchAll(/\[(\d+)\] [^[]*?Passage (\d+)\. There is a penalty/g))
  const lines = found.map(([, number, passage]) => `- Passage ${passage}. There is a penalty [${number}]`)
  return says(...(lines.length > 0 ? [lines.join('\n')] : ['NOT_IN_DOCUMENTS']))
}
const passagesOf = (request: ModelRequest) =>
  Array.from(
    JSON.stringify(request.messages).matchAll(/Passage (\d+)\. (?:There is a penalty for late|The parties)/g),
    ([, n]) => Number(n),
  )

type Wish = { documents: number; passages: number; failing?: number }

/** Starts an installation with a slow, paid model that fails at a given rate, and one person's documents. */
async function anInstallation({ documents, passages, failing = 0 }: Wish) {
  const random = createRandom(7)
  const model = await startModelServer()
  afterwards(() => model.close())
  model.always((request) => {
    if (random() < failing) return random() < 0.5 ? [fails(500)] : [says('- Passage'), cuts()]
    return [waits(sleep(40)), noteOf(request)]
  })
  const database = await startSharedDatabase(aFolder('whole'), { isDurable: false })
  afterwards(() => database.stop())
  const dataDir = aFolder('whole-data')
  const env = {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_BILLING: 'on', ATRIUM_STARTING_BALANCE: '100000' },
    ...database.env,
  }
  const start = () => startProduct({ dataDir, env, entry: 'src/server/main.ts' })
  let product: Product = await start()
  afterwards(() => product.kill())
  const { db, close } = connect(database.address, createLog('silent'))
  afterwards(close)
  const prices = { input_price: 10_000, output_price: 50_000, offered: true, context_tokens: null }
  await db
    .insertInto('model_overrides')
    .values({ model_id: 'compatible/scripted', ...prices })
    .execute()
  const { token, username } = await signUp(product.url)
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  const ids: string[] = []
  for (let at = 0; at < documents; at += 1) {
    const texts = Array.from({ length: passages }, (_, n) => textOf(at * passages + n))
    ids.push(await aReadDocument(db, { userId, name: `Contract ${at}.txt`, texts }))
  }
  const account = () => accountAt(product.url, token)
  const again = async () => {
    await product.kill()
    product = await start()
  }
  return { model, db, ids, account, again }
}
type Installation = Awaited<ReturnType<typeof anInstallation>>

type Execution = {
  id: string
  request: unknown
  finished_at: string | null
  error: string | null
  result: Result
}
type Result = { coverage: { read: number; total: number }; response: string }

/** Executes a tool, approves it, and kills the product after each given number of further model calls. */
async function read(
  place: Installation,
  tool: string,
  inputs: object,
  kills: readonly number[],
): Promise<Execution> {
  const { account, model, again } = place
  const { id: session_id } = await account().call<{ id: string }>('POST', '/sessions', {
    model_name: 'compatible/scripted',
  })
  const started = await account().call<{ tool_execution_id: string }>('POST', `/tools/${tool}/execute`, {
    inputs,
    session_id,
  })
  const path = `/tool-executions/${started.tool_execution_id}`
  const look = () => account().call<Execution>('GET', path)
  await expect.poll(async () => (await look()).request !== null, { timeout: 20_000 }).toBe(true)
  const before = model.requests.length
  await account().call('POST', `${path}/provide-input`, { input: true, input_type: 'boolean' })
  for (const calls of kills) {
    await expect
      .poll(() => model.requests.length - before, { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(calls)
    await sleep(plan.random() * 60)
    await again()
  }
  await expect
    .poll(async () => (await look().catch(() => null))?.finished_at ?? null, { timeout: 60_000 })
    .not.toBeNull()
  return look()
}

/** Returns from the journal how often each passage was read, and what was paid. */
async function readOf({ db }: Installation, { id }: Execution) {
  const { run_id } = await db
    .selectFrom('tool_executions')
    .select('run_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const records = await db
    .selectFrom('run_records')
    .select(['key', 'value'])
    .where('run_id', '=', run_id)
    .where('kind', '=', 'step')
    .execute()
  const stepOf = (key: string) => records.find((record) => record.key.endsWith(key))?.value as never
  const { pieces } = (stepOf('/fix') as { value: { pieces: { chunks: string[] }[] } }).value
  const ids = pieces.flatMap(({ chunks }) => chunks)
  const notes = records.filter(({ key }) => /\/wave1:\d+$/.test(key))
  const paid = await db
    .selectFrom('ledger_entries')
    .select(['step_key', 'amount'])
    .where('run_id', '=', run_id)
    .where('kind', '=', 'usage')
    .where('amount', '<>', 0)
    .orderBy('step_key')
    .execute()
  return {
    pieces: pieces.length,
    ids: [ids.length, new Set(ids).size],
    notes: [notes.length, new Set(notes.map(({ key }) => key)).size],
    read: notes.reduce((sum, { value }) => sum + (value as { value: { read: number } }).value.read, 0),
    paid,
  }
}

/** Counts calls that were made twice, except those in progress at a kill. */
function readAgain({ model }: Installation, from: number): number {
  const times = new Map<number, number>()
  for (const request of model.requests.slice(from))
    for (const passage of passagesOf(request)) times.set(passage, (times.get(passage) ?? 0) + 1)
  return [...times.values()].filter((count) => count > 1).length
}

it('reads each of 2,000 passages once for a question, whatever is killed, and reports 2,000 of 2,000 [CX-07]', {
  timeout: 180_000,
}, async () => {
  const place = await anInstallation({ documents: 20, passages: 100 })
  const done = await read(
    place,
    'document_search',
    { query: 'List every contract that names a penalty' },
    [60, 140],
  )
  expect(done.error).toBeNull()
  expect(done.result.coverage).toEqual({ read: 2_000, total: 2_000 })
  expect(done.result.response).toContain('Passages read: 2,000 of 2,000, in 20 documents.')
  expect(new Set(done.result.response.match(/Passage \d+\. There/g)).size).toBe(50)
  const { pieces, ids, notes, read: count } = await readOf(place, done)
  expect({ ids, notes, count }).toEqual({ ids: [2_000, 2_000], notes: [pieces, pieces], count: 2_000 })
  // Four parts of ten are in progress at a kill.
  expect(readAgain(place, 0)).toBeLessThanOrEqual(2 * 4 * 10)
})

it('reads a document of 600 pages once with a model that fails 5 % of its calls, through three kills, at the undisturbed price [XB-09]', {
  timeout: 240_000,
}, async () => {
  const place = await anInstallation({ documents: 1, passages: 1_800, failing: 0.05 })
  const inputs = { intent: 'Every penalty', document_ids: place.ids }
  const calm = await read(place, 'text_compressor', inputs, [])
  const killed = await read(place, 'text_compressor', inputs, [40, 90, 150])
  expect([calm.error, killed.error]).toEqual([null, null])
  expect(killed.result.coverage).toEqual({ read: 1_800, total: 1_800 })
  const [before, after] = [await readOf(place, calm), await readOf(place, killed)]
  expect(after).toEqual({ ...before, paid: after.paid })
  expect(after.paid).toEqual(before.paid)
  expect(after).toMatchObject({ ids: [1_800, 1_800], read: 1_800, notes: [after.pieces, after.pieces] })
  expect(killed.result.response).toBe(calm.result.response)
  console.log(`faults: ${after.pieces} parts, ${after.paid.length} calls paid, as without a kill`)
})
