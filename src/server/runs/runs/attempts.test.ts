import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { hangs, says } from '#tests/model-server.ts'
import { anEngine, aRun, readRun } from '#tests/runs.ts'
import type { Engine } from './engine.ts'
import { resumeRun } from './hold.ts'
import { givenUp, isSuspect, judge, NO_LOSSES } from './watch/losses.ts'
import { watchRuns } from './watch/watch.ts'

const never = new Promise<void>(() => undefined)

describe('a run that is lost with its process', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ features: [] })
  })
  afterAll(() => app.close())

  /** Sets the database state that a dead owner leaves behind. */
  const loseProcess = (runId: string) =>
    app.deps.db.updateTable('runs').set({ owner: 'gone' }).where('id', '=', runId).execute()
  /** Resumes the run on another process. `turns`: its event loop turns while it owns the run. */
  const takeUp = async (engine: Engine, runId: string, turns: boolean) => {
    const stop = turns ? watchRuns(engine) : () => undefined
    await resumeRun(engine, runId)
    if (turns) await markedTurned(runId)
    stop()
    return readRun(app, runId)
  }
  const markedTurned = async (runId: string) => {
    await expect
      .poll(async () => {
        const { run } = await readRun(app, runId)
        return run.turned === run.attempt
      })
      .toBe(true)
  }
  /** An agent that records one step and then blocks forever. */
  const silent = async (run: Parameters<Parameters<typeof anEngine>[1]>[0]) => {
    await run.step('said', async (leaf) => leaf.emit({ event: 'response_chunk', content: 'Kept.' }))
    await run.step('stuck', () => never)
  }

  it('ends with its text after three attempts in which the process never responded', async () => {
    const { id } = await aRun(app, anEngine(app, silent))
    await expect.poll(async () => (await readRun(app, id)).keys).toContain('step:said')
    const state = async () => (await readRun(app, id)).run.state
    // The first attempt made progress, so it does not count.
    for (const expected of ['running', 'running', 'running', 'failed']) {
      await loseProcess(id)
      await takeUp(anEngine(app, silent), id, false)
      if (expected === 'running') await sleep(100)
      await expect.poll(state).toBe(expected)
    }
    const { reply, session } = await readRun(app, id)
    expect(reply).toMatchObject({ content: 'Kept.', status: 'error' })
    expect(reply.blocks.at(-1)).toMatchObject({
      type: 'error',
      error: expect.stringMatching(/^This reply stopped the server/),
    })
    expect(session).toMatchObject({ status: 'FAILED', agent_status: 'error' })
  })

  it('resumes without limit while every attempt makes progress', async () => {
    const steps = async (run: Parameters<typeof silent>[0]) => {
      for (let at = 1; ; at++) {
        const last = run.isDone(`step${at}`)
        await run.step(`step${at}`, async () => null)
        if (!last) await never
      }
    }
    const { id } = await aRun(app, anEngine(app, steps))
    for (let attempt = 2; attempt <= 14; attempt++) {
      await expect.poll(async () => (await readRun(app, id)).keys).toContain(`step:step${attempt - 1}`)
      await loseProcess(id)
      await takeUp(anEngine(app, steps), id, false)
    }
    const { run } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'running', attempt: 14, silent: 0, fruitless: 0 })
  })

  it('resumes after many losses when the processes were responsive', {
    timeout: 40_000,
  }, async () => {
    const { id } = await aRun(app, anEngine(app, silent))
    await expect.poll(async () => (await readRun(app, id)).keys).toContain('step:said')
    for (let attempt = 2; attempt <= 7; attempt++) {
      await loseProcess(id)
      const { run } = await takeUp(anEngine(app, silent), id, true)
      expect(run).toMatchObject({ state: 'running', silent: 0 })
    }
    expect((await readRun(app, id)).run.fruitless).toBe(5)
  })

  it('resumes alone after two silent attempts in a row', async () => {
    await app.deps.db.updateTable('runs').set({ state: 'stopped' }).execute()
    const engine = anEngine(app, silent)
    const runs = [await aRun(app, engine), await aRun(app, engine), await aRun(app, engine)]
    const ids = runs.map(({ id }) => id)
    await expect.poll(async () => (await readRun(app, ids[2] ?? '')).keys).toContain('step:said')
    await app.deps.db
      .updateTable('runs')
      .set({ owner: 'gone', silent: 1, attempt: 2 })
      .where('id', 'in', ids)
      .execute()
    const next = anEngine(app, silent)
    const most: number[] = []
    const stop = watchRuns(next)
    const looking = setInterval(() => {
      most.push([...next.live.values()].filter(({ hasTurned }) => !hasTurned).length)
    }, 5)
    await expect.poll(() => next.live.size, { timeout: 15_000 }).toBe(3)
    clearInterval(looking)
    stop()
    expect(Math.max(...most)).toBe(1)
  })
})

