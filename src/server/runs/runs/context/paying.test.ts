import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { aUser } from '#tests/builders.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import { type ModelServer, startModelServer } from '#tests/model-server.ts'
import { anAgent, aRun, patiently, play, readRun, rested, type Work } from '#tests/runs.ts'
import { watchUnpaid } from '../rest/unpaid.ts'
import { readPerson } from '../runs.ts'
import type { Leaf, RunContext } from './run-context.ts'

let app: TestApp
let model: ModelServer
beforeAll(async () => {
  model = await startModelServer({ models: ['priced'] })
  const config = { ATRIUM_BILLING: 'on', ATRIUM_COMPATIBLE_URL: model.url }
  app = await startApp({ features: [], config })
  await app.deps.db
    .insertInto('model_overrides')
    .values({ model_id: 'compatible/priced', input_price: 1, output_price: 2 })
    .execute()
})
afterAll(async () => {
  await app.close()
  await model.close()
})

const call: Parameters<Leaf['reserve']>[1] = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
}
const reserve = (leaf: Leaf) => leaf.reserve('compatible/priced', call)
const topUp = ({ input: { user_id } }: RunContext, amount = 5) =>
  app.deps.db.insertInto('ledger_entries').values({ user_id, kind: 'correction', amount }).execute()
const asideOf = async ({ input: { user_id } }: RunContext) =>
  (
    await app.deps.db
      .selectFrom('balance_reservations')
      .select('amount')
      .where('user_id', '=', user_id)
      .execute()
  ).length
const usage = { input_tokens: 7, output_tokens: 3, cached_tokens: 0, reasoning_tokens: 0, estimated: false }
const aBill = { model_name: 'compatible/priced', reason: 'reply', usage }

describe('the reservation of a step', () => {
  it('stays in place until the commit books the usage', async () => {
    const aside: number[] = []
    const { run, reply } = await play(app, async (run) => {
      await topUp(run)
      await run.step('one', async (leaf) => {
        await reserve(leaf)
        aside.push(await asideOf(run))
        leaf.bill(aBill)
      })
      aside.push(await asideOf(run))
    })
    expect(run.state).toBe('completed')
    expect(aside).toEqual([1, 0])
    expect(reply.metadata.usage).toMatchObject({ calls: 1, amount: expect.closeTo(13e-6, 9) })
  })

  it('is released immediately when the step fails or makes no call', async () => {
    const aside: number[] = []
    await play(app, async (run) => {
      await topUp(run)
      const failing = run.step('one', async (leaf) => {
        await reserve(leaf)
        throw new Error('It fails.')
      })
      await failing.catch(async () => void aside.push(await asideOf(run)))
      await run.step('two', async (leaf) => {
        await reserve(leaf)
        aside.push(await asideOf(run))
        await leaf.giveBack()
        aside.push(await asideOf(run))
      })
    })
    expect(aside).toEqual([0, 1, 0])
  })

  it('stays in place when the user stops the run, until its end books the partial usage', async () => {
    const aside: number[] = []
    let context: RunContext | null = null
    const { run } = await play(app, async (run, end) => {
      context = run
      await topUp(run)
      const stopped = run.step('one', async (leaf) => {
        await reserve(leaf)
        leaf.bill(aBill)
        end('stop')
        leaf.signal.throwIfAborted()
      })
      await stopped.catch(async (error) => {
        aside.push(await asideOf(run))
        throw error
      })
    })
    expect(run.state).toBe('stopped')
    aside.push(await asideOf(context!))
    expect(aside).toEqual([1, 0])
    const entries = await app.deps.db
      .selectFrom('ledger_entries')
      .select(['kind', 'step_key'])
      .where('run_id', '=', run.id)
      .execute()
    expect(entries).toEqual([{ kind: 'usage', step_key: 'one' }])
  })

  it('is refused when the balance is empty, and the run pauses', async () => {
    const { run, keys } = await play(app, async (run) => {
      await run.step('one', reserve)
    })
    expect(run).toMatchObject({ state: 'paused', paused_for: 'balance' })
    expect(keys).toEqual(['input:input', 'checkpoint:unpaid:one', 'pause:1'])
  })
})

describe('a top-up', () => {
  it("resumes runs even when another run's journal is unreadable", async () => {
    const engine = anAgent(app, async (run) => {
      await run.step('one', reserve)
      await say(run, 'two', 'Two.')
    })
    const [broken, whole] = [await aRun(app, engine), await aRun(app, engine)]
    for (const { id, input } of [broken, whole]) {
      expect((await rested(app, engine, id)).run.state).toBe('paused')
      await topUp({ input } as RunContext)
    }
    await app.deps.db.deleteFrom('run_records').where('run_id', '=', broken.id).execute()
    const stop = watchUnpaid(engine)
    // Well before the next poll.
    const stateOf = async () => (await readRun(app, whole.id)).run.state
    await expect.poll(stateOf, patiently).toBe('completed')
    stop()
    expect((await readRun(app, whole.id)).keys).toContain('resume:2')
  })
})

describe('losing access during a run ends it at its next model call', () => {
  const id = randomUUID()
  const work: Work = async (run) => {
    await topUp(run)
    await say(run, 'before', 'Before. ')
    await run.step('one', reserve)
    await say(run, 'after', 'After.')
  }
  const visitor = { id, key_id: id, assistant_id: id }
  const cases: [
    name: string,
    Parameters<typeof closeToAll>[1],
    string,
    NonNullable<Parameters<typeof play>[2]>,
  ][] = [
    ['its assistant', 'assistant', id, { assistant: { id, name: 'Helper' } }],
    ['deep research', 'feature', 'deep_research', { agent_type: 'deep_research' }],
    ['embedded assistants, for a visitor', 'feature', 'embeds', { visitor }],
    ['keys, for a program', 'feature', 'api_keys', { key_id: id }],
  ]
  const run = async (more: NonNullable<Parameters<typeof play>[2]>) => {
    const engine = anAgent(app, work)
    engine.agents.deep_research = engine.agents.multi_turn
    const { id } = await aRun(app, engine, 60, more)
    return rested(app, engine, id)
  }

  it.each(cases)('%s', async (_, kind, thing, more) => {
    await closeToAll(app, kind, thing)
    try {
      const closed = await run(more)
      expect(closed.run).toMatchObject({ state: 'failed', error: { code: 'not_granted' } })
      expect(closed.reply.content).toBe('Before. ')
      expect((await run({})).reply).toMatchObject({ content: 'Before. After.', status: 'completed' })
    } finally {
      await openToAll(app, kind, thing)
    }
  })

  it('never requires feature access from a visitor', async () => {
    await closeToAll(app, 'feature', 'api_keys')
    const { run: over } = await run({ visitor, key_id: id })
    await openToAll(app, 'feature', 'api_keys')
    // It fails only at its budget, which is unknown here.
    expect(over.error).toMatchObject({ code: 'budget_used_up' })
  })
})

describe('a run reads data', () => {
  it('with the current rights of its user or its visitor', async () => {
    const user = await aUser(app, { role: 'member' })
    const session_id = randomUUID()
    expect(await readPerson(app.deps, { session_id, user_id: user.id })).toMatchObject({
      ...{ kind: 'user', id: user.id, username: user.username },
    })
    const visitor = { id: randomUUID(), key_id: randomUUID(), assistant_id: randomUUID() }
    expect(await readPerson(app.deps, { session_id, user_id: user.id, visitor })).toMatchObject({
      ...{ kind: 'visitor', id: user.id, visitor },
    })
  })
})
