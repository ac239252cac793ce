import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Account, signUp } from '../tests/support/account.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import type { Orders, Ready } from './crowd/attacker.ts'
import { cpuSeconds, memoryMb, pinTo, processTree, shareCores } from './measure/processes.ts'
import { round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'

/** Requests that every account makes in turn. */
const daily = ['profile', 'chats', 'chat', 'reply'] as const
type Kind = (typeof daily)[number]
type Times = Record<Kind, number[]>

/** Milliseconds counted for a refused or failed request. */
const REFUSED_MS = 30_000
/** Milliseconds of idle time between the requests of a person. */
const THINKING_MS = 250

/**
 * Measures whether one account can slow down the others: response times for another person before, during and after
 * an ordinary account sends as many requests as it can. The server and its database have their own cores; the clients,
 * the attacker and its model share the others.
 *
 *   --seconds 20
 *   --control   sends the attack to a server in the attacker's own process, to measure the effect of the load alone
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '20' }, control: { type: 'boolean', default: false } },
  })
  const seconds = Number(values.seconds)
  const cores = shareCores()
  const attacker = await start(cores.others)
  const env = { ATRIUM_COMPATIBLE_URL: attacker.modelUrl, ATRIUM_COMPATIBLE_NAME: 'house' }
  const product = await startProduct({ env, prefix: pinTo(cores.server) })
  pinSelf(cores.others)
  try {
    await signUp(product.url, 'ada')
    const others = await Promise.all(['grace', 'joan', 'mary'].map((name) => signUp(product.url, name)))
    const mallory = await signUp(product.url, 'mallory')
    const orders = await prepare(product, mallory)
    await work(product, others, 3)
    const before = await work(product, others, seconds)
    attacker.process.send({ ...orders, ...(values.control && { url: attacker.controlUrl }) })
    await sleep(3_000)
    const peak = watchMemory(product)
    const busy = await work(product, others, seconds)
    const did = await stop(attacker.process)
    const mb = peak.stop()
    await sleep(5_000)
    const after = await work(product, others, seconds)
    return report({ before, busy, after, did, mb })
  } finally {
    attacker.process.kill()
    await product.stop()
  }
}

/** Creates a long conversation of large messages, and further ones for concurrent requests. */
async function prepare({ url }: Product, mallory: Account): Promise<Orders> {
  const make = async () => (await mallory.call<{ id: string }>('POST', '/sessions', {})).id
  const bigSession = await make()
  const large = 'zebra lion '.repeat(88_000)
  for (let n = 0; n < 24; n += 1) {
    const body = { chat_session_id: bigSession, content: `${n} ${large}`, model_name: 'house/scripted' }
    await mallory.call('POST', '/messages', body)
    await finished(mallory, bigSession)
  }
  const sessions: string[] = []
  for (let n = 0; n < 40; n += 1) sessions.push(await make())
  return { url, token: mallory.token, bigSession, sessions, model: 'house/scripted' }
}

async function finished(account: Account, session: string): Promise<void> {
  for (;;) {
    const { status } = await account.call<{ status: string }>('GET', `/sessions/${session}`)
    if (status !== 'GENERATING') return
    await sleep(20)
  }
}

type Worked = { times: Times; cpu: { node: number; postgres: number } }

/** Simulates people at work for some seconds. Returns the milliseconds of requests by kind, and the total CPU time of the server. */
async function work({ process: { pid = 0 } }: Product, people: Account[], seconds: number): Promise<Worked> {
  const times: Times = { profile: [], chats: [], chat: [], reply: [] }
  const before = cpuSeconds(pid)
  await Promise.all(people.map((person) => workAlone(person, seconds, times)))
  const { node, postgres } = cpuSeconds(pid)
  return { times, cpu: { node: round(node - before.node), postgres: round(postgres - before.postgres) } }
}

/** Simulates one person in a new chat. */
async function workAlone(person: Account, seconds: number, times: Times): Promise<void> {
  const { id: session } = await person.call<{ id: string }>('POST', '/sessions', {})
  const until = performance.now() + seconds * 1000
  const steps: Record<Kind, () => Promise<unknown>> = {
    profile: () => person.call('GET', '/users/me'),
    chats: () => person.call('GET', '/sessions'),
    chat: () => person.call('GET', `/sessions/${session}/active-branch`),
    reply: async () => {
      const body = { chat_session_id: session, content: 'What is 2 + 2?', model_name: 'atrium/offline' }
      await person.call('POST', '/messages', body)
      await finished(person, session)
    },
  }
  for (let n = 0; performance.now() < until; n += 1) {
    for (const kind of daily) {
      // A reply is a dozen requests and writes: one in ten rounds.
      if (kind === 'reply' && n % 10 !== 1) continue
      const started = performance.now()
      const isDone = await steps[kind]().then(
        () => true,
        () => false,
      )
      times[kind].push(isDone ? performance.now() - started : REFUSED_MS)
    }
    await sleep(THINKING_MS)
  }
}

/** The attacker's own load does not count against the server. */
async function start(cores: number[]) {
  const [execPath = '', ...execArgv] = [...pinTo(cores), 'nice', '-n', '10', process.execPath]
  const child = fork(join(import.meta.dirname, 'crowd/attacker.ts'), { execPath, execArgv })
  const addresses = new Promise<Ready>((resolve) => child.once('message', (ready) => resolve(ready as Ready)))
  return { process: child, ...(await addresses) }
}

function pinSelf(cores: number[]): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)])
}

async function stop(child: ChildProcess): Promise<object> {
  const answer = new Promise<object>((resolve) => child.once('message', (did) => resolve(did as object)))
  child.send({})
  return answer
}

/** Tracks the peak memory of the server's own process, in MB. */
function watchMemory({ process: { pid = 0 } }: Product) {
  let most = 0
  const look = () => {
    const ours = processTree(pid).filter(({ name }) => name !== 'postgres')
    most = Math.max(most, memoryMb(ours.map((one) => one.pid)))
  }
  const timer = setInterval(look, 200)
  return {
    stop: () => {
      clearInterval(timer)
      return Math.round(most)
    },
  }
}

function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
}

type Seen = { before: Worked; busy: Worked; after: Worked; did: object; mb: number }

function report({ before, busy, after, did, mb }: Seen) {
  const p95s = (pick: (times: Times) => number[]) => {
    const idle = p95([...pick(before.times), ...pick(after.times)])
    const [idle_p95_ms, busy_p95_ms] = [round(idle), round(p95(pick(busy.times)))]
    const requests = pick(busy.times).length
    const [before_ms, after_ms] = [round(p95(pick(before.times))), round(p95(pick(after.times)))]
    return {
      idle_p95_ms,
      before_ms,
      after_ms,
      busy_p95_ms,
      ratio: round(busy_p95_ms / idle_p95_ms, 2),
      requests,
    }
  }
  const all = p95s((times) => daily.flatMap((kind) => times[kind]))
  return {
    kinds: Object.fromEntries(daily.map((kind) => [kind, p95s((times) => times[kind])])),
    cpu_seconds: { before: before.cpu, busy: busy.cpu, after: after.cpu },
    ...{ ...all, attacker: did },
    targets: [
      atMost("others' p95 while one account does all it may", all.ratio, 2, '× idle'),
      below('memory of the server', mb, 1000, 'MB'),
    ],
  }
}
