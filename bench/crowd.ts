import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Account, signUp } from '../tests/support/account.ts'
import { says, startModelServer } from '../tests/support/model-server.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import type { Orders } from './crowd/attacker.ts'
import { memoryMb, pinTo, processTree, shareCores } from './measure/processes.ts'
import { round } from './measure/statistics.ts'
import { atMost, below } from './measure/targets.ts'

/** What everybody does all day, one after the other. */
const daily = ['profile', 'chats', 'chat', 'reply'] as const
type Kind = (typeof daily)[number]
type Times = Record<Kind, number[]>

/** What a request counts as that was refused or failed. */
const REFUSED_MS = 30_000

/**
 * Whether one account can take the house from the others: what another person's requests take while nobody else is
 * there, and while an ordinary account does everything it may at once. The server has its own cores.
 *
 *   --seconds 20
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '20' } } })
  const seconds = Number(values.seconds)
  const cores = shareCores()
  const model = await startModelServer()
  model.always([says(...Array.from({ length: 400 }, (_, n) => `word${n} `))])
  const env = { ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house' }
  const product = await startProduct({ env, prefix: pinTo(cores.server) })
  try {
    await signUp(product.url, 'ada')
    const neighbour = await signUp(product.url, 'grace')
    const mallory = await signUp(product.url, 'mallory')
    const orders = await prepare(product, mallory)
    const chat = await neighbour.call<{ id: string }>('POST', '/sessions', {})
    await work(neighbour, chat.id, 3)
    const idle = await work(neighbour, chat.id, seconds)
    const attacker = await start(orders)
    await sleep(3_000)
    const peak = watchMemory(product)
    const busy = await work(neighbour, chat.id, seconds)
    const did = await stop(attacker)
    const mb = peak.stop()
    await sleep(5_000)
    const after = await work(neighbour, chat.id, 3)
    return report({ idle, busy, after, did, mb })
  } finally {
    await product.stop()
    await model.close()
  }
}

/** A long conversation of large messages, and others to be busy in. */
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

/** A person at work for some seconds; milliseconds of each request by its kind. */
async function work(person: Account, session: string, seconds: number): Promise<Times> {
  const times: Times = { profile: [], chats: [], chat: [], reply: [] }
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
  while (performance.now() < until) {
    for (const kind of daily) {
      // A reply is a dozen requests and writes: one in ten rounds.
      if (kind === 'reply' && times.profile.length % 10 !== 1) continue
      const started = performance.now()
      const isDone = await steps[kind]().then(
        () => true,
        () => false,
      )
      times[kind].push(isDone ? performance.now() - started : REFUSED_MS)
    }
    await sleep(20)
  }
  return times
}

async function start(orders: Orders): Promise<ChildProcess> {
  // What the attacker itself needs of the machine is not the server's to answer for.
  const child = fork(join(import.meta.dirname, 'crowd/attacker.ts'), {
    ...{ execPath: 'nice', execArgv: ['-n', '19', process.execPath] },
  })
  await new Promise((resolve) => child.once('message', resolve))
  child.send(orders)
  return child
}

async function stop(child: ChildProcess): Promise<object> {
  const answer = new Promise<object>((resolve) => child.once('message', (did) => resolve(did as object)))
  child.send({})
  return answer
}

/** The most memory the server's own process has had, in MB. */
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

type Seen = { idle: Times; busy: Times; after: Times; did: object; mb: number }

function report({ idle, busy, after, did, mb }: Seen) {
  const all = (times: Times) => daily.flatMap((kind) => times[kind])
  const row = (kind: Kind) => [
    kind,
    {
      ...{ idle_p95_ms: round(p95(idle[kind])), busy_p95_ms: round(p95(busy[kind])) },
      ...{ after_p95_ms: round(p95(after[kind])), ratio: round(p95(busy[kind]) / p95(idle[kind]), 2) },
      requests: busy[kind].length,
    },
  ]
  const ratio = round(p95(all(busy)) / p95(all(idle)), 2)
  return {
    kinds: Object.fromEntries(daily.map(row)),
    ...{ idle_p95_ms: round(p95(all(idle))), busy_p95_ms: round(p95(all(busy))), ratio, attacker: did },
    targets: [
      atMost("others' p95 while one account does all it may", ratio, 2, '× idle'),
      below('memory of the server', mb, 1000, 'MB'),
    ],
  }
}
