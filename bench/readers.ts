import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { aSession, aUser } from '../tests/support/builders.ts'
import { databaseUrl } from '../tests/support/database-url.ts'
import { startProduct } from '../tests/support/product.ts'
import { cpuSeconds } from './measure/processes.ts'
import { Histogram, round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'
import { hotSpots } from './streams/profile.ts'
import type { ReaderJob, ReaderReport, StreamRequest } from './streams/reader.ts'
import { askFor, nowUs } from './streams/token.ts'
import { startWorker, type Worker } from './streams/worker.ts'

/**
 * Measures many readers on a web-only process, of replies written by a worker, without Redis: the time of a token from the
 * provider to a reader, and whether any reader starves. One person has many tabs on `--own` replies, and many people have
 * some each. Nothing is pinned: both processes, the database, the provider and the readers share the machine.
 *
 * --one 500 --own 20 --many 2000 --people 400 --rate 5 --seconds 20 --profile
 */
export async function run(args: string[]): Promise<object> {
  const plan = readPlan(args)
  const house = await open(plan)
  try {
    const own = (await makeChats(house, 1, plan.own)).map((chat) => ({ ...chat, tabs: plan.one / plan.own }))
    const others = (await makeChats(house, plan.people, 1)).map((chat) => ({
      ...chat,
      tabs: plan.many / plan.people,
    }))
    // Twenty concurrent questions would exceed a person's share of the time and be delayed by rests.
    const each = Math.ceil(others.length / Math.max(1, own.length))
    const chats = own.flatMap((chat, n) => [chat, ...others.slice(n * each, (n + 1) * each)])
    const tokens = Math.ceil(
      plan.rate * (chats.length / QUESTIONS_PER_SECOND + OPEN_S + plan.seconds + TAIL_S),
    )
    console.error(`${chats.length} chats exist; asking each`)
    await askAll(house, chats, tokens)
    console.error('all are asked; connecting the readers')
    const tabs = chats.flatMap(({ tabs, ...chat }) => Array(Math.round(tabs)).fill(chat) as Chat[])
    const read = await readAll(house, tabs, plan, tokens)
    const result = summarise(read, tabs.length)
    return plan.profile ? { ...result, ...(await house.profile(read.tokens)) } : result
  } finally {
    await house.close()
  }
}

/** Questions per second. A question costs a server much more than a token. */
const QUESTIONS_PER_SECOND = 25
/** Seconds in which the readers connect before the measurement. */
const OPEN_S = 20
const TAIL_S = 2

type Plan = ReturnType<typeof readPlan>

function readPlan(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      one: { type: 'string', default: '500' },
      own: { type: 'string', default: '20' },
      many: { type: 'string', default: '2000' },
      people: { type: 'string', default: '400' },
      rate: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '20' },
      profile: { type: 'boolean', default: false },
    },
  })
  const { one, own, many, people, rate, seconds } = values
  return {
    ...{ one: Number(one), own: Number(own), many: Number(many), people: Number(people) },
    ...{ rate: Number(rate), seconds: Number(seconds), profile: values.profile },
  }
}

type House = Awaited<ReturnType<typeof open>>

