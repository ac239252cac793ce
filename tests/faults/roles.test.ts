import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { cloneDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/database-url.ts'
import {
  calls,
  type ModelRequest,
  type ModelServer,
  type Move,
  says,
  startModelServer,
} from '../support/model-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { essenceOf } from './essence.ts'
import { readThrough } from './persistent-reader.ts'
import { aPerson, finishedReply, type Person } from './person.ts'
import { readPlan } from './random.ts'

const plan = readPlan(4)
const first = Array.from({ length: 40 }, (_, i) => `before${i} `)
const last = Array.from({ length: 80 }, (_, i) => `after${i} `)
const whole = `${first.join('')}\n\n${last.join('')}`
const folder = mkdtempSync(join(tmpdir(), 'atrium-roles-'))

type Role = 'web' | 'worker'
let database: Awaited<ReturnType<typeof cloneDatabase>>
let model: ModelServer
let person: Person
const processes = {} as Record<Role, Product>

const isForBelief = ({ response_format }: ModelRequest) =>
  JSON.stringify(response_format ?? '').includes('belief')

/** A reply with two calls and a tool between them, and the job that updates the working memory. */
function script(request: ModelRequest): Move[] {
  const belief = { goals: [], facts: [{ text: 'It is 42.', from: 'reply' }], open_questions: [] }
  if (isForBelief(request)) return [says(...JSON.stringify(belief))]
  if (request.messages.at(-1)?.role === 'tool') return [says(...last)]
  return [says(...first), calls('calculator', { a: 21, b: 2, operation: 'multiply' })]
}

async function start(role: Role): Promise<void> {
  processes[role] = await startProduct({
    ...{ entry: 'src/server/main.ts', dataDir: join(folder, role) },
    env: {
      ...{ ATRIUM_ROLE: role, DATABASE_URL: databaseUrl(database.address), ATRIUM_SECRET_KEY: secret },
      ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' },
    },
  })
}
const secret = randomBytes(16).toString('hex')
const web = () => processes.web.url

beforeAll(async () => {
  database = await cloneDatabase()
  model = await startModelServer({ tokensPerSecond: 120 })
  model.always(script)
  await Promise.all([start('web'), start('worker')])
  person = await aPerson(web)
  await account().call('PUT', '/users/me/preferences', { preferences: { working_memory: true } })
})
afterAll(async () => {
  await processes.web?.stop()
  await processes.worker?.stop()
  await model.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const account = () => accountAt(web(), person.headers.authorization.slice('Bearer '.length))
const place = { url: web, token: '' }

/** Returns the outcome of a reply for its person: on the stream, in the chat, and in storage. */
async function workItOut(session: string) {
  place.token = person.headers.authorization.slice('Bearer '.length)
  const view = await readThrough(place, session, 'Work it out', Date.now() + 60_000)
  const reply = await finishedReply(person, session)
  expect({ content: view.content, blocks: view.blocks }).toEqual({
    content: reply.content,
    blocks: reply.blocks,
  })
  return { ...essenceOf(reply), facts: await factsOf(session) }
}

async function factsOf(session: string): Promise<string[]> {
  for (;;) {
    type Belief = { is_pending: boolean; facts: { text: string }[] }
    const belief = await account()
      .call<Belief>('GET', `/sessions/${session}/belief`)
      .catch(() => null)
    if (belief && !belief.is_pending) return belief.facts.map(({ text }) => text)
    await sleep(20)
  }
}

const jobsBegun = () => model.requests.filter(isForBelief).length
async function untilJobs(count: number): Promise<void> {
  while (jobsBegun() < count) await sleep(5)
}

describe('web and worker as separate processes', () => {
  it(`do not change replies with tools or jobs when killed in turn, one ${plan.count} times`, {
    timeout: plan.count * 30_000 + 120_000,
  }, async () => {
    const started = performance.now()
    const expected = await workItOut(await person.newSession())
    const duration = performance.now() - started
    expect(expected).toMatchObject({ content: whole, status: 'completed', facts: ['It is 42.'] })

    const jobs: number[] = []
    for (let i = 0; i < plan.count; i += 1) {
      const role: Role = i % 2 === 0 ? 'web' : 'worker'
      const session = await person.newSession()
      const before = jobsBegun()
      const result = workItOut(session)
      // Every second worker is killed during a job.
      const inJob = i % 4 === 3
      const moment = plan.random() * duration
      await (inJob ? untilJobs(before + 1) : sleep(moment))
      await processes[role].kill()
      await start(role)
      const again = performance.now()
      if (inJob) {
        await untilJobs(before + 2)
        jobs.push(Math.round(performance.now() - again))
      }
      expect(await result, `${role} killed after ${inJob ? 'the job began' : Math.round(moment)}`).toEqual(
        expected,
      )
    }
    console.log(`faults: jobs begun again ${jobs.join(', ')} ms after the worker was there again`)
    for (const ms of jobs) expect(ms).toBeLessThan(5_000)
  })
})
