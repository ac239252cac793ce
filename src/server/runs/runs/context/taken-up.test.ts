import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { aMessage, aSession, aUser } from '#tests/builders.ts'
import {
  anAgent,
  aRun,
  goOn,
  lookAfter,
  patiently,
  play,
  readRun,
  readTold,
  rested,
  type Work,
} from '#tests/runs.ts'
import { claimRun } from '../attempts-store.ts'
import type { Engine } from '../engine.ts'
import { loadRested, onHeldRuns, resumeRun, startRun, startStandalone } from '../runs.ts'
import { findRun, loadMessage } from '../store.ts'
import { endRun } from './live-run.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const never = new Promise<never>(() => undefined)
const change = (id: string, set: Record<string, unknown>) =>
  app.deps.db.updateTable('runs').set(set).where('id', '=', id).execute()

describe('resuming a run', () => {
  it('provides the lost text of unfinished steps, in order', async () => {
    const heard: [string, string | null][] = []
    let tries = 0
    const work: Work = async (run, end) => {
      tries += 1
      const at = new Date(0).toISOString()
      await run.step('done', async (leaf) => {
        heard.push(['done', leaf.lostText])
        leaf.emit({ event: 'response_chunk', content: 'Done. ' })
      })
      await run.step('lost', async (leaf) => {
        heard.push(['lost', leaf.lostText])
        leaf.emit({ event: 'agent_thinking', content: `Hm ${tries}. `, timestamp: at })
        for (const word of ['Half ', 'a ', 'word '])
          leaf.emit({ event: 'response_chunk', content: `${word}${tries}. ` })
        leaf.emit({ event: 'response_stream_end', message_id: run.input.message_id })
        if (tries === 3) return
        await engine.events.sentFrames.flush()
        end('lost')
      })
      await run.step('new', async (leaf) => void heard.push(['new', leaf.lostText]))
    }
    const engine = anAgent(app, work)
    const { id } = await aRun(app, engine)
    expect((await rested(app, engine, id)).reply.content).toBe('')
    await goOn(app, engine, id)
    const { reply: whole, run: over } = await goOn(app, engine, id)
    expect(heard).toEqual([
      ...[
        ['done', null],
        ['lost', null],
      ],
      ['lost', 'Hm 1. Half 1. a 1. word 1. '],
      ['lost', 'Hm 2. Half 2. a 2. word 2. '],
      ['new', null],
    ])
    expect(whole.content).toContain('Half 3. a 3. word 3. ')
    expect(whole.content).not.toMatch(/[12]\./)
    expect(over).toMatchObject({ state: 'completed', attempt: 3, epoch: 3 })
    const told = await readTold(app, engine, id)
    // Readers start over with the committed view.
    expect(told.findLast(({ event }) => event === 'task_stream_init')).toMatchObject({
      view: { content: 'Done. ', status: 'streaming' },
      user_message: { content: 'Question' },
    })
  })

  it('lets one of several processes claim it, in a new epoch', async () => {
    const { run } = await play(app, (run, end) => run.step('one', async () => end('lost')))
    const seen = (await findRun(app.deps.db, run.id))!
    const owners = ['one', 'two', 'three']
    const claimed = await Promise.all(
      owners.map((owner) =>
        claimRun(app.deps.db, seen, { owner, isLoss: false, also: async () => undefined }),
      ),
    )
    const [taken, ...others] = claimed.filter((one) => one !== null)
    expect(others).toEqual([])
    expect(taken).toMatchObject({ state: 'running', attempt: 2, epoch: 2 })
    expect(owners.indexOf(taken?.owner ?? '')).toBe(claimed.findIndex((one) => one !== null))
    expect((await readRun(app, run.id)).session).toMatchObject({ epoch: 2, status: 'GENERATING' })
    // The state read earlier is stale.
    const late = { owner: 'late', isLoss: false, also: async () => undefined }
    expect(await claimRun(app.deps.db, seen, late)).toBeNull()
  })

  it('sends a run that never started from its beginning, as its first attempt', async () => {
    const engine = anAgent(app, (run) => say(run, 'one', 'One.'))
    const web: Engine = { ...engine, works: false, live: new Map() }
    const user = await aUser(app)
    const { id: session_id } = await aSession(app, user)
    const question = await aMessage(app, session_id, { content: 'Question' })
    const first: string[] = []
    const assistant = { id: 'helper', name: 'Helper' }
    const prepare = async () => ({
      userMessage: (await loadMessage(app.deps.db, question.id))!,
      input: {
        ...{ session_id, user_id: user.id, user_message_id: question.id, agent_type: 'multi_turn' as const },
        ...{
          model_name: 'atrium/offline',
          context_tokens: 8000,
          language: 'en' as const,
          instructions: null,
        },
        ...{ tool_choice: null, tools: [], limits: { model_calls: 1, steps: 1, seconds: 60 }, assistant },
      },
    })
    const { id } = await startRun(web, session_id, prepare, (begun) => void first.push(begun.id))
    expect(first).toEqual([id])
    expect(web.live.size).toBe(0)
    const begun = await readRun(app, id)
    expect(begun.run).toMatchObject({ state: 'queued', owner: null, attempt: 0, epoch: 1 })
    expect(begun.session).toMatchObject({ status: 'GENERATING', agent_status: 'processing' })
    expect(begun.reply).toMatchObject({ status: 'streaming', metadata: { assistant } })
    await expect(startRun(web, session_id, prepare)).rejects.toMatchObject({ code: 'session_busy' })
    // A process that executes no runs resumes one only to end it.
    expect(await resumeRun(web, id)).toBeNull()
    const { run, reply } = await goOn(app, engine, id)
    expect(run).toMatchObject({ state: 'completed', attempt: 1, epoch: 1, silent: 0, fruitless: 0 })
    expect(reply.metadata).toMatchObject({ assistant, stopped: false })
    const rest = await loadRested(app.deps.db, session_id)
    expect(rest?.view).toMatchObject({ assistant, usage: reply.metadata.usage, content: 'One.' })
    expect(await readTold(app, engine, id)).toMatchObject([
      { event: 'agent_processing_started', assistant, attempt: 1 },
      { event: 'response_chunk' },
      { event: 'agent_processing_complete', stopped: false },
    ])
  })

  it('starts nothing when the initial writes fail', async () => {
    const engine = anAgent(app, async () => undefined)
    const { id } = await aSession(app, await aUser(app))
    const refused = startRun(engine, id, () => Promise.reject(new Error('It cannot be stored.')))
    await expect(refused).rejects.toThrow('It cannot be stored.')
    expect([engine.claiming.size, engine.live.size]).toEqual([0, 0])
    const runs = await app.deps.db.selectFrom('runs').select('id').where('session_id', '=', id).execute()
    expect(runs).toEqual([])
    const unknown = startRun(engine, randomUUID(), () => never)
    await expect(unknown).rejects.toMatchObject({ code: 'not_found', detail: 'Session not found' })
  })
})

