import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { findOperator } from '../../src/server/platform/db/postgres/operator.ts'
import { makeSocketFolder } from '../../src/server/platform/db/postgres/socket-folder.ts'
import { accountAt } from '../support/account.ts'
import { cleanAfterEach } from '../support/cleanups.ts'
import { calls, type ModelRequest, type Move, says, startModelServer } from '../support/model-server.ts'
import { startProduct } from '../support/product.ts'
import { ask, faults, type Target } from './database-faults.ts'
import { essenceOf } from './essence.ts'
import { aPerson, finishedReply, type Person } from './person.ts'
import { readPlan } from './random.ts'
import { startSharedDatabase } from './shared-database.ts'

const plan = readPlan(3)
const CHATS = 3
const CALLERS = 12

const first = Array.from({ length: 40 }, (_, i) => `before${i} `)
const last = Array.from({ length: 60 }, (_, i) => `after${i} `)
/** A reply with two model calls and a tool call between them, followed by the update of the working memory. */
function script(request: ModelRequest): Move[] {
  if (JSON.stringify(request.response_format ?? '').includes('belief'))
    return [
      says(JSON.stringify({ goals: [], facts: [{ text: 'It is 42.', from: 'reply' }], open_questions: [] })),
    ]
  if (request.messages.at(-1)?.role === 'tool') return [says(...last)]
  return [says(...first), calls('calculator', { a: 21, b: 2, operation: 'multiply' })]
}

const { afterwards, aFolder } = cleanAfterEach()

/** Starts the product with its embedded database. */
async function embedded(env: Record<string, string>) {
  const product = await startProduct({ entry: 'src/server/main.ts', dataDir: aFolder('database'), env })
  const cluster = join(product.dataDir, 'postgres')
  const host = makeSocketFolder(product.dataDir, findOperator(cluster))
  const target: Target = {
    address: () => ({ host, port: 5432, user: 'postgres', database: 'postgres' }),
    postmaster: () => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]),
  }
  return { product, target }
}

/** Starts the product with an external database. */
async function byUrl(env: Record<string, string>) {
  const database = await startSharedDatabase(aFolder('shared'))
  afterwards(() => database.stop())
  const product = await startProduct({
    ...{ entry: 'src/server/main.ts', dataDir: aFolder('database') },
    env: { ...env, ...database.env },
  })
  return { product, target: { address: () => database.address, postmaster: database.pid } }
}

