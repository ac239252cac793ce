import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { type Script, says, waits } from '#tests/model-server.ts'
import { type RedisServer, startRedis } from '#tests/redis-server.ts'
import { endRun } from '../runs/context/live-run.ts'

const words = Array.from({ length: 120 }, (_, index) => `word${index} `)
const text = words.join('')

let redis: RedisServer
let chat: Chat
let other: TestApp
let otherUrl: string
beforeAll(async () => {
  redis = await startRedis()
  chat = await startChat({ model: { tokensPerSecond: 50 }, app: { config: { REDIS_URL: redis.url } } })
  const config = { ATRIUM_COMPATIBLE_URL: chat.model.url, REDIS_URL: redis.url }
  other = await startApp({ address: chat.app.address, config })
  otherUrl = `${await other.listen()}/api/v1`
})
afterAll(async () => {
  await other.close()
  await chat.close()
  await redis.kill()
})

const elsewhere = (path: string) => openStream(otherUrl + path, { headers: chat.user.headers })

/** Starts a reply of `words` and reads it here and, from its first delta on, on the other process. */
async function readTwice(reply: Script = [says(...words)]) {
  const id = await chat.aSession()
  chat.model.reply(reply)
  const near = await chat.ask(id, 'Go')
  await near.until('response_chunk')
  const far = await elsewhere(`/sessions/${id}/task-stream`)
  await far.until('task_stream_init')
  return { id, near, far }
}

/** Resolves once what either process says over the bus reaches the other. */
async function whenConnected() {
  for (const [from, to] of [
    [chat.app, other],
    [other, chat.app],
  ] as const) {
    await new Promise<void>((resolve) => {
      const saying = setInterval(() => from.deps.bus.publish('test:connected', ''), 20)
      const leave = to.deps.bus.subscribe('test:connected', () => {
        clearInterval(saying)
        leave()
        resolve()
      })
    })
  }
}

/**
 * Of each delta, whether it came before it was stored, which only the bus can bring about: however busy the machine is,
 * the store gives nothing before it has it.
 */
async function liveOf(far: OpenStream): Promise<boolean[]> {
  const ids = far.events.flatMap(({ id, event }) => (event.event === 'response_chunk' ? [Number(id)] : []))
  const rows = await chat.app.deps.db
    .selectFrom('run_events')
    .select(['first_id', 'last_id', 'created_at'])
    .where('run_id', '=', far.view()?.run_id ?? '')
    .execute()
  const cameAt = new Map(far.events.map(({ id, at }) => [Number(id), performance.timeOrigin + at]))
  return ids.flatMap((id) => {
    const row = rows.find(({ first_id, last_id }) => first_id <= id && id <= last_id)
    return row ? [(cameAt.get(id) ?? Number.NaN) < row.created_at.getTime()] : []
  })
}

/** Every id once, none left out, and the same frames as here. */
function expectExact(near: OpenStream, far: OpenStream) {
  const ids = far.wire.flatMap(({ id }) => (id === null ? [] : [Number(id)]))
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
  const sent = new Map(near.wire.map((event) => [event.id, event]))
  for (const event of far.wire) if (event.id !== null) expect(event).toEqual(sent.get(event.id))
  expect(far.view()).toEqual(near.view())
  expect(far.view()).toMatchObject({ content: text, status: 'completed' })
}

describe('two processes with Redis', () => {
  it('a reader elsewhere has every delta as it is sent [ST-30, SE-19]', async () => {
    const { near, far } = await readTwice()
    await Promise.all([near.ended, far.ended])
    expectExact(near, far)
    const live = await liveOf(far)
    expect(live.length).toBeGreaterThan(30)
    expect(live.filter(Boolean).length).toBeGreaterThan(10)
  })

  it('a Redis that dies and comes back costs no character and doubles none [SE-19]', async () => {
    const gate = aGate()
    const { near, far } = await readTwice([
      ...[says(...words.slice(0, 60)), waits(gate.opened), says(...words.slice(60))],
    ])
    await redis.kill()
    const before = far.events.length
    // It goes on from the store meanwhile.
    while (far.events.length < before + 10) await sleep(5)
    await redis.start()
    await whenConnected()
    gate.open()
    await Promise.all([near.ended, far.ended])
    expectExact(near, far)
    expect((await liveOf(far)).slice(-15)).toContain(true)
  })

  it('a Redis that answers nothing slows neither the run nor who reads along [SE-19]', async () => {
    const { near, far } = await readTwice()
    redis.freeze()
    await Promise.all([near.ended, far.ended])
    redis.thaw()
    expectExact(near, far)
    const times = near.events.map(({ at }) => at)
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? at))
    expect(Math.max(...pauses)).toBeLessThan(5_000)
  })

  it('a reader elsewhere stays when that process takes the run up, and when another one does [R-13]', async () => {
    const answer = words.slice(0, 50)
    for (const taker of [other, chat.app]) {
      const id = await chat.aSession()
      const gate = aGate()
      chat.model.reply([says('lost ', 'words '), waits(gate.opened), says('never')], [says(...answer)])
      const near = await chat.ask(id, 'Go')
      await near.until('response_chunk')
      const far = await elsewhere(`/sessions/${id}/task-stream`)
      await far.until('task_stream_init')
      const loser = chat.app.deps.engine
      const runId = near.view()?.run_id ?? ''
      // Who is not to have it is draining, as it would be before it stops.
      const spectator = (taker === other ? chat.app : other).deps.engine
      spectator.isDraining = true
      const held = loser.live.get(runId)
      if (held) endRun(held, 'lost')
      await chat.app.deps.db.updateTable('runs').set({ owner: null }).where('id', '=', runId).execute()
      await far.ended
      gate.open()
      spectator.isDraining = false
      expect(far.view()).toMatchObject({ content: answer.join(''), status: 'completed' })
      const restart = far.wire.findLastIndex(({ event }) => event === 'task_stream_init')
      // A ping, which a slow machine has time for, carries none.
      const ids = far.wire.slice(restart + 1).flatMap(({ id }) => (id === null ? [] : [Number(id)]))
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
      near.leave()
    }
  })

  it('the events of a session are live too, under both families of names [ST-31]', async () => {
    const id = await chat.aSession()
    await vi.waitFor(() => expect(other.deps.engine.hasPeers).toBe(true), 20_000)
    const far = await elsewhere(`/sessions/${id}/events`)
    await far.until('connection_established')
    await sleep(100)
    chat.model.reply([says(...words.slice(0, 60))])
    const near = await chat.ask(id, 'Go')
    await near.ended
    await far.until('agent_processing_complete')
    const ids = far.wire.flatMap(({ id }) => (id === null ? [] : [Number(id)]))
    expect(ids).toEqual(near.wire.flatMap(({ id }) => (id === null ? [] : [Number(id)])))
    expect(await liveOf(far)).toContain(true)
    far.leave()
  })

  it('frames leave a process only while somebody elsewhere listens', async () => {
    const client = new Redis(redis.url)
    const count = async () => {
      const keys = await client.keys('atrium:bus:live:frames:*')
      const lengths = await Promise.all(keys.map((key) => client.xlen(key)))
      return lengths.reduce((sum, length) => sum + length, 0)
    }
    const before = await count()
    chat.model.reply([says(...words.slice(0, 20))])
    await (await chat.ask(await chat.aSession(), 'Go')).ended
    expect(await count()).toBe(before)
    await client.quit()
  })
})
