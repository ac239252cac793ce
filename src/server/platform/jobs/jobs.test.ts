import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { type JobProcess, startJobProcess } from '#tests/job-process.ts'

type Seen = { by: string; payload: Record<string, unknown>; signal: AbortSignal; at: number }

let app: TestApp
let twin: TestApp
const seen: Seen[] = []
const behaviour = new Map<string, (signal: AbortSignal) => Promise<void>>()
const children: JobProcess[] = []

/** Waits until the signal is aborted. */
const forever = (signal: AbortSignal) =>
  new Promise<void>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

function declare(by: string, { deps }: TestApp): void {
  deps.jobs.register('test.job', async (payload, signal) => {
    seen.push({ by, payload, signal, at: performance.now() })
    await behaviour.get(String(payload.name))?.(signal)
  })
  deps.jobs.register(
    'test.many',
    async (payload, signal) => {
      seen.push({ by, payload, signal, at: performance.now() })
      await behaviour.get('many')?.(signal)
    },
    { places: 2 },
  )
}

beforeAll(async () => {
  app = await startApp({ jobs: false })
  twin = await startApp({ jobs: false, address: app.address })
  declare('app', app)
  declare('twin', twin)
  await app.deps.jobs.start()
  await twin.deps.jobs.start()
})
afterAll(async () => {
  await twin.close()
  await app.close()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

async function until<T>(look: () => T | undefined | false, ms = 25_000): Promise<T> {
  const deadline = performance.now() + ms
  for (;;) {
    const found = look()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${look}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const seenOf = (name: string) => seen.filter(({ payload }) => payload.name === name)
/** Ends the database session that holds a process's lease. */
const endLease = (id: string) =>
  sql`select pg_terminate_backend(l.pid) from instances i join pg_locks l
    on l.locktype = 'advisory' and l.classid = 7 and l.objid = i.lock_id::oid where i.id = ${id}`.execute(
    app.deps.db,
  )

describe('job', () => {
  it('is done once, by any one process', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `once${i}`)
    await Promise.all(names.map((name) => app.deps.jobs.add('test.job', { name })))
    await until(() => names.every((name) => seenOf(name).length > 0))
    await sleep(300)
    expect(names.map((name) => seenOf(name).length)).toEqual(names.map(() => 1))
  })

  it('is retried after a failure and abandoned after its last attempt', async () => {
    behaviour.set('fails', async () => {
      throw new Error('not today')
    })
    await app.deps.jobs.add('test.job', { name: 'fails' }, { maxAttempts: 2 })
    await until(() => seenOf('fails').length === 2)
    await sleep(500)
    expect(seenOf('fails')).toHaveLength(2)
  })

  it('counts an attempt before it begins, so that a job that always crashes its process is abandoned too', async () => {
    const attempts = async () => {
      const { rows } = await sql<{ attempts: number }>`
        select attempts from graphile_worker.jobs where key = 'deadly'`.execute(app.deps.db)
      return rows[0]?.attempts
    }
    behaviour.set('deadly', forever)
    await app.deps.jobs.add('test.job', { name: 'deadly' }, { key: 'deadly' })
    await until(() => seenOf('deadly')[0])
    expect(await attempts()).toBe(1)
    await app.deps.jobs.cancel('deadly')
  })

  it('waits until its scheduled time', async () => {
    const asked = performance.now()
    await app.deps.jobs.add('test.job', { name: 'later' }, { runAt: new Date(Date.now() + 1_000) })
    const { at } = await until(() => seenOf('later')[0])
    expect(at - asked).toBeGreaterThan(950)
  })

  it('with a key is added once, however often it is requested', async () => {
    const later = new Date(Date.now() + 3_600_000)
    for (let i = 0; i < 5; i += 1) {
      const options = { key: 'the one', runAt: i < 4 ? later : new Date() }
      await (i % 2 ? app : twin).deps.jobs.add('test.job', { name: 'keyed', i }, options)
    }
    await until(() => seenOf('keyed').length > 0)
    await sleep(300)
    expect(seenOf('keyed').map(({ payload }) => payload.i)).toEqual([4])
  })
})

describe('cancelled job', () => {
  it('is aborted in whichever process it runs, and not retried', async () => {
    behaviour.set('stopped', forever)
    for (const [who, other] of [
      [app, twin],
      [twin, app],
    ] as const) {
      seen.length = 0
      await who.deps.jobs.add('test.job', { name: 'stopped' }, { key: 'stopped' })
      const job = await until(() => seenOf('stopped')[0])
      await other.deps.jobs.cancel('stopped')
      await until(() => job.signal.aborted)
      await sleep(300)
      expect(seenOf('stopped')).toHaveLength(1)
    }
  })

  it('never begins if it was waiting', async () => {
    const waiting = () => sql`select from graphile_worker.jobs where key = 'waiting'`.execute(app.deps.db)
    const runAt = new Date(Date.now() + 3_600_000)
    await app.deps.jobs.add('test.job', { name: 'waiting' }, { key: 'waiting', runAt })
    expect((await waiting()).rows).toHaveLength(1)
    await twin.deps.jobs.cancel('waiting')
    expect((await waiting()).rows).toEqual([])
    expect(seenOf('waiting')).toEqual([])
  })

  it('does not affect other jobs', async () => {
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    behaviour.set('neighbour', () => held)
    await app.deps.jobs.add('test.job', { name: 'neighbour' }, { key: 'neighbour' })
    const job = await until(() => seenOf('neighbour')[0])
    await app.deps.jobs.cancel('somebody else')
    await sleep(200)
    expect(job.signal.aborted).toBe(false)
    end()
  })
})

describe('job added in a transaction', () => {
  const add = (name: string, fails: boolean) =>
    app.deps.db.transaction().execute(async (within) => {
      await app.deps.jobs.add('test.job', { name }, { key: name, within })
      if (fails) throw new Error('rolled back')
    })

  it('is done once after the commit and never after a rollback', async () => {
    await expect(add('rolled back', true)).rejects.toThrow('rolled back')
    expect(await app.deps.jobs.has('rolled back')).toBe(false)
    await add('committed', false)
    await until(() => seenOf('committed')[0])
    expect(seenOf('rolled back')).toEqual([])
  })
})

describe('jobs of one queue', () => {
  it('run one after the other and remain stored until they are done', async () => {
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    behaviour.set('first', () => held)
    for (const name of ['first', 'second'])
      await app.deps.jobs.add('test.job', { name }, { key: name, queue: 'one' })
    await until(() => seenOf('first')[0])
    await app.deps.jobs.add('test.job', { name: 'other' })
    await until(() => seenOf('other')[0])
    expect(seenOf('second')).toEqual([])
    expect([await app.deps.jobs.has('first'), await app.deps.jobs.has('second')]).toEqual([true, true])
    end()
    await until(() => seenOf('second')[0])
    expect(await app.deps.jobs.has('first')).toBe(false)
  })
})

/** Makes every worker look for jobs now, so that its next poll is two seconds away. */
async function delayPolls(): Promise<void> {
  await app.deps.instance.notify('jobs:insert', JSON.stringify({ count: 100 }))
  await sleep(150)
}

describe('the next job of a queue', () => {
  it('begins when the one before it ends or fails, not at the next poll', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `row ${at}`)
    const ends: number[] = []
    for (const [at, name] of names.entries())
      behaviour.set(name, async () => {
        await delayPolls()
        ends.push(performance.now())
        if (at % 2 === 0) throw new Error('not today')
      })
    for (const name of names)
      await app.deps.jobs.add('test.job', { name }, { key: name, queue: 'in a row', maxAttempts: 1 })
    const starts = await Promise.all(names.map((name) => until(() => seenOf(name)[0])))
    const waits = starts.slice(1).map(({ at }, place) => at - (ends[place] ?? 0))
    expect(waits.filter((ms) => ms < 0 || ms > 1_500)).toEqual([])
  })

  it('begins although its queue was hidden by a lock of another query', async () => {
    await app.deps.jobs.add('test.job', { name: 'before' }, { key: 'before', queue: 'locked' })
    await expect.poll(() => app.deps.jobs.has('before'), { timeout: 10_000 }).toBe(false)
    const lock = sql`select from graphile_worker._private_job_queues where queue_name = 'locked' for update`
    const added = await app.deps.db.transaction().execute(async (trx) => {
      await lock.execute(trx)
      await app.deps.jobs.add('test.job', { name: 'hidden' }, { queue: 'locked' })
      await delayPolls()
      expect(seenOf('hidden')).toEqual([])
      return performance.now()
    })
    const { at } = await until(() => seenOf('hidden')[0])
    expect(at - added).toBeLessThan(1_500)
  })
})