describe.each([
  ['its own', embedded],
  ['another’s', byUrl],
])('a server whose database, %s, breaks under load', (_, open) => {
  it(`survives: callers get a retry hint, and runs and jobs continue without a difference (${plan.count} times)`, {
    timeout: plan.count * 60_000 + 120_000,
  }, async () => {
    const model = await startModelServer({ tokensPerSecond: 80 })
    afterwards(() => model.close())
    model.always(script)
    const env = { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house', ATRIUM_BILLING: 'on' }
    const { product, target } = await open(env)
    afterwards(() => product.kill())
    const person = await aPerson(() => product.url)
    await prepare(product.url, person)

    const started = performance.now()
    const calm = await person.newSession()
    await person.send(calm, 'Work it out')
    const expected = await traceOf(target, person, calm)
    const duration = performance.now() - started
    expect(expected.reply.content).toBe(`${first.join('')}\n\n${last.join('')}`)
    expect(expected.beliefs).toBe(1)

    const load = callers(product.url, person, await person.newSession())
    const kinds = Object.keys(faults)
    const offset = Math.floor(plan.random() * kinds.length)
    const outages: string[] = []
    for (let i = 0; i < plan.count; i += 1) {
      const kind = kinds[(i + offset) % kinds.length]!
      const before = model.requests.length
      const chats = await Promise.all(Array.from({ length: CHATS }, () => again(() => person.newSession())))
      await Promise.all(chats.map((id) => person.send(id, 'Work it out')))
      const moment = plan.random() * duration
      await sleep(moment)
      const broken = performance.now()
      await faults[kind]!(target, plan.random)
      await sleep(50)
      await again(() => healthy(product.url))
      outages.push(`${kind} ${Math.round(performance.now() - broken)} ms`)
      for (const id of chats) {
        const what = `${kind} after ${Math.round(moment)} ms`
        expect(await traceOf(target, person, id), what).toEqual(expected)
      }
      // Three calls each, plus repeats of those in flight.
      expect(model.requests.length - before).toBeLessThanOrEqual(CHATS * 5)
      expect(product.process.exitCode).toBeNull()
    }
    const answers = await load.end()
    console.log(`faults: ${outages.join(', ')}; callers received ${JSON.stringify(answers)}`)
    expect(Object.keys(answers).filter((line) => line !== 'fine' && line !== '503 unavailable 2')).toEqual([])
    const [sum] = await ask<{ sum: number }>(
      target.address(),
      'select sum(amount)::float8 as sum from ledger_entries',
    )
    const { balance } = await accountOf(product.url, person).call<{ balance: number }>('GET', '/users/me')
    expect(balance).toBeCloseTo(sum?.sum ?? Number.NaN, 6)
    await product.stop()
    expect(product.process.exitCode).toBe(0)
  })
})

const accountOf = (url: string, { headers }: Person) =>
  accountAt(url, headers.authorization.replace('Bearer ', ''))

/** Enables working memory after every reply and sets a price for every call. */
async function prepare(url: string, person: Person): Promise<void> {
  const { call } = accountOf(url, person)
  await call('PUT', '/users/me/preferences', { preferences: { working_memory: true } })
  const connections = await call<{ id: string; provider: string }[]>('GET', '/model-connections')
  const house = connections.find(({ provider }) => provider === 'house')
  const models = { 'house/scripted': { input_price: 1, output_price: 2 } }
  await call('PATCH', `/model-connections/${house?.id}`, { models })
}

/** Returns all traces of a reply once it and its job are done. */
async function traceOf(target: Target, person: Person, session: string) {
  const reply = await finishedReply(person, session, 40_000)
  const read = (sql: string) => ask<Record<string, unknown>>(target.address(), sql, session)
  const countBeliefs = async () =>
    (await read('select run_id from beliefs join runs on runs.id = run_id where session_id = $1')).length
  const deadline = Date.now() + 20_000
  while ((await countBeliefs()) === 0 && Date.now() < deadline) await sleep(50)
  const journal = await read(
    `select run_records.kind, key from run_records join runs on runs.id = run_id
      where session_id = $1 order by position`,
  )
  const paid = await read(
    `select step_key, amount::float8 as amount from ledger_entries
      where session_id = $1 and kind = 'usage' order by step_key`,
  )
  return { reply: essenceOf(reply), journal, paid, beliefs: await countBeliefs() }
}

/** Simulates users who rename chats, read and check health continuously. Returns counts of the answers. */
function callers(url: string, person: Person, session: string) {
  const heard: Record<string, number> = {}
  const acknowledged: string[] = []
  let isOver = false
  const call = async (caller: number) => {
    const [method, path] = (
      [
        ['PUT', `/sessions/${session}/rename`],
        ['GET', '/users/me'],
        ['GET', '/health'],
      ] as const
    )[caller % 3]!
    for (let i = 0; !isOver; i += 1) {
      const title = `${caller}-${i}`
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { ...person.headers, 'content-type': 'application/json' },
        ...(method === 'PUT' ? { body: JSON.stringify({ title }) } : {}),
        signal: AbortSignal.timeout(30_000),
      }).catch((error) => error as Error)
      const line = await lineOf(answer)
      heard[line] = (heard[line] ?? 0) + 1
      if (line === 'fine' && method === 'PUT') acknowledged.push(title)
      await sleep(line === 'fine' ? 5 : 20)
    }
  }
  const all = Array.from({ length: CALLERS }, (_, caller) => call(caller))
  return {
    end: async () => {
      isOver = true
      await Promise.all(all)
      const { title } = await accountOf(url, person).call<{ title: string }>('GET', `/sessions/${session}`)
      expect(acknowledged.slice(-CALLERS)).toContain(title)
      return heard
    },
  }
}

async function lineOf(answer: Response | Error): Promise<string> {
  if (answer instanceof Error) return `failed: ${answer.message}`
  const { code } = (await answer.json()) as { code?: string }
  return answer.ok ? 'fine' : `${answer.status} ${code} ${answer.headers.get('retry-after')}`
}

async function healthy(url: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/health`)
  if (status !== 200) throw new Error(`health answered ${status}`)
}

/** Retries for half a minute. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}
