import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { aGate } from '#tests/chat.ts'
import { anAgent, aRun, patiently, play, readRun, rested, type Work } from '#tests/runs.ts'
import type { OnEnd } from '../engine.ts'
import { drainRuns } from '../hold.ts'
import { resumeRun, stopRun } from '../runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [], config: { ATRIUM_METRICS: 'loopback' } })
})
afterAll(() => app.close())

const never = new Promise<never>(() => undefined)
const limits = { model_calls: 10, steps: 5, seconds: 150 }

describe('the outcome metric of a run', () => {
  /** Returns the outcome counter as operators see it. */
  const counted = (outcome: string) => {
    const line = `atrium_run_seconds_count{agent="multi_turn",outcome="${outcome}"} `
    const text = app.deps.telemetry.metrics?.write([]) ?? ''
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.slice(line.length) ?? 0,
    )
  }
  const cases: [outcome: string, state: string, work: Work][] = [
    ['completed', 'completed', async () => undefined],
    ['failed', 'failed', () => Promise.reject(new Error('It fails.'))],
    ['rest', 'waiting', (run) => run.ask('which', { prompt: 'Which one?', input_types: ['text'] })],
    ['stopped', 'stopped', (run, end) => run.step('one', async () => end('stop'))],
    ['time', 'failed', (run, end) => run.step('one', async () => end('time'))],
    ['left', 'running', (run, end) => run.step('one', async () => end('lost'))],
  ]
  it.each(cases)('counts: %s', async (outcome, state, work) => {
    const before = counted(outcome)
    expect((await play(app, work)).run.state).toBe(state)
    await expect.poll(() => counted(outcome), patiently).toBe(before + 1)
  })
})

describe('the end of a run', () => {
  it('names the time limit that was reached', async () => {
    const { reply } = await play(app, (run, end) => run.step('one', async () => end('time')), { limits })
    expect(reply.blocks.at(-1)).toMatchObject({
      ...{ type: 'error', code: 'unavailable' },
      error: 'The reply took longer than 3 min and was ended.',
    })
  })

  it('has the first of several reasons', async () => {
    const { run } = await play(app, (run, end) =>
      run.step('one', async () => {
        end('stop')
        end('time')
        end('lost')
      }),
    )
    expect(run.state).toBe('stopped')
  })

  it('keeps the text when a stopped step does not react', async () => {
    const engine = anAgent(app, async (run) => {
      await say(run, 'one', 'One. ')
      await run.step('deaf', () => never)
    })
    const { id, steps } = await aRun(app, engine)
    await expect.poll(() => steps.has('deaf'), patiently).toBe(true)
    await stopRun(engine, id)
    const { run, reply } = await readRun(app, id)
    expect([run.state, reply.content]).toEqual(['stopped', 'One. '])
  })

  it('aborts steps that run in parallel to a failed one', async () => {
    const heard = aGate()
    const { run } = await play(app, (run) =>
      Promise.all([
        run.step('hangs', async ({ signal }) => {
          signal.addEventListener('abort', heard.open)
          await never
        }),
        run.step('fails', () => Promise.reject(new AppError('unavailable', 'Nobody is there.'))),
      ]),
    )
    expect(run).toMatchObject({ state: 'failed', error: { code: 'unavailable', detail: 'Nobody is there.' } })
    await heard.opened
  })

  it('calls hooks of other features and commits their writes with it', async () => {
    const ended: Parameters<OnEnd>[0][] = []
    const engine = anAgent(app, async (run) => {
      await say(run, 'one', 'One.')
      if (ended.length > 0) throw new Error('It fails.')
    })
    engine.onEnd.push(
      async (end) => {
        ended.push(end)
        return async (trx) => {
          await trx
            .updateTable('sessions')
            .set({ title: `It ${end.state}` })
            .where('id', '=', end.run.sessionId)
            .execute()
        }
      },
      async () => null,
    )
    const { id } = await aRun(app, engine)
    const { session } = await rested(app, engine, id)
    expect(session.title).toBe('It completed')
    const failed = await aRun(app, engine)
    expect((await rested(app, engine, failed.id)).session.title).toBe('It failed')
    expect(ended.map(({ run, state, content, usage }) => [run.id, state, content, usage.calls])).toEqual([
      [id, 'completed', 'One.', 0],
      [failed.id, 'failed', 'One.', 0],
    ])
  })

  it('records the active seconds, including those before the last rest', async () => {
    const begun = performance.now()
    const { run, reply } = await play(app, (run) =>
      run.step('one', async () => {
        await app.deps.db.updateTable('runs').set({ worked_ms: 90_000 }).where('id', '=', run.id).execute()
      }),
    )
    const most = 90 + (performance.now() - begun) / 1000
    const { seconds } = reply.metadata.usage as { seconds: number }
    expect(seconds).toBeGreaterThanOrEqual(90)
    expect(seconds).toBeLessThan(most + 0.1)
    expect(run.worked_ms).toBeGreaterThanOrEqual(90_000)
    expect(run.worked_ms).toBeLessThan(most * 1000 + 1)
    const waiting = await play(app, async (run) => {
      await run.step('slow', () => new Promise((resolve) => setTimeout(resolve, 30)))
      await run.ask('which', { prompt: 'Which one?', input_types: ['text'] })
    })
    expect(waiting.run.worked_ms).toBeGreaterThanOrEqual(29)
  })

  it("adds the run's stored bytes once", async () => {
    const text = 'é'.repeat(10_000)
    const question = { prompt: 'Which one?', input_types: ['text'] }
    const { engine, run, session } = await play(app, async (run) => {
      await say(run, 'one', text)
      await run.ask('which', question)
    })
    expect(Number(session.stored_bytes)).toBe(0)
    expect(session.preview).toMatch(/^éé/)
    await stopRun(engine, run.id)
    // A message stores its text twice: as content and in its block.
    const { session: over } = await readRun(app, run.id)
    expect(Number(over.stored_bytes)).toBeGreaterThan(40_000)
    expect(Number(over.stored_bytes)).toBeLessThan(200_000)
  })
})

