import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aGate } from '#tests/chat.ts'
import { type House, startHouse } from '#tests/house.ts'
import { hangs, says, waits } from '#tests/model-server.ts'
import { toJson } from '../../platform/db/db.ts'

let house: House
beforeAll(async () => {
  house = await startHouse({ workers: 1 })
})
afterAll(() => house.close())

const streams = () => house.chat.app.deps.streams
const words = Array.from({ length: 60 }, (_, index) => `word${index} `)
const taskStream = (id: string) => `/sessions/${id}/task-stream`

describe('readers of a reply that another process writes', () => {
  it('share one follower, however many there are and whenever they join', async () => {
    const { chat } = house
    const id = await chat.aSession()
    const gates = words.map(() => aGate())
    chat.model.reply(words.flatMap((word, index) => [waits(gates[index]!.opened), says(word)]))
    const first = await chat.ask(id, 'Go')
    const readers = [first]
    const ways = [
      async () => chat.follow(taskStream(id)),
      async () => chat.follow(`${taskStream(id)}?include_chunks=true`),
      async () => chat.follow(taskStream(id), { 'last-event-id': first.lastId() ?? '' }),
      async () => chat.follow(taskStream(id), { 'last-event-id': '1000000003' }),
      async () => chat.follow(taskStream(id), { 'last-event-id': '999' }),
    ]
    for (const [index, gate] of gates.entries()) {
      gate.open()
      await sleep(5)
      if (index % 5 === 4) readers.push(...(await Promise.all(ways.map((open) => open()))))
      if (index === 40) expect(streams().followers.size).toBe(1)
      if (index % 5 === 0) readers.at(-2)?.leave()
    }
    for (const reader of readers) await reader.ended
    const whole = readers.filter((reader) => reader.view()?.status === 'completed')
    expect(whole.length).toBeGreaterThan(40)
    for (const reader of whole) {
      expect(reader.view()?.content).toBe(words.join(''))
      const ids = reader.events.flatMap((event) => (event.id === null ? [] : [Number(event.id)]))
      expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other))
    }
    await vi.waitFor(() => expect([streams().followers.size, streams().mirrors.size]).toEqual([0, 0]))
  }, 60_000)

  it('get every event after an old id when they reconnect', async () => {
    const { chat } = house
    const id = await chat.aSession()
    chat.model.reply([says('Begun. '), hangs()])
    const first = await chat.ask(id, 'Go')
    await first.until('response_chunk')
    const { db } = chat.app.deps
    const early = Number(first.lastId())
    const run_id = first.view()?.run_id ?? ''
    // Simulates a long reply: more events than a process retains for reconnects.
    const rows = Array.from({ length: 900 }, (_, index) => {
      const at = early + 1 + index
      const event = { run_id, step_key: 'answer', attempt: 1, content: `w${index} ` }
      const events = toJson([[at, 'response_chunk', event]])
      return { run_id, session_id: id, first_id: at, last_id: at, events }
    })
    await db.insertInto('run_events').values(rows).execute()
    const said = rows.map((_, index) => `w${index} `).join('')
    await vi.waitFor(() => expect(first.view()?.content).toContain('w899'), 20_000)
    const [back, recent] = await Promise.all(
      [early, early + 890].map((after) => chat.follow(taskStream(id), { 'last-event-id': String(after) })),
    )
    await vi.waitFor(() => expect(back?.lastId()).toBe(String(early + 900)), 20_000)
    expect(back?.events.map((event) => event.id)).toEqual([
      String(early),
      ...rows.map(({ last_id }) => String(last_id)),
    ])
    await vi.waitFor(() => expect(recent?.events).toHaveLength(11), 20_000)
    for (const reader of [first, back, recent]) {
      expect(reader?.view()?.content.endsWith(said)).toBe(true)
      reader?.leave()
    }
    await chat.call('POST', `/sessions/${id}/stop`)
  }, 60_000)

  it('learn that no process executes the run, including later readers', async () => {
    const { chat } = house
    const id = await chat.aSession()
    chat.model.reply([says('Half'), hangs()])
    const first = await chat.ask(id, 'Go')
    await first.until('response_chunk')
    const session = await chat.follow(`/sessions/${id}/events`)
    await session.until('connection_established')
    await house.workers.shift()?.close()
    await first.until('agent_delayed')
    await session.until('agent_delayed')
    // An idle session is also informed about a run that starts in it.
    const quiet = await chat.aSession()
    const events = await chat.follow(`/sessions/${quiet}/events`)
    await events.until('connection_established')
    const queued = await chat.ask(quiet, 'And here?')
    await events.until('agent_delayed')
    const delayed = events.wire.find(({ event }) => event === 'agent_delayed')
    expect(JSON.parse(delayed?.data ?? '')).toMatchObject({
      run_id: queued.view()?.run_id,
      reason: 'no_worker',
    })
    const late = await chat.follow(taskStream(id))
    await late.until('agent_delayed')
    expect(late.wire.map(({ event }) => event)).toEqual(['task_stream_init', 'agent_delayed'])
    expect(late.view()).toMatchObject({ content: 'Half', delay: 'no_worker' })
    chat.model.always([says('Whole')])
    await house.aWorker()
    for (const reader of [first, late, queued]) {
      await reader.ended
      expect(reader.view()).toMatchObject({ content: 'Whole', status: 'completed' })
    }
    for (const reader of [session, events]) {
      expect(reader.wire.filter(({ event }) => event === 'agent_delayed')).toHaveLength(1)
      reader.leave()
    }
  }, 60_000)
})
