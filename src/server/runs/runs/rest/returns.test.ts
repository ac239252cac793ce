import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { aGate } from '#tests/chat.ts'
import { anAgent, aRun, play, readRun, readTold, rested, someUsage, type Work } from '#tests/runs.ts'
import type { RunContext } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'
import { executionId, goOn, loadRecords, loadRested, startFork } from '../runs.ts'
import { findRun, type RunRow } from '../store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const ran: string[] = []
/** Three lines with a checkpoint before each. */
const lines: Work = async (run) => {
  for (const at of [1, 2, 3]) {
    await run.checkpoint(`before${at}`)
    await run.step(`line${at}`, async (leaf) => {
      ran.push(`line${at}`)
      leaf.emit({ event: 'response_chunk', content: `Line ${at}. ` })
      leaf.bill({ model_name: 'atrium/offline', reason: 'reply', usage: someUsage })
    })
  }
}

type Origin = Awaited<ReturnType<typeof play>>
/** Starts a run that continues from a checkpoint of another one. */
async function returnTo({ engine, run, reply, keys }: Origin, name: string, replaces?: RunRow) {
  const place = { runId: run.id, position: keys.indexOf(`checkpoint:${name}`), id: `id of ${name}`, name }
  const begun = await startFork(engine, run.session_id!, {
    ...{ place, messageId: reply.id },
    ...(replaces && { replaces }),
  })
  return { engine, ...(await rested(app, engine, begun.id)) }
}

const ledgerOf = async (runId: string) =>
  (
    await app.deps.db
      .selectFrom('ledger_entries')
      .select('step_key')
      .where('run_id', '=', runId)
      .orderBy('step_key')
      .execute()
  ).map(({ step_key }) => step_key)

