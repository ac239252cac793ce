import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate } from '#tests/chat.ts'
import type { ModelPart } from '../port.ts'
import { createSlots, type Slots } from './slots.ts'

let app: TestApp
/** The queues of two processes. */
let slots: Slots
let others: Slots
beforeAll(async () => {
  app = await startApp()
  slots = createSlots(app.deps.db)
  others = createSlots(app.deps.db)
})
afterAll(() => app.close())

const log: string[] = []
let running = 0
let mostRunning = 0

/** Makes a call that is logged at its start and ends when `until` resolves. */
function call(
  name: string,
  { person = name, is_background = false, from = slots, until = Promise.resolve() as Promise<void> } = {},
) {
  const parts: ModelPart[] = []
  const stop = new AbortController()
  const ask = async (signal: AbortSignal, give: (part: ModelPart) => void) => {
    log.push(name)
    running += 1
    mostRunning = Math.max(mostRunning, running)
    const aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    try {
      give({ type: 'text', text: name })
      await Promise.race([until, aborted])
    } finally {
      running -= 1
    }
  }
  const ended = from.inTurn('local', { person, is_background }, stop.signal, (part) => parts.push(part), ask)
  return { parts, ended, stop }
}
const begun = async (name: string) => {
  await expect.poll(() => log, { timeout: 15_000 }).toContain(name)
}

describe('a connection that takes one request at a time', () => {
  it('serves people in rounds across all processes, and reports how many calls are ahead', async () => {
    log.length = 0
    mostRunning = 0
    const gate = aGate()
    const first = call('a1', { person: 'a', until: gate.opened })
    await begun('a1')
    const rest: ReturnType<typeof call>[] = []
    for (const name of ['a2', 'a3', 'b1', 'c1']) {
      const next = call(name, { person: name.slice(0, 1), from: name === 'b1' ? others : slots })
      // Calls join the queue in the order of their statements.
      await expect.poll(() => next.parts.length, { timeout: 15_000 }).toBeGreaterThan(0)
      rest.push(next)
    }
    await expect
      .poll(() => rest[2]?.parts, { timeout: 15_000 })
      .toContainEqual({ type: 'waiting', limit: { of: 'turn', ahead: 1 } })
    gate.open()
    await Promise.all([first, ...rest].map(({ ended }) => ended))
    expect(log.slice(0, 3)).toEqual(['a1', 'b1', 'c1'])
    expect(log.slice(3)).toEqual(['a2', 'a3'])
    expect(mostRunning).toBe(1)
    expect(rest[2]?.parts.slice(-2)).toEqual([
      { type: 'waiting', limit: null },
      { type: 'text', text: 'b1' },
    ])
  })

  it('runs a background call when the connection is idle, and restarts it after a call by a person', async () => {
    log.length = 0
    mostRunning = 0
    const gate = aGate()
    const person = call('question', { until: gate.opened })
    await begun('question')
    const quiet = aGate()
    const title = call('title', { is_background: true, until: quiet.opened })
    await sleep(400)
    expect(log).toEqual(['question'])
    gate.open()
    await person.ended
    await begun('title')
    const started = performance.now()
    const next = call('next', { from: others })
    await next.ended
    expect(performance.now() - started).toBeLessThan(10_000)
    quiet.open()
    await title.ended
    expect(log).toEqual(['question', 'title', 'next', 'title'])
    expect(mostRunning).toBe(1)
    // The aborted attempt leaves no parts.
    expect(title.parts).toEqual([{ type: 'text', text: 'title' }])
  })

  it('gives a background call a turn in the rounds once it has waited long enough', async () => {
    log.length = 0
    mostRunning = 0
    const busy = createSlots(app.deps.db, 1_000)
    let isOver = false
    const keepBusy = async (name: string) => {
      while (!isOver) await call(name, { person: name, from: busy, until: sleep(100) }).ended
    }
    const people = [keepBusy('a'), keepBusy('b')]
    await begun('b')
    const title = call('title', { person: 'a', is_background: true, from: busy, until: sleep(50) })
    const started = performance.now()
    await title.ended
    expect(performance.now() - started).toBeGreaterThan(900)
    isOver = true
    await Promise.all(people)
    expect([log.filter((name) => name === 'title').length, mostRunning]).toEqual([1, 1])
    expect(title.parts).toEqual([{ type: 'text', text: 'title' }])
  }, 120_000)

  it('removes aborted calls and calls of dead processes', async () => {
    log.length = 0
    const gate = aGate()
    const first = call('first', { until: gate.opened })
    await begun('first')
    const gone = call('gone')
    const after = call('after')
    gone.stop.abort(new Error('stopped'))
    await expect(gone.ended).rejects.toThrow('stopped')
    await sql`insert into model_slot_calls (provider, person, is_background, round, seen_at)
      values ('local', 'dead', false, 0, now() - interval '1 minute')`.execute(app.deps.db)
    gate.open()
    await Promise.all([first.ended, after.ended])
    expect(log).toEqual(['first', 'after'])
  })

  it('keeps the outcome of a call whose end cannot be stored', async () => {
    log.length = 0
    const gate = aGate()
    const { ended } = call('answered', { until: gate.opened })
    await begun('answered')
    await sql`alter table model_slot_calls rename to model_slot_calls_away`.execute(app.deps.db)
    gate.open()
    await expect(ended.finally(() => comeBack())).resolves.toBeUndefined()
  })
  const comeBack = async () => {
    await sql`alter table model_slot_calls_away rename to model_slot_calls`.execute(app.deps.db)
    await sql`delete from model_slot_calls`.execute(app.deps.db)
  }

  it('frees the slot when the caller rejects the notice of its turn', async () => {
    log.length = 0
    const gate = aGate()
    const first = call('first', { until: gate.opened })
    await begun('first')
    const refuse = (part: ModelPart) => {
      if (part.type === 'waiting' && part.limit === null) throw new Error('refused')
    }
    const caller = { person: 'picky', is_background: false }
    const signal = new AbortController().signal
    const refused = slots.inTurn('local', caller, signal, refuse, async () => void log.push('picky'))
    refused.catch(() => {})
    const waiting = sql<{
      n: number
    }>`select count(*)::int as n from model_slot_calls where state = 'waiting'`
    await expect.poll(async () => (await waiting.execute(app.deps.db)).rows[0]?.n).toBe(1)
    // Only calls that had to wait get the notice.
    await sleep(300)
    gate.open()
    await first.ended
    await expect(refused).rejects.toThrow('refused')
    const running = sql<{
      n: number
    }>`select count(*)::int as n from model_slot_calls where state = 'running'`
    expect((await running.execute(app.deps.db)).rows[0]?.n).toBe(0)
    expect(log).toEqual(['first'])
  })
})
