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

/** Starts a reply of `words` and reads it here and, from the first delta, on the other process. */
async function readTwice(reply: Script = [says(...words)]) {
  const id = await chat.aSession()
  chat.model.reply(reply)
  const near = await chat.ask(id, 'Go')
  await near.until('response_chunk')
  const far = await elsewhere(`/sessions/${id}/task-stream`)
  await far.until('task_stream_init')
  return { id, near, far }
}

/** Resolves when bus messages of each process reach the other. */
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
 * Tells for each delta whether it arrived before it was stored. Only the bus can deliver it that early, however
 * slow the machine is.
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

/** Expects every id once, without gaps, and the same frames as the local reader. */
function expectExact(near: OpenStream, far: OpenStream) {
  const ids = far.wire.flatMap(({ id }) => (id === null ? [] : [Number(id)]))
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
  const sent = new Map(near.wire.map((event) => [event.id, event]))
  for (const event of far.wire) if (event.id !== null) expect(event).toEqual(sent.get(event.id))
  expect(far.view()).toEqual(near.view())
  expect(far.view()).toMatchObject({ content: text, status: 'completed' })
}

describe('two processes with Redis', () => {
  it('delivers every delta to a remote reader as soon as it is sent [ST-30, SE-19]', async () => {
    const { near, far } = await readTwice()
    await Promise.all([near.ended, far.ended])
    expectExact(near, far)
    const live = await liveOf(far)
    expect(live.length).toBeGreaterThan(30)
    expect(live.filter(Boolean).length).toBeGreaterThan(10)
  })

  it('loses and duplicates no characters when Redis dies and returns [SE-19]', async () => {
    const gate = aGate()
    const { near, far } = await readTwice([
      ...[says(...words.slice(0, 60)), waits(gate.opened), says(...words.slice(60))],
    ])
    await redis.kill()
    const before = far.events.length
    // The reader continues from the store in the meantime.
    while (far.events.length < before + 10) await sleep(5)
    await redis.start()
    await whenConnected()
    gate.open()
    await Promise.all([near.ended, far.ended])
    expectExact(near, far)
    expect((await liveOf(far)).slice(-15)).toContain(true)
  })

  it('slows down neither the run nor its readers when Redis stops responding [SE-19]', async () => {
    const { near, far } = await readTwice()
    redis.freeze()
    await Promise.all([near.ended, far.ended])
    redis.thaw()
    expectExact(near, far)
    const times = near.events.map(({ at }) => at)
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? at))
    expect(Math.max(...pauses)).toBeLessThan(5_000)
  })

  it('keeps a remote reader connected whichever process resumes the run [R-13]', async () => {
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
      // The process that must not resume the run drains, as it does before it stops.
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
      // Pings carry no id. A slow machine may send some.
      const ids = far.wire.slice(restart + 1).flatMap(({ id }) => (id === null ? [] : [Number(id)]))
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
      near.leave()
    }
  })

  it('streams session events live under both families of names [ST-31]', async () => {
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

  it('sends frames to other processes only while they have readers', async () => {
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