describe('the loss of a run', () => {
  /** Never completes a step. */
  const stuck: Work = (run, end) => run.step('stuck', async () => end('lost'))

  it('does not count while the process that released it is alive', async () => {
    const { engine, run } = await play(app, stuck)
    for (let attempt = 2; attempt <= 13; attempt += 1) await goOn(app, engine, run.id)
    expect((await readRun(app, run.id)).run).toMatchObject({
      ...{ state: 'running', attempt: 13, fruitless: 0, silent: 0 },
    })
  })

  it('counts when its process died, and resets when the run was released', async () => {
    const { engine, run } = await play(app, stuck)
    const lost = async (owner: string | null, set = {}) => {
      engine.letGo.clear()
      await change(run.id, { owner, ...set })
      return (await goOn(app, engine, run.id)).run
    }
    expect(await lost('gone')).toMatchObject({ fruitless: 1, silent: 1, attempt: 2 })
    expect(await lost('gone')).toMatchObject({ fruitless: 2, silent: 2 })
    // Its process was responsive while it owned the run.
    expect(await lost('gone', { turned: 3 })).toMatchObject({ fruitless: 3, silent: 0 })
    expect(await lost(null)).toMatchObject({ fruitless: 0, silent: 0 })
  })

  it('does not count when a sub-run made progress', async () => {
    const engine = anAgent(app, async (run) => {
      await run.child('sub1', { number: 1, input: { agent_type: 'single_turn', task: 'Look it up' } })
    })
    let at = 0
    const part: Work = async (run) => {
      const parent = [...engine.live.values()][0]!
      for (let n = 1; n <= at; n += 1) await run.step(`step${n}`, async () => undefined)
      at += 1
      await run.step(`step${at}`, async () => undefined)
      endRun(parent, 'lost')
      await never
    }
    engine.agents.single_turn = { version: 1, run: (run) => part(run, () => undefined) as Promise<void> }
    const { id } = await aRun(app, engine)
    await rested(app, engine, id)
    engine.letGo.clear()
    await change(id, { owner: 'gone', fruitless: 8, silent: 2 })
    const { run } = await goOn(app, engine, id)
    expect(run).toMatchObject({ state: 'running', attempt: 2, fruitless: 0, silent: 0 })
  })

  it('ends a repeatedly lost standalone tool without reading its journal', async () => {
    const engine = anAgent(app, async () => undefined)
    engine.agents.tool = { version: 1, run: () => never }
    const user = await aUser(app)
    const { id: session_id } = await aSession(app, user)
    const tool = {
      id: 'mail',
      name: 'Mail',
      description: '',
      input_schema: {},
      repeatable: true,
      policy: 'auto' as const,
    }
    const request = { user_id: user.id, language: 'en' as const, tool, input: '{}', session_id, seconds: 60 }
    const { id } = await startStandalone(engine, request, async () => [])
    endRun(engine.live.get(id)!, 'lost')
    await expect.poll(() => engine.live.has(id), patiently).toBe(false)
    engine.letGo.clear()
    await app.deps.db.deleteFrom('run_records').where('run_id', '=', id).execute()
    await change(id, { owner: 'gone', silent: 3 })
    await resumeRun(engine, id)
    await expect.poll(async () => (await findRun(app.deps.db, id))?.state, patiently).toBe('failed')
    const row = await app.deps.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ owner: null, session_id, attempt: 2, finished_at: expect.any(Date) })
    expect(row.error).toMatchObject({
      code: 'broken',
      detail: expect.stringMatching(/^This reply stopped the server/),
    })
    // It never worked in the session that requested it.
    const session = await app.deps.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', session_id)
      .execute()
    expect(session).toMatchObject([{ epoch: 0, agent_status: null }])
  })

  it('is detected at the next poll, and later writes are void', async () => {
    await app.deps.db.updateTable('runs').set({ state: 'stopped' }).where('state', '=', 'running').execute()
    const work: Work = async (run) => {
      await run.step('one', () => never)
    }
    const engine = anAgent(app, work)
    const [taken, gone] = [await aRun(app, engine), await aRun(app, engine)]
    await change(taken.id, { owner: app.deps.instance.id, epoch: 9 })
    await app.deps.db.deleteFrom('runs').where('id', '=', gone.id).execute()
    const kept = await aRun(app, engine)
    const stop = lookAfter({ ...engine, claiming: new Set([taken.id]) })
    await expect.poll(() => [...engine.live.keys()], patiently).toEqual([kept.id])
    stop()
    expect([taken.ending, gone.ending, kept.ending]).toEqual(['lost', 'lost', null])
    endRun(kept, 'lost')
    expect((await readRun(app, taken.id)).run).toMatchObject({ state: 'running', epoch: 9, attempt: 1 })
  })

  it('makes the process resume its runs under a new id', async () => {
    await app.deps.db.updateTable('runs').set({ state: 'stopped' }).where('state', '=', 'running').execute()
    const told: string[][] = []
    let isFirst = true
    const engine = anAgent(app, async (run) => {
      await run.step('one', () => (isFirst ? never : Promise.resolve()))
      await say(run, 'two', 'Two.')
    })
    onHeldRuns(engine, (ids) => told.push(ids))
    const stop = lookAfter(engine)
    const { id } = await aRun(app, engine)
    const { id: before } = app.deps.instance
    isFirst = false
    await sql`select pg_terminate_backend(pid) from pg_locks join instances on objid = lock_id::oid
      where classid = 7 and id = ${before}`.execute(app.deps.db)
    await expect.poll(async () => (await findRun(app.deps.db, id))?.state, patiently).toBe('completed')
    stop()
    expect(app.deps.instance.id).not.toBe(before)
    expect((await readRun(app, id)).run).toMatchObject({ attempt: 2, fruitless: 0, silent: 0 })
    expect(told).toEqual([[], [id], [], [id], []])
  })
})
