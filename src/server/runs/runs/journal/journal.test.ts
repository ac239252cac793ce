import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { anEngine, aRun, atRest, readRun } from '#tests/runs.ts'
import { commit, endRun } from '../context/live-run.ts'
import type { RunContext } from '../context/run-context.ts'
import { drainRuns, resumeRun } from '../hold.ts'
import { LostRunError } from './journal-record.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const say = (run: RunContext, key: string, text: string) =>
  run.step(key, async (leaf) => {
    leaf.emit({ event: 'response_chunk', content: text })
    return text
  })

/** Runs an agent to its end and returns what was stored. */
async function play(agent: (run: RunContext) => Promise<void>) {
  const engine = anEngine(app, agent)
  const { id } = await aRun(app, engine)
  await atRest(engine, id)
  return readRun(app, id)
}

describe('the journal', () => {
  it('records every step, freezes the input in record 0 and stores the reply [R-13]', async () => {
    const { run, reply, session, keys, records } = await play(async (run) => {
      await say(run, 'one', 'Hello ')
      await run.scope('inner', (inner) => say(inner, 'one', 'there'))
      await run.checkpoint('after_step1')
    })
    expect(keys).toEqual(['input:input', 'step:one', 'step:inner/one', 'checkpoint:after_step1', 'end:end'])
    expect(records[0]?.value).toMatchObject({
      value: { agent_type: 'multi_turn', model_name: 'atrium/offline' },
    })
    expect(run).toMatchObject({ state: 'completed', owner: null, agent_version: 1 })
    expect(reply).toMatchObject({ content: 'Hello there', status: 'completed' })
    expect(reply.blocks.map(({ type }) => type)).toEqual(['text', 'checkpoint'])
    expect(session).toMatchObject({
      status: 'COMPLETED',
      agent_status: 'completed',
      epoch: 1,
      active_leaf: reply.id,
    })
  })

  it.each<[string, (run: RunContext) => Promise<unknown>, RegExp]>([
    ['a key twice', async (run) => [await say(run, 'a', 'x'), await say(run, 'a', 'y')], /used before/],
    ['a step in a step', (run) => run.step('a', () => say(run, 'b', 'x')), /is a leaf/],
    ['a checkpoint in a step', (run) => run.step('a', () => run.checkpoint('c')), /is a leaf/],
    [
      'a question in a step',
      (run) => run.step('a', () => run.ask('q', { prompt: '?', input_types: ['text'] })),
      /is a leaf/,
    ],
  ])('refuses %s [R-13]', async (_, agent, message) => {
    let refused: unknown
    await play(async (run) => {
      await agent(run).catch((error) => {
        refused = error
      })
    })
    expect(String(refused)).toMatch(message)
  })

  it('replays the recorded value, equal to the first one [R-13]', async () => {
    const seen: unknown[] = []
    let tries = 0
    const engine = anEngine(app, async (run) => {
      seen.push(await run.step('value', async () => ({ at: new Date(0), none: undefined, n: ++tries })))
      await run.step('lost once', async () => {
        if (seen.length === 1) endRun([...engine.live.values()][0]!, 'lost')
      })
    })
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    await resumeRun(engine, id)
    await atRest(engine, id)
    expect(seen).toEqual([
      { at: '1970-01-01T00:00:00.000Z', n: 1 },
      { at: '1970-01-01T00:00:00.000Z', n: 1 },
    ])
    expect((await readRun(app, id)).run).toMatchObject({ state: 'completed', attempt: 2 })
  })

  it('refuses to resume a run at rest that a process had seen active [R-13]', async () => {
    const engine = anEngine(app, async (run) => void (await say(run, 'one', 'Hello')))
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    expect(await resumeRun(engine, id)).toBeNull()
    const { run } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'completed', attempt: 1 })
  })

  it('refuses writes in a past epoch [R-13]', async () => {
    let release = () => {}
    const engine = anEngine(app, async (run) => {
      await run.step('first', async () => 1)
      await run.step('slow', async (leaf) => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        leaf.emit({ event: 'response_chunk', content: 'stale' })
      })
    })
    const live = await aRun(app, engine)
    await until(() => live.steps.has('slow'))
    const { db } = app.deps
    await db.updateTable('runs').set({ owner: 'another', epoch: 99 }).where('id', '=', live.id).execute()
    await expect(
      commit(db, live, { kind: 'step', key: 'stale', value: 1, events: [] }, [
        async (trx) => {
          await trx.updateTable('runs').set({ model_name: 'written' }).where('id', '=', live.id).execute()
        },
      ]),
    ).rejects.toThrow(LostRunError)
    release()
    await atRest(engine, live.id)
    await engine.events.sentFrames.flush()
    const { run, keys, reply } = await readRun(app, live.id)
    expect(keys).toEqual(['input:input', 'step:first'])
    expect(run).toMatchObject({ state: 'running', owner: 'another', epoch: 99, model_name: 'atrium/offline' })
    expect(reply).toMatchObject({ content: '', status: 'streaming' })
    const sent = await db.selectFrom('run_events').selectAll().where('run_id', '=', live.id).execute()
    expect(JSON.stringify(sent)).not.toContain('stale')
  })

  it('ends a run of an unknown version with an explanation [R-13]', async () => {
    const engine = anEngine(app, () => new Promise(() => undefined))
    const { id } = await aRun(app, engine)
    await app.deps.db
      .updateTable('runs')
      .set({ agent_version: 7, owner: null })
      .where('id', '=', id)
      .execute()
    const next = anEngine(app, async () => undefined)
    await resumeRun(next, id)
    await atRest(next, id)
    const { run, reply } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'not_available' } })
    expect(reply.blocks).toMatchObject([{ type: 'error', error: expect.stringContaining('another version') }])
  })

  it('ends a hanging run at its time limit with its partial text [ST-18]', async () => {
    const engine = anEngine(app, (run) =>
      run.step('hang', async (leaf) => {
        leaf.emit({ event: 'response_chunk', content: 'so far' })
        await new Promise((_, reject) =>
          leaf.signal.addEventListener('abort', () => reject(leaf.signal.reason)),
        )
      }),
    )
    const { id } = await aRun(app, engine, 0.1)
    await atRest(engine, id)
    const { run, reply } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'unavailable' } })
    expect(reply).toMatchObject({ content: 'so far', status: 'error' })
    expect(reply.blocks.at(-1)).toMatchObject({ error: 'The reply took longer than 1 min and was ended.' })
  })

  it('gives up a run that is lost repeatedly at the same place [R-13]', async () => {
    const engine = anEngine(app, () => new Promise(() => undefined))
    const { id } = await aRun(app, engine)
    const lost = { attempt: 10, turned: 10, fruitless: 9, owner: 'gone' }
    await app.deps.db.updateTable('runs').set(lost).where('id', '=', id).execute()
    const next = anEngine(app, async () => undefined)
    await resumeRun(next, id)
    await atRest(next, id)
    expect((await readRun(app, id)).run).toMatchObject({ state: 'failed', attempt: 11 })
  })
})