describe('obstacles to ending or writing', () => {
  it('prevent a process from ending a run that another one now owns', async () => {
    const { run, reply, keys } = await play(app, async (run) => {
      await say(run, 'one', 'One.')
      const { db } = app.deps
      await db.updateTable('runs').set({ owner: 'another', epoch: 9 }).where('id', '=', run.id).execute()
    })
    expect(run).toMatchObject({ state: 'running', owner: 'another', epoch: 9, finished_at: null })
    expect([reply.content, reply.status]).toEqual(['', 'streaming'])
    expect(keys).toEqual(['input:input', 'step:one'])
  })

  it('do not occur when a stop finds no active run', async () => {
    await stopRun(
      anAgent(app, async () => undefined),
      randomUUID(),
    )
  })

  it('delay a step while the disk is full, then let it write', async () => {
    let tries = 0
    const full = Object.assign(new Error('No space left on device'), { code: '53100' })
    const { run, keys } = await play(app, (run) =>
      run.step('one', async (leaf) => {
        leaf.together(async () => {
          if (++tries === 1) throw full
        })
      }),
    )
    expect([run.state, run.attempt, tries]).toEqual(['completed', 1, 2])
    expect(keys).toEqual(['input:input', 'step:one', 'end:end'])
  })

  it('do not end a run whose step fails because its process stops', async () => {
    const gate = aGate()
    let isFirst = true
    const work: Work = async (run) => {
      await run.step('one', async (leaf) => {
        if (isFirst) await gate.opened
        if (isFirst) throw new Error('The connection is closed.')
        leaf.emit({ event: 'response_chunk', content: 'One.' })
      })
    }
    const engine = anAgent(app, work)
    const { id, steps } = await aRun(app, engine)
    await expect.poll(() => steps.has('one'), patiently).toBe(true)
    const drained = drainRuns(engine)
    gate.open()
    await drained
    const { run, keys } = await readRun(app, id)
    expect(run).toMatchObject({ state: 'running', owner: null, error: null })
    expect(keys).toEqual(['input:input'])
    isFirst = false
    const next = anAgent(app, work)
    await resumeRun(next, id)
    expect((await rested(app, next, id)).reply).toMatchObject({ content: 'One.', status: 'completed' })
  })
})
