import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOperator } from '../../src/server/platform/db/postgres/operator.ts'
import { makeSocketFolder } from '../../src/server/platform/db/postgres/socket-folder.ts'
import type { Block } from '../../src/shared/runs/runs/blocks.ts'
import type { Message } from '../../src/shared/runs/runs/message.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type LetterServer, startLetterServer } from './letter-server.ts'
import { readPlan } from './random.ts'
import { answerScenario, type Scenario, scenarios } from './scripted-agents.ts'
import { startWithTool, type ToolProduct } from './tool-product.ts'

const plan = readPlan(20)
const RECOVERY_MS = 5_000

let model: ModelServer
let letters: LetterServer
let place: ToolProduct

beforeAll(async () => {
  model = await startModelServer({ tokensPerSecond: 120 })
  model.always(answerScenario)
  letters = await startLetterServer()
  place = await startWithTool('send_letter', {
    ...{ ATRIUM_COMPATIBLE_URL: model.url, ATRIUM_COMPATIBLE_NAME: 'house', ATRIUM_BILLING: 'on' },
    TEST_LETTER_URL: letters.url,
  })
  await setPrices()
})
afterAll(async () => {
  await place.close()
  await model.close()
  letters.close()
})

describe('kill -9 of agents', () => {
  it(`does not change a reply of any of the four, whenever it happens (${plan.count} replies) [R-13, SE-14, CK-07]`, {
    timeout: plan.count * 30_000 + 120_000,
  }, async () => {
    const calm = new Map<Scenario, Ended>()
    for (const scenario of scenarios) calm.set(scenario, await finish(scenario, await begin(scenario)))
    expect([...calm.values()].map(({ reply }) => reply.status)).toEqual(scenarios.map(() => 'completed'))

    const recoveries: number[] = []
    let questions = 0
    // One kill hits all four scenarios, each at its own moment.
    for (let i = 0; i < plan.count; i += scenarios.length) {
      const victims = scenarios.slice(0, plan.count - i).map((scenario) => {
        const expected = calm.get(scenario)!
        return { scenario, expected, moment: Math.round(plan.random() * expected.ms) }
      })
      const all = await playThroughKill(victims)
      for (const [index, played] of all.entries()) {
        const { scenario, expected, moment } = victims[index]!
        const what = `${scenario.agent_type} killed after ${moment} of ${Math.round(expected.ms)} ms`
        expect(essenceOf(played.reply), what).toEqual(essenceOf(expected.reply))
        expect(played.journal, what).toEqual(expected.journal)
        expect(played.paid, what).toEqual(expected.paid)
        expect(played.letters, what).toEqual(expected.letters)
        recoveries.push(played.recovery)
        questions += played.interrupted
      }
    }
    const { balance } = await get('/users/me')
    const [sum] = await read('select sum(amount)::float8 as sum from ledger_entries')
    expect(balance).toBeCloseTo(Number(sum?.sum), 6)
    expect(Math.max(...recoveries)).toBeLessThan(RECOVERY_MS)
    const sorted = recoveries.toSorted((a, b) => a - b)
    console.log(
      `faults: resumed ${sorted[Math.floor(sorted.length / 2)]} ms (median), ${sorted.at(-1)} ms (most) after the restart; ${questions} interrupted calls were asked about`,
    )
  })
})

type Ended = {
  reply: Message
  ms: number
  /** Records of the run and its sub-runs, without those added by the interruption. */
  journal: string[]
  /** The charged steps with their amounts. */
  paid: unknown[]
  /** Number of times each letter was sent. */
  letters: number[]
  interrupted: number
}
/** Milliseconds from the restart until the run was resumed. */
type Played = Ended & { recovery: number }

/** An accepted message. */
type Begun = { id: string; started: number; sentBefore: Set<string> }

/** Runs scenarios to their end as a user would, with one kill that hits each at its moment. */
async function playThroughKill(victims: { scenario: Scenario; moment: number }[]): Promise<Played[]> {
  const latest = Math.max(...victims.map(({ moment }) => moment))
  const begun = victims.map(({ scenario, moment }) => sleep(latest - moment).then(() => begin(scenario)))
  const restarted = sleep(latest).then(async () => {
    await Promise.all(begun)
    await place.product.kill()
    await place.start()
    return performance.now()
  })
  return Promise.all(
    victims.map(async ({ scenario }, index) => {
      const reply = await begun[index]!
      const recovery = restarted.then((since) => untilInHand(reply.id, since))
      return { ...(await finish(scenario, reply, recovery)), recovery: await recovery }
    }),
  )
}

async function begin({ agent_type, content, tool_choice }: Scenario): Promise<Begun> {
  const sentBefore = new Set(letters.sent.keys())
  const { id } = await post('/sessions', { session_metadata: { agent_type } })
  const started = performance.now()
  await send(id, { content, tool_choice })
  return { id, started, sentBefore }
}