async function open({ rate, one, profile }: Plan) {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-readers-'))
  const log = createLog('warn')
  const postgres = await startPostgres({ dataDir: folder, log })
  const generator = await startWorker('generator', [], { TOKENS_PER_SECOND: String(rate) })
  const common = {
    ...{ DATABASE_URL: databaseUrl(postgres.address), ATRIUM_SECRET_KEY: randomBytes(16).toString('hex') },
    ...{
      ATRIUM_COMPATIBLE_URL: `http://127.0.0.1:${generator.hello.port}/v1`,
      ATRIUM_COMPATIBLE_NAME: 'bench',
    },
    ...{
      ATRIUM_LIMIT_STREAMS_PER_USER: String(one),
      ATRIUM_LIMIT_REQUESTS_AT_ONCE: '5000',
    },
  }
  const start = (role: 'web' | 'worker') =>
    startProduct({
      dataDir: join(folder, role),
      env: {
        ...{ ...common, ATRIUM_ROLE: role },
        ...(profile
          ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval 500 --cpu-prof-dir=${folder}/profile-${role}` }
          : {}),
      },
    })
  const worker = await start('worker')
  const web = await start('web')
  const connection = connect(postgres.address, log)
  const readers = [await startWorker('reader', []), await startWorker('reader', [])]
  return {
    ...{ web, worker, readers, generator, connection, databasePid: postgres.pid() },
    profile: async (tokens: number) => {
      await web.stop()
      await worker.stop()
      const spots = (role: string) => hotSpots(join(folder, `profile-${role}`), tokens)
      return { web: spots('web'), worker: spots('worker') }
    },
    close: async () => {
      for (const one of [...readers, generator]) one.stop()
      await connection.close()
      await web.stop()
      await worker.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Chat = { id: string; token: string }

async function makeChats({ connection }: House, people: number, each: number): Promise<Chat[]> {
  const app = { deps: { db: connection.db, clock: { now: () => new Date() } } }
  const chats: Chat[] = []
  for (let n = 0; n < people; n += 1) {
    const user = await aUser(app)
    for (let m = 0; m < each; m += 1) {
      const { id } = await aSession(app, user, { modelName: 'bench/bench' })
      chats.push({ id, token: user.token })
    }
  }
  return chats
}

/** Sends questions at an even pace, however long each takes. */
async function askAll(house: House, chats: Chat[], tokens: number): Promise<void> {
  const asked = chats.map(async (chat, n) => {
    await sleep((n * 1000) / QUESTIONS_PER_SECOND)
    await ask(house, chat, tokens)
  })
  await Promise.all(asked)
}

/** Stores a question and starts its reply without reading it. */
async function ask({ web }: House, { id, token }: Chat, tokens: number): Promise<void> {
  const answer = await fetch(`${web.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ chat_session_id: id, content: askFor(tokens), agent_type: 'multi_turn' }),
  })
  if (!answer.ok) throw new Error(`a question was answered ${answer.status}: ${await answer.text()}`)
}

async function readAll(house: House, tabs: Chat[], plan: Plan, tokens: number) {
  const { web, readers } = house
  const streams = tabs.map(({ id, token }): StreamRequest => {
    return { url: `${web.url}/api/v1/sessions/${id}/task-stream`, token, body: null, tokens }
  })
  const startUs = nowUs() + 200_000
  const windowFromUs = startUs + OPEN_S * 1e6
  const window = { windowFromUs, windowToUs: windowFromUs + plan.seconds * 1e6 }
  const reading = readers.map((reader: Worker, index) => {
    const mine = streams.filter((_, at) => at % readers.length === index)
    const job: ReaderJob = { streams: mine, startUs, staggerUs: (OPEN_S - 2) * 1e6, ...window }
    return reader.ask<ReaderReport>(job)
  })
  await sleep((startUs - nowUs()) / 1000)
  const coming = await cpuWithin(house, OPEN_S)
  const reads = await cpuWithin(house, plan.seconds)
  const reports = await Promise.all(reading)
  const inWindow = reports.reduce((sum, report) => sum + report.inWindow, 0)
  return { reports, cpu: { coming, reading: reads }, tokens: inWindow, plan }
}

/** Returns the CPU use of all processes for some seconds, in per cent of a core. */
async function cpuWithin(house: House, seconds: number) {
  const { web, worker, readers, generator, databasePid } = house
  const used = (pids: number[], kind: 'node' | 'postgres' = 'node') =>
    pids.reduce((sum, pid) => sum + cpuSeconds(pid)[kind], 0)
  const now = () => ({
    web: used([web.process.pid ?? 0]),
    worker: used([worker.process.pid ?? 0]),
    postgres: used([databasePid], 'postgres'),
    readers: used(readers.map(({ pid }) => pid)),
    provider: used([generator.pid]),
  })
  const before = now()
  await sleep(seconds * 1000)
  const after = now()
  const names = Object.keys(before) as (keyof typeof before)[]
  return Object.fromEntries(
    names.map((name) => [name, round((100 * (after[name] - before[name])) / seconds, 0)]),
  )
}

function summarise({ reports, cpu, tokens, plan }: Awaited<ReturnType<typeof readAll>>, tabs: number) {
  const latency = new Histogram()
  const attach = new Histogram()
  const errors: Record<string, number> = {}
  for (const report of reports) {
    latency.merge(report.latency)
    attach.merge(report.attach)
    for (const [message, count] of Object.entries(report.errors))
      errors[message] = (errors[message] ?? 0) + count
  }
  const sum = (field: 'lost' | 'repeated' | 'disordered' | 'broken') =>
    reports.reduce((all, one) => all + one[field], 0)
  const faults = sum('lost') + sum('repeated') + sum('disordered') + Object.keys(errors).length
  const longest = round(Math.max(...reports.map(({ longestGapMs }) => longestGapMs)), 0)
  return {
    readers: tabs,
    tokens_per_second: round(tokens / plan.seconds, 0),
    token_ms: percentiles(latency),
    attach_ms: percentiles(attach),
    longest_gap_ms: longest,
    ...{ lost: sum('lost'), repeated: sum('repeated'), disordered: sum('disordered') },
    ...{ broken: sum('broken'), errors },
    cpu_percent: cpu,
    targets: [
      below('a token on another process, p99', latency.percentile(0.99), 500, 'ms'),
      below('the longest any reader waited for the next', longest, 2_000, 'ms'),
      atMost('tokens lost, repeated or out of order; failed readers', faults, 0, ''),
      atMost('streams that broke', sum('broken'), 0, ''),
    ],
  }
}

function percentiles(of: Histogram) {
  return { p50: of.percentile(0.5), p95: of.percentile(0.95), p99: of.percentile(0.99) }
}