describe('orphaned runs', () => {
  let chat: Chat
  let other: TestApp
  beforeAll(async () => {
    chat = await startChat()
    other = await startApp({ address: chat.app.address, features: [] })
  })
  afterAll(async () => {
    await other.close()
    await chat.close()
  })

  /** Creates an active reply whose process has died. */
  async function anOrphan(): Promise<string> {
    chat.model.reply([says('Half '), hangs()])
    chat.model.always([says('A whole answer.')])
    const stream = await chat.ask(await chat.aSession(), 'Go')
    await stream.until('response_chunk')
    const { run_id } = stream.view()!
    stream.leave()
    const { engine } = chat.app.deps
    const run = engine.live.get(run_id)!
    run.ending = 'lost'
    run.abort.abort(new Error('The process is gone.'))
    await expect.poll(() => engine.live.has(run_id)).toBe(false)
    return run_id
  }

  const stateOf = async (id: string) => (await readRun(chat.app, id)).run.state

  it('resume even when another journal is unreadable, and that run ends with an explanation', {
    timeout: 30_000,
  }, async () => {
    const { db } = chat.app.deps
    const broken = await anOrphan()
    await db.deleteFrom('run_records').where('run_id', '=', broken).execute()
    await db.updateTable('runs').set({ owner: 'gone' }).where('id', '=', broken).execute()
    const whole = await anOrphan()
    await expect.poll(() => stateOf(whole), { timeout: 10_000 }).toBe('completed')
    await expect.poll(() => stateOf(broken), { timeout: 15_000 }).toBe('failed')
    const { reply, session } = await readRun(chat.app, broken)
    expect(reply).toMatchObject({ status: 'error' })
    expect(reply.blocks.at(-1)).toMatchObject({ type: 'error' })
    expect(session).toMatchObject({ status: 'FAILED', agent_status: 'error' })
    chat.model.always([says('Better.')])
    const again = await chat.ask(reply.chat_session_id, 'Again')
    await again.ended
    expect(again.view()).toMatchObject({ status: 'completed', content: 'Better.' })
  })

  it('are found behind a thousand runs of a live process', { timeout: 30_000 }, async () => {
    const { db } = chat.app.deps
    const orphan = await anOrphan()
    const { rows } = await db.executeQuery<{ id: string }>(
      CompiledQuery.raw(
        `insert into runs (kind, user_id, agent_type, agent_version, state, owner, created_at)
         select 'tool', $1, 'tool', 1, 'running', $2, now() - interval '1 hour' from generate_series(1, 1100)
         returning id`,
        [chat.user.id, other.deps.instance.id],
      ),
    )
    await expect.poll(() => stateOf(orphan), { timeout: 10_000 }).toBe('completed')
    await db
      .deleteFrom('runs')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  })
})

it('a lost run resumes, then ends from its journal, then ends without it as losses accumulate', () => {
  const of = (silent: number, fruitless: number) => judge({ silent, fruitless })
  expect(judge(NO_LOSSES)).toBe('goes_on')
  expect([0, 2, 3, 4].map((silent) => of(silent, 0))).toEqual(['goes_on', 'goes_on', 'ends', 'ends_unread'])
  expect([9, 10, 11].map((fruitless) => of(0, fruitless))).toEqual(['goes_on', 'ends', 'ends_unread'])
  expect([of(3, 11), of(4, 10), of(2, 10), of(3, 9)]).toEqual([
    ...['ends_unread', 'ends_unread', 'ends', 'ends'],
  ])
})

it('a run is suspect after two silent losses', () => {
  expect([0, 1, 2, 3].map((silent) => isSuspect({ silent }))).toEqual([false, false, true, true])
})

it('a run that is given up names the cause', () => {
  const why = (silent: number) => givenUp({ silent, fruitless: 10 })
  expect(why(3)).toMatchObject({ code: 'broken', detail: expect.stringContaining('stopped the server') })
  expect(why(2).detail).toContain('was interrupted again and again')
})