/** Answers input requests until a reply has ended and its follow-up work is done. */
async function finish(
  { agent_type, letter }: Scenario,
  { id, started, sentBefore }: Begun,
  fault?: Promise<unknown>,
): Promise<Ended> {
  let interrupted = 0
  let reply: Message | null = null
  const deadline = Date.now() + 60_000
  while (reply?.status !== 'completed' && reply?.status !== 'error') {
    if (Date.now() > deadline)
      throw new Error(`${agent_type} did not end: ${JSON.stringify(reply).slice(0, 800)}`)
    await sleep(40)
    // Nothing can be read or answered while the server is down.
    interrupted += await answerRequests(id).catch(() => 0)
    reply = await place.person.reply(id).catch(() => null)
  }
  const ms = performance.now() - started
  await fault
  // A reply that had ended before the kill must be unchanged.
  const kept = (await place.person.reply(id))!
  const own = [...letters.sent].filter(([call, { text }]) => text === letter && !sentBefore.has(call))
  const records = await read(
    `select run_records.kind, key from run_records join runs on runs.id = run_id where session_id = $1`,
    id,
  )
  const paid = await read(
    `select step_key, amount::float8 as amount from ledger_entries
     where session_id = $1 and kind = 'usage' order by step_key`,
    id,
  )
  const journal = records
    .map(({ kind, key }) => `${kind}:${key}`)
    .filter((key) => !/interrupted|#[2-9]$/.test(key))
  return {
    reply: kept,
    ms,
    journal: journal.sort(),
    paid,
    letters: own.map(([, { count }]) => count),
    interrupted,
  }
}

/** Returns the time from the restart until a run is resumed. */
async function untilInHand(sessionId: string, restarted: number): Promise<number> {
  for (;;) {
    const [run] = await read(
      'select state, attempt, epoch from runs where session_id = $1 and parent_run_id is null',
      sessionId,
    )
    const [session] = await read('select epoch from sessions where id = $1', sessionId)
    if (run?.state !== 'running' || run.attempt > 1 || session?.epoch > 1)
      return Math.round(performance.now() - restarted)
    await sleep(10)
  }
}

/** Answers as a user who can check whether a letter was sent. Returns the number of interrupted calls. */
async function answerRequests(sessionId: string): Promise<number> {
  const { items } = await get('/input-requests')
  let interrupted = 0
  for (const { session_id, request } of items) {
    if (session_id !== sessionId) continue
    const { checkpoint_name, kind, tool } = request
    const isSent = kind === 'interrupted' && letters.sent.has(tool?.tool_execution_id)
    const input = kind === 'interrupted' ? (isSent ? 'skip' : 'retry') : 'Friday'
    await post(`/sessions/${sessionId}/provide-input`, { checkpoint_name, input, input_type: 'text' })
    if (kind === 'interrupted') interrupted += 1
  }
  return interrupted
}

/** Returns the visible part of a reply. Ids and times differ between runs, and a skipped letter has no result. */
function essenceOf({ content, status, blocks }: Message) {
  const shown = blocks.filter((block) => {
    return !('checkpoint_name' in block && block.checkpoint_name.includes('interrupted'))
  })
  return { content, status, blocks: shown.map(essenceOfBlock) }
}

function essenceOfBlock(block: Block) {
  const { type } = block
  if (block.type === 'text') return { type, text: block.text, step: block.step }
  if (block.type === 'thinking') return { type, text: block.text, step: block.step }
  if (block.type === 'checkpoint') return { type, name: block.checkpoint_name }
  if (block.type === 'input_required') return { type, name: block.checkpoint_name, input: block.input }
  if (block.type === 'step') {
    const { number, description, completed, message } = block
    return { type, number, description, completed, message }
  }
  if (block.type !== 'tool') return { type }
  const { tool_id, input, step } = block
  return { type, tool_id, input, step, result: tool_id === 'send_letter' ? null : block.result }
}

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Any = any

async function get(path: string): Promise<Any> {
  return (await fetch(`${place.product.url}/api/v1${path}`, { headers: place.person.headers })).json()
}

async function post(path: string, body: object, method = 'POST'): Promise<Any> {
  const headers = { ...place.person.headers, 'content-type': 'application/json' }
  const answer = await fetch(`${place.product.url}/api/v1${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Sends a message in the one-call form and disconnects once the run has started. */
async function send(sessionId: string, body: object): Promise<void> {
  const headers = { ...place.person.headers, 'content-type': 'application/json', accept: 'text/event-stream' }
  const answer = await fetch(`${place.product.url}/api/v1/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

async function setPrices(): Promise<void> {
  const connections = await get('/model-connections')
  const house = connections.find(({ provider }: { provider: string }) => provider === 'house')
  const models = { 'house/scripted': { input_price: 1, output_price: 2 } }
  await post(`/model-connections/${house.id}`, { models }, 'PATCH')
}

/** Queries the embedded database, which may be starting. */
async function read(query: string, ...values: unknown[]): Promise<Any[]> {
  const { dataDir } = place
  for (let tries = 1; ; tries += 1) {
    const host = makeSocketFolder(dataDir, findOperator(join(dataDir, 'postgres')))
    const client = new pg.Client({ host, port: 5432, user: 'postgres', database: 'postgres' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query(query, values)).rows
    } catch (error) {
      if (tries > 100) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