describe('returning to a checkpoint', () => {
  it('creates an alternative reply without repeating or charging earlier steps', async () => {
    const assistant = { id: 'helper', name: 'Helper' }
    const origin = await play(app, lines, { assistant })
    ran.length = 0
    const fork = await returnTo(origin, 'before2')
    expect(ran).toEqual(['line2', 'line3'])
    expect(await ledgerOf(fork.run.id)).toEqual(['line2', 'line3'])
    expect(fork.reply).toMatchObject({ content: 'Line 1. Line 2. Line 3. ', status: 'completed' })
    expect(fork.reply.parent_id).toBe(origin.reply.parent_id)
    expect(fork.reply.metadata).toMatchObject({
      checkpoint: { id: 'id of before2', checkpoint_name: 'before2', message_id: origin.reply.id },
      usage: { calls: 2 },
    })
    expect(fork.session).toMatchObject({ active_leaf: fork.reply.id, status: 'COMPLETED', epoch: 2 })
    expect(fork.run).toMatchObject({ forked_from_run: origin.run.id, forked_from_position: 3, attempt: 1 })
    // It stores only its own records, after the position it continues from.
    expect(fork.keys).toEqual(['input:input', 'step:line2', 'checkpoint:before3', 'step:line3', 'end:end'])
    expect(fork.records.map(({ position }) => position)).toEqual([0, 4, 5, 6, 7])
    expect(fork.records[0]?.value).toMatchObject({
      value: { message_id: fork.reply.id, returned_to: 'before2' },
      events: [
        { event: 'agent_processing_started', run_id: fork.run.id, message_id: fork.reply.id },
        { event: 'checkpoint_navigation', checkpoint_name: 'before2', message_id: origin.reply.id },
      ],
    })
    const told = await readTold(app, fork.engine, fork.run.id)
    expect(told.slice(0, 3)).toMatchObject([
      {
        event: 'task_stream_init',
        view: { content: 'Line 1. ', message_id: fork.reply.id, status: 'streaming', assistant },
      },
      { event: 'agent_processing_started' },
      { event: 'checkpoint_navigation' },
    ])
    const first = await readRun(app, origin.run.id)
    expect([first.reply, first.keys]).toEqual([origin.reply, origin.keys])
  })

  it('works from a reply that was itself created by a return', async () => {
    const fork = await returnTo(await play(app, lines), 'before2')
    ran.length = 0
    const position = fork.records[fork.keys.indexOf('checkpoint:before3')]!.position
    const place = { runId: fork.run.id, position, id: 'x', name: 'before3' }
    const { id } = await startFork(fork.engine, fork.session.id, { place, messageId: fork.reply.id })
    const last = await rested(app, fork.engine, id)
    expect(ran).toEqual(['line3'])
    expect(last.reply.content).toBe('Line 1. Line 2. Line 3. ')
    const whole = await loadRecords(app.deps.db, id)
    expect(whole.map(({ kind, key }) => `${kind}:${key}`)).toEqual([
      ...['input:input', 'checkpoint:before1', 'step:line1', 'checkpoint:before2', 'step:line2'],
      ...['checkpoint:before3', 'step:line3', 'end:end'],
    ])
    expect(whole[0]?.value).toMatchObject({
      message_id: last.reply.id,
      returned_to: 'before3',
      user_id: last.run.user_id,
    })
  })

  it('is refused while the session is busy, and changes nothing', async () => {
    const gate = aGate()
    let isFirst = true
    const origin = await play(app, async (run, end) => {
      if (!isFirst) await run.step('slow', () => gate.opened)
      isFirst = false
      await lines(run, end)
    })
    const begun = await startFork(origin.engine, origin.session.id, {
      place: { runId: origin.run.id, position: 1, id: 'x', name: 'before1' },
      messageId: origin.reply.id,
    })
    const refused = returnTo(origin, 'before2')
    await expect(refused).rejects.toMatchObject({
      ...{ code: 'session_busy', detail: 'The current session is already processing a request.' },
    })
    gate.open()
    const { session } = await rested(app, origin.engine, begun.id)
    expect(session).toMatchObject({ active_leaf: begun.input.message_id, epoch: 2 })
    expect(origin.engine.claiming.size).toBe(0)
  })

  it('reports an error when the journal is unreadable', async () => {
    const origin = await play(app, lines)
    await app.deps.db.deleteFrom('run_records').where('run_id', '=', origin.run.id).execute()
    await expect(returnTo(origin, 'before2')).rejects.toMatchObject({
      ...{ code: 'broken', detail: 'The journal of this run has no beginning.' },
    })
    expect((await readRun(app, origin.run.id)).session).toMatchObject({
      active_leaf: origin.reply.id,
      epoch: 1,
    })
  })

  it('repeats a call without a result under a new id', async () => {
    const call = randomUUID()
    const { db } = app.deps
    const calls: string[] = []
    const announce = (run: RunContext) =>
      run.step('calls', async (leaf) => {
        const { user_id, session_id } = run.input
        const row = {
          id: call,
          run_id: run.id,
          user_id,
          session_id,
          tool_id: 'calculator',
          status: 'pending',
        }
        leaf.together(async (trx) => {
          await trx
            .insertInto('tool_executions')
            .values({ ...row, input: '{"a":1}' })
            .execute()
        })
        const of = {
          tool_execution_id: call,
          tool_id: 'calculator',
          tool_name: 'Calculator',
          type: 'calculator',
        }
        leaf.emit({ event: 'tool_update', ...of, data: { status: 'pending' } })
        return { call }
      })
    const origin = await play(app, async (run) => {
      calls.push((await announce(run)).call)
      await run.checkpoint('before1')
    })
    const fork = await returnTo(origin, 'before1')
    const again = executionId(fork.run.id, call)
    expect(calls).toEqual([call, again])
    expect(fork.reply.blocks.flatMap((block) => (block.type === 'tool' ? [block.id] : []))).toEqual([again])
    const rows = await db
      .selectFrom('tool_executions')
      .select(['id', 'run_id', 'user_id', 'session_id', 'tool_id', 'input', 'status'])
      .where('session_id', '=', fork.session.id)
      .orderBy('created_at')
      .execute()
    const { user_id, session_id } = fork.run
    const made = { user_id, session_id, tool_id: 'calculator', input: { a: 1 } }
    expect(rows).toEqual([
      // That run is over without a result for its call.
      { id: call, run_id: origin.run.id, ...made, status: 'error' },
      { id: again, run_id: fork.run.id, ...made, status: 'error' },
    ])
  })
})

