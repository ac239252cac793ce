import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { resume } from '#tests/replays.ts'
import { atRest, readRun } from '#tests/runs.ts'
import { aStepsAgent, scriptAgent } from '#tests/steps-agent.ts'
import { toJson } from '../../platform/db/db.ts'
import type { RunContext } from '../../runs/runs/context/run-context.ts'
import { executionId } from '../../runs/runs/execution-id.ts'
import { executeTool } from '../../tools/tools/tools.ts'

const steps = aStepsAgent(4)
let chat: Chat
beforeAll(async () => {
  const now = new Date()
  chat = await startChat({ app: { clock: { now: () => now } } })
  scriptAgent(chat.app, steps)
})
afterAll(() => chat.close())

const engine = () => chat.app.deps.engine

async function ask() {
  const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
  return { sessionId, stream: await chat.ask(sessionId, 'Go') }
}

/** Returns a run that was paused after its first step and resumed. */
async function aResumedRun() {
  let pause = true
  steps.before = async (run) => {
    if (!pause) return
    pause = false
    await chat.call('POST', `/sessions/${run.input.session_id}/pause`)
    await vi.waitFor(() => expect(engine().live.get(run.id)?.pauseRequested).toBe(true), 10_000)
  }
  const { sessionId, stream } = await ask()
  await stream.ended
  const runId = stream.view()!.run_id
  await chat.call('POST', `/sessions/${sessionId}/resume`)
  await atRest(engine(), runId)
  return { sessionId, runId }
}

async function aFork(sessionId: string, messageId: string, checkpoint_name: string) {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers },
    body: { checkpoint_name, message_id: messageId },
  })
  await stream.ended
  return stream.view()!
}

type Whole = Awaited<ReturnType<typeof readRun>>

/** Restores the database to a crash after the first `kept` records of a run. */
async function goBack({ run, records }: Whole, kept: number) {
  const { db } = chat.app.deps
  const first = records.slice(0, kept)
  await db.deleteFrom('run_records').where('run_id', '=', run.id).execute()
  await db
    .insertInto('run_records')
    .values(first.map(({ value, ...record }) => ({ ...record, value: toJson(value) })))
    .execute()
  const keys = first.map(({ key }) => key)
  await db
    .deleteFrom('ledger_entries')
    .where('run_id', '=', run.id)
    .where('step_key', 'not in', keys)
    .execute()
  const attempt = first.at(-1)?.attempt
  // A pause commits together with the state of the run.
  const state = first.at(-1)?.kind === 'pause' ? 'paused' : 'running'
  await db
    .updateTable('messages')
    .set({ content: '', blocks: '[]', status: 'streaming' })
    .where('id', '=', run.message_id)
    .execute()
  const paused_for = state === 'paused' ? ('request' as const) : null
  await db
    .updateTable('runs')
    .set({ state, paused_for, owner: null, attempt })
    .where('id', '=', run.id)
    .execute()
}

async function replayEverywhere(runId: string) {
  const whole = await readRun(chat.app, runId)
  for (let kept = 1; kept < whole.records.length; kept++) {
    await goBack(whole, kept)
    const { run, reply, keys } = await resume(chat, runId)
    expect(run.state, `kept ${kept}`).toBe('completed')
    expect(reply.content, `kept ${kept}`).toBe(whole.reply.content)
    expect(reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
    expect(keys.filter((key) => !/^(pause|resume):/.test(key))).toEqual(
      whole.keys.filter((key) => !/^(pause|resume):/.test(key)),
    )
  }
}

describe('a replay', () => {
  it('produces the same message from every crash position of a paused and resumed run [R-13, CK-22]', async () => {
    const { runId } = await aResumedRun()
    expect((await readRun(chat.app, runId)).keys).toContain('resume:2')
    await replayEverywhere(runId)
  }, 30_000)

  it('produces the same message from every crash position of a returned run [R-13, CK-03]', async () => {
    const { sessionId, stream } = await ask()
    await stream.ended
    const fork = await aFork(sessionId, stream.view()!.message_id, 'after_step1')
    await replayEverywhere(fork.run_id)
  }, 30_000)
})

describe('a journal', () => {
  it('grows only with the work done: a checkpoint is one small record, however long the run [CK-01]', async () => {
    const sizeOf = async (count: number) => {
      const { engine } = chat.app.deps
      engine.agents.plan_and_act = aStepsAgent(count).agent
      const { stream } = await ask()
      await stream.ended
      engine.agents.plan_and_act = steps.agent
      const { records } = await readRun(chat.app, stream.view()!.run_id)
      const checkpoints = records.filter(({ kind }) => kind === 'checkpoint')
      const bytes = (rows: typeof records) =>
        rows.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0)
      return { rows: records.length, bytes: bytes(checkpoints) / checkpoints.length }
    }
    const [short, long] = [await sizeOf(5), await sizeOf(50)]
    expect(short.rows).toBe(3 * 5 + 2)
    expect(long.rows).toBe(3 * 50 + 2)
    expect(long.bytes).toBeLessThan(short.bytes + 10)
  })
})

describe('an announced call without a result', () => {
  it('is repeated by a branch, and the original stays unchanged [CK-03, R-13]', async () => {
    const { engine, tools } = chat.app.deps
    engine.agents.plan_and_act = {
      version: 1,
      run: async (run: RunContext) => {
        const call = await run.step('model', async (leaf) => {
          const execution_id = executionId(run.id, 'model/c1')
          const input = '{"a":6,"b":7,"operation":"multiply"}'
          const { user_id, session_id } = run.input
          const row = { id: execution_id, run_id: run.id, user_id, session_id, tool_id: 'calculator' }
          leaf.together(async (trx) => {
            const values = { ...row, input: toJson(input), status: 'pending' }
            await trx.insertInto('tool_executions').values(values).execute()
          })
          const said = { tool_id: 'calculator', tool_name: 'Calculator', type: 'calculator' }
          leaf.afterwards({
            ...{ event: 'tool_update', tool_execution_id: execution_id, ...said },
            data: { status: 'pending' },
          })
          return { id: 'c1', key: 'model/c1', tool_id: 'calculator', input, execution_id }
        })
        await run.checkpoint('between')
        await executeTool({ ...chat.app.deps, tools }, run, call)
      },
    }
    const { sessionId, stream } = await ask()
    await stream.ended
    const first = stream.view()!
    const executions = () =>
      chat.app.deps.db
        .selectFrom('tool_executions')
        .selectAll()
        .where('session_id', '=', sessionId)
        .orderBy('created_at')
        .execute()
    const before = await executions()
    const fork = await aFork(sessionId, first.message_id, 'between')
    engine.agents.plan_and_act = steps.agent
    const after = await executions()
    expect(after.slice(0, 1)).toEqual(before)
    expect(after[1]).toMatchObject({ run_id: fork.run_id, status: 'complete', result: { result: 42 } })
    const cards = [first, fork].map(({ blocks }) => blocks.filter(({ type }) => type === 'tool'))
    expect(cards[0]).toMatchObject([{ id: before[0]?.id, status: 'complete' }])
    expect(cards[1]).toMatchObject([{ id: after[1]?.id, status: 'complete' }])
  })
})
