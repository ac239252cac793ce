import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { anEngine, aRun, atRest, goOn, patiently, rested, someUsage } from '#tests/runs.ts'
import type { Engine } from '../engine.ts'
import { loadRecords } from '../runs.ts'
import { endRun } from './live-run.ts'
import type { Leaf, RunContext } from './run-context.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

type Work = (run: RunContext) => Promise<void>

/** Creates an engine whose replies run `whole`, which may delegate to `part`. */
function aTeam(whole: Work, part: Work): Engine {
  const engine = anEngine(app, whole)
  engine.agents.single_turn = { version: 3, run: part }
  return engine
}

const aPart = (number = 1) => ({
  number,
  input: { agent_type: 'single_turn' as const, task: `Task ${number}` },
})
/** Opens the step of the message in which a sub-run appears. */
const openStep = (run: RunContext, number: number) =>
  run.step(`open${number}`, async (leaf) => {
    leaf.emit({ event: 'agent_step_started', number, description: 'Look it up', single_step: false })
  })
/** Delegates to a sub-run and reports its result. */
const tells: Work = async (run) => {
  await openStep(run, 1)
  const { state, text } = await run.child('sub1', aPart())
  await say(run, 'told', `It is ${state}: ${text}`)
}
const pay = (leaf: Leaf) => leaf.bill({ model_name: 'atrium/offline', reason: 'reply', usage: someUsage })
const never = new Promise<never>(() => undefined)

async function play(engine: Engine, more?: Parameters<typeof aRun>[3]) {
  const { id } = await aRun(app, engine, 60, more)
  return rested(app, engine, id)
}

const partsOf = (runId: string) =>
  app.deps.db
    .selectFrom('runs')
    .selectAll()
    .where('parent_run_id', '=', runId)
    .orderBy('created_at')
    .execute()
const ledgerOf = async (runIds: string[]) =>
  app.deps.db
    .selectFrom('ledger_entries')
    .select(['kind', 'run_id', 'step_key', 'attempt'])
    .where('run_id', 'in', runIds)
    .orderBy('step_key')
    .execute()
const lose = (engine: Engine) => endRun([...engine.live.values()][0]!, 'lost')