describe('queue without jobs', () => {
  it('is deleted, because its name may contain the id of a deleted user', async () => {
    const lanes = async () =>
      (
        await sql<{ queue_name: string }>`
          select queue_name from graphile_worker._private_job_queues where queue_name like 'of %' order by 1`.execute(
          app.deps.db,
        )
      ).rows.map(({ queue_name }) => queue_name)
    const later = new Date(Date.now() + 3_600_000)
    await app.deps.jobs.add('test.job', { name: 'gone' }, { key: 'gone', queue: 'of somebody', runAt: later })
    await app.deps.jobs.add(
      'test.job',
      { name: 'waits' },
      { key: 'waits', queue: 'of another', runAt: later },
    )
    await app.deps.jobs.cancel('gone')
    expect(await lanes()).toEqual(['of another', 'of somebody'])
    await app.deps.jobs.add('forget-lanes', {})
    await expect.poll(lanes, { timeout: 20_000 }).toEqual(['of another'])
    await app.deps.jobs.cancel('waits')
  })
})

describe('jobs with reserved places', () => {
  it('use only their own places, never those of other jobs', async () => {
    let end = () => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    behaviour.set('many', () => held)
    const names = Array.from({ length: 40 }, (_, at) => `many${at}`)
    await Promise.all(names.map((name) => app.deps.jobs.add('test.many', { name }, { priority: -1 })))
    const begun = () => names.filter((name) => seenOf(name).length > 0).length
    await until(() => begun() === 4)
    await app.deps.jobs.add('test.job', { name: 'beside many' })
    await until(() => seenOf('beside many')[0])
    expect(begun()).toBe(4)
    end()
    await until(() => begun() === names.length)
  })
})