describe('a step that must not run twice', () => {
  it('asks a person after an interruption, and no process owns the run meanwhile [R-13]', async () => {
    let effects = 0
    let isLost = true
    const outcomes: string[] = []
    const engine = anEngine(app, async (run) => {
      const result = await run
        .step(
          'send',
          async () => {
            effects += 1
            if (isLost) endRun([...engine.live.values()][0]!, 'lost')
            return 'sent'
          },
          { repeatable: false },
        )
        .catch((error) => `error: ${error.message}`)
      outcomes.push(result)
      await run.step('after', async () => null)
    })
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    // The effect happened but its record is missing.
    expect((await readRun(app, id)).keys).toEqual(['input:input', 'started:send#1'])
    isLost = false
    await resumeRun(engine, id)
    await atRest(engine, id)
    const parked = await readRun(app, id)
    expect(effects).toBe(1)
    expect(parked.run).toMatchObject({ state: 'waiting', owner: null })
    expect(parked.session).toMatchObject({ status: 'active', agent_status: 'paused' })
    expect(parked.session.pending_input).toMatchObject({ type: 'input_required', state: 'waiting' })

    await answer(id, 'interrupted:send#1', 'skip')
    await resumeRun(engine, id)
    await atRest(engine, id)
    expect(effects).toBe(1)
    expect(outcomes.at(-1)).toBe('error: The interrupted call was skipped.')
    expect((await readRun(app, id)).run.state).toBe('completed')
  })

  it('runs again when the user says so [R-13]', async () => {
    let effects = 0
    const engine = anEngine(app, async (run) => {
      await run.step(
        'send',
        async () => {
          effects += 1
          if (effects === 1) endRun([...engine.live.values()][0]!, 'lost')
        },
        { repeatable: false },
      )
    })
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    await resumeRun(engine, id)
    await atRest(engine, id)
    await answer(id, 'interrupted:send#1', 'retry')
    await resumeRun(engine, id)
    await atRest(engine, id)
    expect(effects).toBe(2)
    expect((await readRun(app, id)).run.state).toBe('completed')
  })

  async function answer(runId: string, key: string, input: string) {
    const { records } = await readRun(app, runId)
    const value = JSON.stringify({ value: { input, input_type: 'text' }, events: [] })
    const position = records.length
    await app.deps.db
      .insertInto('run_records')
      .values({ run_id: runId, position, key, kind: 'answer', value, epoch: 9 })
      .execute()
  }
})