describe('a sub-run', () => {
  it('has its own row and journal, and ends when its result is committed in the parent', async () => {
    const engine = aTeam(tells, async (run) => {
      await say(run, 'one', ' Found ')
      await say(run, 'two', 'it. ')
    })
    const own = { agent_type: 'single_turn' as const, model_name: 'm', context_tokens: 1, instructions: null }
    const colleague = { ...own, id: 'colleague', name: 'Colleague', description: 'Helps', tools: [] }
    const { run, reply, keys } = await play(engine, { tool_choice: 'calculator', assistants: [colleague] })
    expect(reply.content).toBe('It is completed: Found it.')
    expect(reply.blocks[0]).toMatchObject({
      type: 'step',
      completed: true,
      progress: 100,
      message: 'Found it.',
    })
    expect(keys).toEqual(['input:input', 'step:open1', 'step:sub1', 'step:told', 'end:end'])
    const [part, ...others] = await partsOf(run.id)
    expect(others).toEqual([])
    expect(part).toMatchObject({
      ...{ state: 'completed', owner: null, error: null, message_id: null, agent_type: 'single_turn' },
      ...{ agent_version: 3, attempt: 1, epoch: run.epoch, user_id: run.user_id, session_id: run.session_id },
      finished_at: expect.any(Date),
    })
    const [beginning, ...records] = await loadRecords(app.deps.db, part!.id)
    // A sub-run has no user-chosen tool and cannot delegate further.
    expect(beginning?.value).toMatchObject({ task: 'Task 1', agent_type: 'single_turn', tool_choice: null })
    expect(beginning?.value).not.toHaveProperty('assistants')
    expect(records.map(({ kind, key }) => `${kind}:${key}`)).toEqual([
      ...['step:sub1.one', 'step:sub1.two', 'end:end'],
    ])
    expect(records.at(-1)?.value).toEqual({ state: 'completed', text: 'Found it.' })
  })

  it('returns a failure as a result with its reason, and its wasted usage is not charged', async () => {
    const engine = aTeam(tells, async (run) => {
      await run.step('one', async (leaf) => pay(leaf))
      await run.step('two', async (leaf) => {
        pay(leaf)
        throw new AppError('unavailable', 'Nobody is there.')
      })
    })
    const { run, reply, session } = await play(engine)
    expect(run).toMatchObject({ state: 'completed', error: null })
    expect(reply.content).toBe('It is failed: Nobody is there.')
    expect(reply.blocks[0]).toMatchObject({ type: 'step', failed: true, message: 'Nobody is there.' })
    expect(session).toMatchObject({ status: 'COMPLETED' })
    const [part] = await partsOf(run.id)
    expect(part).toMatchObject({ state: 'failed', owner: null, error: { detail: 'Nobody is there.' } })
    const entry = { run_id: part!.id, attempt: 1 }
    expect(await ledgerOf([run.id, part!.id])).toEqual([
      { ...entry, kind: 'usage', step_key: 'sub1.one' },
      { ...entry, kind: 'absorbed', step_key: 'sub1.two' },
    ])
    expect(reply.metadata.usage).toMatchObject({ calls: 1, input_tokens: 7, output_tokens: 3 })
  })

  it('fails when its agent type is unknown', async () => {
    const results: unknown[] = []
    const engine = aTeam(
      async (run) => {
        results.push(await run.child('sub1', aPart()))
        await say(run, 'told', 'Done.')
      },
      async () => undefined,
    )
    delete engine.agents.single_turn
    expect((await play(engine)).run.state).toBe('completed')
    expect(results).toEqual([
      { state: 'failed', text: 'This part was started by another version of the server.' },
    ])
  })

  it('cannot have sub-runs, and a repeated key is refused', async () => {
    const refused: string[] = []
    const note = (error: Error) => void refused.push(error.message)
    const engine = aTeam(
      async (run) => {
        await run.child('sub1', aPart())
        await run.child('sub1', aPart()).catch(note)
      },
      async (run) => {
        await run.child('inner', aPart()).catch(note)
      },
    )
    const { run } = await play(engine)
    expect(refused).toEqual(['A sub-run starts no sub-runs.', 'step:sub1 was used before in this run.'])
    expect(await partsOf(run.id)).toHaveLength(1)
  })

  it('resumes from its own journal and receives its lost text when its process is lost', async () => {
    const ran: string[] = []
    const lost: (string | null)[] = []
    const whole: Work = async (run) => {
      for (const number of [1, 2]) {
        await openStep(run, number)
        await run.child(`sub${number}`, aPart(number))
      }
    }
    const part = (after: (leaf: Leaf) => unknown): Work => {
      return async (run) => {
        const { task } = run.input
        await run.step('one', async (leaf) => {
          ran.push(`${task} one`)
          leaf.emit({ event: 'response_chunk', content: `${task} begins. ` })
        })
        await run.step('two', async (leaf) => {
          ran.push(`${task} two`)
          lost.push(leaf.lostText)
          leaf.emit({ event: 'response_chunk', content: 'It ends.' })
          if (task === 'Task 2') await after(leaf)
        })
      }
    }
    const first: Engine = aTeam(
      whole,
      part(async () => {
        await expect
          .poll(() => first.live.values().next().value?.publisher.view.blocks.at(-1), patiently)
          .toMatchObject({
            message: 'Task 2 begins. It ends.',
          })
        await first.events.sentFrames.flush()
        lose(first)
      }),
    )
    const { id } = await aRun(app, first)
    await atRest(first, id)
    const [, half] = await partsOf(id)
    expect(half).toMatchObject({ state: 'running', attempt: 1 })
    // A process that knows only what is stored.
    const next = aTeam(
      whole,
      part(() => undefined),
    )
    const { run, reply, keys } = await goOn(app, next, id)
    expect(run).toMatchObject({ state: 'completed', attempt: 2 })
    expect(ran).toEqual(['Task 1 one', 'Task 1 two', 'Task 2 one', 'Task 2 two', 'Task 2 two'])
    expect(lost).toEqual([null, null, 'It ends.'])
    expect(keys.filter((key) => key.startsWith('step:sub'))).toEqual(['step:sub1', 'step:sub2'])
    expect(reply.blocks.map((block) => block.type === 'step' && block.message)).toEqual([
      ...['Task 1 begins. It ends.', 'Task 2 begins. It ends.'],
    ])
    const parts = await partsOf(id)
    expect(parts.map(({ id, attempt, state }) => [id, attempt, state])).toEqual([
      [parts[0]?.id, 1, 'completed'],
      [half?.id, 2, 'completed'],
    ])
  })
})