describe('returning from a paused run', () => {
  /** Returns a run paused at its second checkpoint. */
  async function aPaused(): Promise<Origin> {
    const paused = new Set<string>()
    const engine: Engine = anAgent(app, async (run, end) => {
      const live = engine.live.get(run.id)!
      const checkpoint: RunContext['checkpoint'] = (name) => {
        live.pauseRequested = name === 'before2' && paused.size === 0
        if (live.pauseRequested) paused.add(run.id)
        return run.checkpoint(name)
      }
      await lines({ ...run, checkpoint }, end)
    })
    const { id } = await aRun(app, engine)
    return { engine, ...(await rested(app, engine, id)) }
  }

  it('ends it with its partial text and replaces it with the new run', async () => {
    const paused = await aPaused()
    expect(paused.run.state).toBe('paused')
    const { user_id, session_id, id } = paused.run
    const open = { id: randomUUID(), tool_id: 'calculator', status: 'pending' }
    const { db } = app.deps
    await db
      .insertInto('tool_executions')
      .values({ ...open, run_id: id, user_id, session_id })
      .execute()
    ran.length = 0
    const fork = await returnTo(paused, 'before1', (await findRun(app.deps.db, id))!)
    expect(ran).toEqual(['line1', 'line2', 'line3'])
    expect(fork.reply).toMatchObject({ content: 'Line 1. Line 2. Line 3. ', status: 'completed' })
    expect(fork.session).toMatchObject({ active_leaf: fork.reply.id, status: 'COMPLETED' })
    const { run, reply, keys, records } = await readRun(app, id)
    expect(run).toMatchObject({
      state: 'stopped',
      owner: null,
      finished_at: expect.any(Date),
      paused_for: null,
    })
    expect(keys.slice(-2)).toEqual(['pause:1', 'end:end'])
    expect(records.at(-1)?.value).toMatchObject({
      value: 'stopped',
      events: [
        {
          ...{ event: 'agent_processing_complete', stopped: true, message_id: reply.id },
          ...{ run_id: id, step_key: null, attempt: 1, timestamp: expect.stringMatching(/^20.*Z$/) },
        },
      ],
    })
    expect(reply).toMatchObject({ content: 'Line 1. ', status: 'completed', metadata: { stopped: true } })
    expect(reply.blocks.map(({ type }) => type)).not.toContain('paused')
    const made = await db.selectFrom('tool_executions').selectAll().where('id', '=', open.id).execute()
    expect(made).toMatchObject([{ status: 'error', finished_at: expect.any(Date) }])
    // A later read finds how it ended.
    const rest = await loadRested(db, paused.session.id, reply.id)
    expect(rest).toMatchObject({
      view: { status: 'completed', stopped: true },
      last: { event: 'agent_processing_complete' },
    })
    expect(rest?.view).not.toHaveProperty('assistant')
    // A reply is found only in its own chat.
    const elsewhere = await play(app, lines)
    expect(await loadRested(db, elsewhere.session.id, reply.id)).toBeNull()
    expect(await loadRested(db, randomUUID())).toBeNull()
    // A message without a run, as in an imported chat, stays as it is.
    const { id: brought } = await aSession(app, await aUser(app), { turns: 1 })
    expect(await loadRested(db, brought)).toBeNull()
  })

  it('leaves its end alone when it was resumed meanwhile', async () => {
    const paused = await aPaused()
    const row = (await findRun(app.deps.db, paused.run.id))!
    await goOn(paused.engine, row)
    const over = await rested(app, paused.engine, row.id)
    expect(over).toMatchObject({
      run: { state: 'completed' },
      reply: { content: 'Line 1. Line 2. Line 3. ' },
    })
    const { id } = (await returnTo({ engine: paused.engine, ...over }, 'before3', row)).run
    // The pause itself is not inherited.
    const read = (await loadRecords(app.deps.db, id)).map(({ kind, key }) => `${kind}:${key}`)
    expect(read).toEqual([
      ...['input:input', 'checkpoint:before1', 'step:line1', 'checkpoint:before2', 'step:line2'],
      ...['checkpoint:before3', 'step:line3', 'end:end'],
    ])
    expect(await readRun(app, row.id)).toMatchObject({ run: over.run, reply: over.reply, keys: over.keys })
  })
})
