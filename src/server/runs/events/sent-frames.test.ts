import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { connect } from '../../platform/db/db.ts'
import { firstId, frameOf } from './frames.ts'
import { createSentFrames, type SentFrames } from './sent-frames.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('storing sent frames', () => {
  it('stores only the events sent since the same process resumed a run it had lost [R-13, ST-30]', async () => {
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    const runId = stream.view()!.run_id
    const { db } = chat.app.deps
    await chat.app.deps.engine.events.sentFrames.flush()
    const said = (epoch: number, content: string) => {
      const event: RunEvent = {
        event: 'response_chunk',
        run_id: runId,
        step_key: null,
        attempt: epoch,
        content,
      }
      return frameOf(firstId(epoch) + 1, event)
    }
    const sentFrames = createSentFrames(chat.app.deps)
    sentFrames.add({ id: runId, sessionId: id, epoch: 7 }, said(7, 'lost'))
    await db.updateTable('runs').set({ epoch: 8 }).where('id', '=', runId).execute()
    sentFrames.add({ id: runId, sessionId: id, epoch: 8 }, said(8, 'kept'))
    await sentFrames.close()
    const rows = await db
      .selectFrom('run_events')
      .select('events')
      .where('run_id', '=', runId)
      .where('first_id', '>', firstId(7))
      .execute()
    const texts = rows.flatMap(({ events }) =>
      (events as [number, string, { content: string }][]).map((item) => item[2].content),
    )
    expect(texts).toEqual(['kept'])
  })

  it('stores several concurrent runs with statements that each connection plans once [R-13]', async () => {
    const { db, close } = connect(chat.app.address, chat.app.deps.log, { max: 1 })
    try {
      const sentFrames = createSentFrames({ ...chat.app.deps, db })
      const runs = await Promise.all([1, 2, 3].map(aFinishedRun))
      await chat.app.deps.engine.events.sentFrames.flush()
      for (const n of [900, 901]) {
        for (const run of runs) sentFrames.add(run, said(run, firstId(run.epoch) + n))
        await sentFrames.flush()
      }
      for (const run of runs) {
        const { rows } = await sql<{ first_id: number }>`select first_id from run_events
          where run_id = ${run.id} and first_id >= ${firstId(run.epoch) + 900} order by first_id`.execute(db)
        expect(rows.map(({ first_id }) => first_id - firstId(run.epoch))).toEqual([900, 901])
      }
      const { rows } = await sql`select name, (generic_plans + custom_plans)::int as uses
        from pg_prepared_statements`.execute(db)
      expect(rows).toEqual([{ name: 'store_events_4_0', uses: 2 }])
      await sentFrames.close()
    } finally {
      await close()
    }
  })

  it('stores a run that was silent before one that was stored a moment ago', async () => {
    const [talker, silent] = [await aFinishedRun(), await aFinishedRun()]
    const sentFrames = createSentFrames(chat.app.deps)
    let isBefore = false
    // A stalled machine stores both in the same tick.
    for (let n = 1000; n < 1100 && !isBefore; n += 10) {
      sentFrames.add(talker, said(talker, firstId(talker.epoch) + n))
      await vi.waitFor(async () => expect(await newestOf(talker)).toBe(n), { interval: 5 })
      sentFrames.add(talker, said(talker, firstId(talker.epoch) + n + 1))
      sentFrames.add(silent, said(silent, firstId(silent.epoch) + n))
      await vi.waitFor(async () => expect(await newestOf(silent)).toBe(n), { interval: 5 })
      isBefore = (await newestOf(talker)) === n
      await sentFrames.flush()
    }
    await sentFrames.close()
    expect(isBefore).toBe(true)
  })

  it('stores the first words of a reply immediately, even right after the previous write', async () => {
    const run = await aFinishedRun()
    const sentFrames = createSentFrames(chat.app.deps)
    const waits: number[] = []
    const storedAfter = async (n: number, isFirst: boolean) => {
      const from = performance.now()
      sentFrames.add(run, said(run, firstId(run.epoch) + n))
      if (isFirst) sentFrames.hasten(run.id)
      await vi.waitFor(async () => expect(await newestOf(run)).toBe(n), { interval: 2, timeout: 5000 })
      return performance.now() - from
    }
    // Takes the best of several attempts: a stall delays either write.
    let later = Number.POSITIVE_INFINITY
    for (let n = 3000; n < 3100; n += 10) {
      await storedAfter(n, false)
      waits.push(await storedAfter(n + 1, true))
      later = Math.min(later, await storedAfter(n + 2, false))
    }
    await sentFrames.close()
    expect(Math.min(...waits)).toBeLessThan(40)
    expect(later).toBeGreaterThan(40)
  })

  it('notifies other processes of the sessions with new events, up to the limit', async () => {
    const { db, instance } = chat.app.deps
    const other = createSentFrames({ ...chat.app.deps, instance: { ...instance, id: randomUUID() } })
    const heard: (string[] | null)[] = []
    await chat.app.deps.engine.events.sentFrames.hear((sessionIds) => heard.push(sessionIds))
    const run = await aFinishedRun()
    await store(other, run)
    await vi.waitFor(() => expect(heard).toEqual([[run.sessionId]]))
    // The process that stored the events is not notified.
    await store(createSentFrames(chat.app.deps), run)
    const many = Array.from({ length: 200 }, () => ({ ...run, id: randomUUID(), sessionId: randomUUID() }))
    for (const one of many) other.add(one, said(one, firstId(one.epoch) + 2000))
    await other.close()
    await vi.waitFor(() => expect(heard).toEqual([[run.sessionId], null]))
    const { rows } = await sql`select 1 from run_events where run_id = ${many[0]!.id}`.execute(db)
    expect(rows).toEqual([])
  })
})

async function aFinishedRun() {
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const { id, epoch } = await chat.app.deps.db
    .selectFrom('runs')
    .select(['id', 'epoch'])
    .where('id', '=', stream.view()!.run_id)
    .executeTakeFirstOrThrow()
  return { id, sessionId, epoch }
}

function said({ id, epoch }: { id: string; epoch: number }, frameId: number) {
  const event: RunEvent = {
    event: 'response_chunk',
    run_id: id,
    step_key: null,
    attempt: epoch,
    content: 'said',
  }
  return frameOf(frameId, event)
}

async function newestOf({ id, epoch }: { id: string; epoch: number }): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select max(last_id)::float8 as last from run_events where run_id = ${id}`.execute(chat.app.deps.db)
  return (rows[0]?.last ?? 0) - firstId(epoch)
}

async function store(sentFrames: SentFrames, run: { id: string; sessionId: string; epoch: number }) {
  sentFrames.add(run, said(run, firstId(run.epoch) + 2000))
  await sentFrames.close()
}