describe('a run at rest', () => {
  it('parks when no branch is active and resumes with an answer [R-13]', async () => {
    const engine = anEngine(app, async (run) => {
      const [answer] = await Promise.all([
        run.scope('a', (a) => a.ask('which', { prompt: 'Which one?', input_types: ['text'] })),
        run.scope('b', async (b) => {
          await say(b, 'one', 'worked ')
          await say(b, 'two', 'on. ')
        }),
      ])
      await say(run, 'end', String(answer.input))
    })
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    const parked = await readRun(app, id)
    expect(parked.keys).toEqual([
      'input:input',
      'checkpoint:a/waiting_for_input_which',
      'step:b/one',
      'step:b/two',
      'ask:a/which',
    ])
    expect(parked.reply).toMatchObject({ content: 'worked on. ', status: 'streaming' })
    expect(parked.session.pending_input).toMatchObject({
      prompt: 'Which one?',
      checkpoint_name: 'a/waiting_for_input_which',
    })
    const value = JSON.stringify({ value: { input: 'blue', input_type: 'text' }, events: [] })
    const record = { run_id: id, position: 5, key: 'a/which', kind: 'answer' as const, value, epoch: 2 }
    await app.deps.db.insertInto('run_records').values(record).execute()
    await resumeRun(engine, id)
    await atRest(engine, id)
    expect((await readRun(app, id)).reply.content).toBe('worked on. blue')
  })

  it('pauses at the next checkpoint after a pause request [R-13]', async () => {
    const engine = anEngine(app, async (run) => {
      await run.step('first', async () => {
        for (const live of engine.live.values()) live.pauseRequested = true
      })
      await run.checkpoint('step1')
      await say(run, 'late', 'later')
    })
    const { id } = await aRun(app, engine)
    await atRest(engine, id)
    const { run, session, keys } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'paused', owner: null })
    expect(session).toMatchObject({ status: 'active', agent_status: 'paused', pending_input: null })
    expect(keys).not.toContain('step:late')
  })

  it('is released at its next step when the server stops, and resumed by the next process [R-13]', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const agent = async (run: RunContext) => {
      await run.step('one', async (leaf) => {
        await gate
        leaf.emit({ event: 'response_chunk', content: 'one ' })
      })
      await say(run, 'two', 'two')
    }
    const engine = anEngine(app, agent)
    const { id, steps } = await aRun(app, engine)
    await until(() => steps.size > 0)
    const drained = drainRuns(engine)
    open()
    await drained
    expect(await readRun(app, id)).toMatchObject({
      run: { state: 'running', owner: null },
      keys: ['input:input', 'step:one'],
    })
    const next = anEngine(app, agent)
    await resumeRun(next, id)
    await atRest(next, id)
    expect((await readRun(app, id)).reply.content).toBe('one two')
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2))
}