describe('a sub-run follows its parent', () => {
  const whole: Work = async (run) => {
    await run.checkpoint('before', 'before_step')
    await openStep(run, 1)
    await run.child('sub1', aPart())
    await say(run, 'told', 'Never said.')
  }

  it('is stopped with it, and the user pays for the partial result', async () => {
    const engine: Engine = aTeam(whole, async (run) => {
      await run.step('one', async (leaf) => {
        pay(leaf)
        endRun([...engine.live.values()][0]!, 'stop')
        leaf.signal.throwIfAborted()
      })
    })
    const { run, reply } = await play(engine)
    expect(run.state).toBe('stopped')
    expect(reply.metadata).toMatchObject({ stopped: true, usage: { calls: 1, input_tokens: 7 } })
    const [part] = await partsOf(run.id)
    expect(part).toMatchObject({ state: 'stopped', owner: null, finished_at: run.finished_at })
    expect(await ledgerOf([run.id, part!.id])).toEqual([
      { kind: 'usage', run_id: run.id, step_key: 'sub1.one', attempt: 1 },
    ])
  })

  it('waits with it: neither has an owner, neither is over', async () => {
    const engine = aTeam(whole, async (run) => {
      await run.ask('which', { prompt: 'Which one?', input_types: ['text'] })
    })
    const { run, session, keys } = await play(engine)
    expect(run).toMatchObject({ state: 'waiting', finished_at: null })
    expect(await partsOf(run.id)).toMatchObject([{ state: 'waiting', owner: null, finished_at: null }])
    // The question belongs to the parent and is answered there.
    expect(keys.at(-1)).toBe('ask:sub1.which')
    expect(session.pending_input).toMatchObject({ prompt: 'Which one?' })
  })

  it("pauses with it at a checkpoint of the sub-run, named after the parent's last checkpoint", async () => {
    const engine: Engine = aTeam(whole, async (run) => {
      await run.step('one', async () => {
        for (const live of engine.live.values()) live.pauseRequested = true
      })
      await run.checkpoint('inner')
      await say(run, 'two', 'later')
    })
    const { run, records, reply } = await play(engine)
    expect(run).toMatchObject({ state: 'paused', paused_for: 'request' })
    expect(await partsOf(run.id)).toMatchObject([{ state: 'paused' }])
    expect(records.at(-1)).toMatchObject({
      kind: 'pause',
      value: { events: [{ checkpoint_name: 'before' }] },
    })
    expect(reply.blocks.at(-1)).toMatchObject({ type: 'paused', checkpoint_name: 'before' })
  })

  it('is not started when another process owns the parent', async () => {
    const engine: Engine = aTeam(
      async (run) => {
        await run.step('one', async () => undefined)
        const { db } = app.deps
        await db.updateTable('runs').set({ owner: 'another', epoch: 99 }).where('id', '=', run.id).execute()
        await run.child('sub1', aPart())
      },
      () => never,
    )
    const { run } = await play(engine)
    expect(run).toMatchObject({ state: 'running', owner: 'another', epoch: 99 })
    expect(await partsOf(run.id)).toEqual([])
  })
})