describe('job of a process', () => {
  it('that was killed is done by another one', async () => {
    const child = await startJobProcess(app.address)
    children.push(child)
    await app.deps.jobs.add('child.job', { name: 'orphan' })
    await child.began
    const rescuer = await startApp({ jobs: false, address: app.address })
    rescuer.deps.jobs.register('child.job', async (payload, signal) => {
      seen.push({ by: 'rescuer', payload, signal, at: performance.now() })
    })
    await rescuer.deps.jobs.start()
    await child.kill()
    // By default the queue frees a job after four hours.
    const next = await until(() => seenOf('orphan')[0])
    await rescuer.close()
    expect(next.by).toBe('rescuer')
  })

  it('that lost its lease is stopped immediately and repeated', async () => {
    behaviour.set('leased', forever)
    await app.deps.jobs.add('test.job', { name: 'leased' })
    const first = await until(() => seenOf('leased')[0])
    const holder = first.by === 'app' ? app : twin
    const before = holder.deps.instance.id
    behaviour.delete('leased')
    await endLease(before)
    await until(() => first.signal.aborted)
    expect(await until(() => seenOf('leased')[1])).toBeDefined()
    await until(() => holder.deps.instance.id !== before)
    expect(await holder.deps.instance.isAlive(holder.deps.instance.id)).toBe(true)
  })
})
