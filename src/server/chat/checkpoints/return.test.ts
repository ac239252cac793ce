import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { anAnsweredPlan, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { atRest, readRun } from '#tests/runs.ts'
import { aStepsAgent, scriptAgent } from '#tests/steps-agent.ts'
import { endRun } from '../../runs/runs/context/live-run.ts'

const STEPS = 10
const steps = aStepsAgent(STEPS)

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  scriptAgent(chat.app, steps)
})
afterAll(() => chat.close())

const listOf = async (sessionId: string): Promise<Checkpoint[]> =>
  (await chat.call('GET', `/sessions/${sessionId}/checkpoints?limit=1000`)).body

async function returnTo(sessionId: string, messageId: string, { id, checkpoint_name }: Checkpoint) {
  return openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers },
    body: { checkpoint_name, message_id: messageId, checkpoint_hint: id },
  })
}

/** Returns all rows of a session as text, without those a return may add. */
async function rowsOf(sessionId: string, runIds: string[]) {
  const { db } = chat.app.deps
  return JSON.stringify({
    messages: await db
      .selectFrom('messages')
      .selectAll()
      .where('session_id', '=', sessionId)
      .orderBy('id')
      .execute(),
    runs: await db.selectFrom('runs').selectAll().where('id', 'in', runIds).orderBy('id').execute(),
    records: await db
      .selectFrom('run_records')
      .selectAll()
      .where('run_id', 'in', runIds)
      .orderBy('run_id')
      .orderBy('position')
      .execute(),
    ledger: await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('run_id', 'in', runIds)
      .orderBy('id')
      .execute(),
  })
}

describe('returning to a checkpoint', () => {
  it('creates a branch from each of 20 checkpoints and changes nothing earlier [CK-03, SV-28]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const before = await rowsOf(sessionId, [runId])
    const whole = await readRun(chat.app, runId)
    const list = await listOf(sessionId)
    expect(list).toHaveLength(2 * STEPS)
    const replies = [messageId]
    for (const [at, checkpoint] of list.entries()) {
      const stream = await returnTo(sessionId, messageId, checkpoint)
      await stream.ended
      const view = stream.view()!
      const done = Math.ceil(at / 2)
      const lines = view.content.trim().split('\n')
      const [old, own] = [runId.slice(0, 4), view.run_id.slice(0, 4)]
      expect(lines).toEqual(
        Array.from({ length: STEPS }, (_, step) => `Part ${step + 1} of ${step < done ? old : own}.`),
      )
      const run = await readRun(chat.app, view.run_id)
      // Nothing is copied: the new journal contains record 0 and its own steps.
      expect(run.records[0]?.value).toMatchObject({ value: { message_id: view.message_id } })
      expect(run.keys.filter((key) => key.startsWith('step:'))).toHaveLength(STEPS - done)
      expect(run.run).toMatchObject({ state: 'completed', forked_from_run: runId })
      expect(run.reply).toMatchObject({
        ...{ parent_id: whole.reply.parent_id, content: view.content, status: 'completed' },
        metadata: { checkpoint: { id: checkpoint.id, message_id: messageId } },
      })
      expect(run.session.active_leaf).toBe(view.message_id)
      replies.push(view.message_id)
    }
    const { db } = chat.app.deps
    const siblings = await db
      .selectFrom('messages')
      .select('id')
      .where('parent_id', '=', whole.reply.parent_id)
      .execute()
    expect(siblings.map(({ id }) => id).sort()).toEqual([...replies].sort())
    const all = JSON.parse(await rowsOf(sessionId, [runId]))
    const kept = all.messages.filter(({ id, role }: { id: string; role: string }) => {
      return role === 'user' || id === messageId
    })
    expect(JSON.stringify({ ...all, messages: kept })).toBe(before)
    // Inherited steps were neither repeated nor charged again.
    const bills = await db
      .selectFrom('ledger_entries')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    const ran = [...steps.ran.values()].reduce((sum, count) => sum + count, 0)
    expect(Number(bills.count)).toBe(ran)
  }, 60_000)

  it('starts the stream with the inherited view and names the checkpoint [ST-16, CK-03]', async () => {
    const { sessionId, messageId } = await anAnsweredPlan(chat)
    const list = await listOf(sessionId)
    const stream = await returnTo(sessionId, messageId, list[3]!)
    await stream.ended
    expect(stream.wire.map(({ event }) => event)).toContain('checkpoint_navigation')
    expect(stream.events[0]?.event).toMatchObject({
      event: 'task_stream_init',
      view: { status: 'streaming', content: expect.stringMatching(/^Part 1 .*\nPart 2 .*\n$/) },
    })
    const again = await chat.follow(`/sessions/${sessionId}/task-stream?include_chunks=true`)
    await again.ended
    expect(again.view()).toEqual(stream.view())
  })

  it('reads through both origins of a return from a return, and survives a kill [CK-03]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const first = await returnTo(sessionId, messageId, (await listOf(sessionId))[5]!)
    await first.ended
    const middle = first.view()!
    // One checkpoint of the first return itself, and one it inherited.
    const own = (await listOf(sessionId)).find(
      ({ run_id, checkpoint_name }) => run_id === middle.run_id && checkpoint_name === 'after_step6',
    )!
    const { engine } = chat.app.deps
    let kills = 0
    steps.before = (run, step) => {
      if (run.id === runId || run.id === middle.run_id || step < 8 || kills > 1) return
      kills += 1
      endRun(engine.live.get(run.id)!, 'lost')
    }
    const second = await returnTo(sessionId, middle.message_id, own)
    await second.ended
    steps.before = () => undefined
    const { run_id, content, blocks } = second.view()!
    expect(kills).toBe(2)
    const [a, b, c] = [runId, middle.run_id, run_id].map((id) => id.slice(0, 4))
    const by = [a, a, a, b, b, b, b, c, c, c]
    expect(content).toBe(by.map((name, at) => `Part ${at + 1} of ${name}.\n`).join(''))
    const stored = await readRun(chat.app, run_id)
    expect(stored.run).toMatchObject({ forked_from_run: middle.run_id, attempt: 3, state: 'completed' })
    expect(stored.reply).toMatchObject({ content, blocks })

    const inherited = (await listOf(sessionId)).find(
      ({ run_id, checkpoint_name }) => run_id === runId && checkpoint_name === 'after_step1',
    )!
    const third = await returnTo(sessionId, stored.reply.id, inherited)
    await third.ended
    const last = await readRun(chat.app, third.view()!.run_id)
    expect(last.run).toMatchObject({ forked_from_run: runId })
    expect(last.reply.parent_id).toBe(stored.reply.parent_id)
    await atRest(engine, last.run.id)
  })

  it('is refused while a run is active [CK-03]', async () => {
    const { sessionId, messageId } = await anAnsweredPlan(chat)
    const list = await listOf(sessionId)
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    steps.before = () => held
    const stream = await chat.ask(sessionId, 'More')
    await stream.until('agent_step_started')
    const { id, checkpoint_name } = list[0]!
    const refused = await chat.call('POST', `/sessions/${sessionId}/navigate-to-checkpoint`, {
      ...{ checkpoint_name, message_id: messageId, checkpoint_hint: id },
    })
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: 'The current session is already processing a request.' },
    })
    steps.before = () => undefined
    go()
    await stream.ended
  })

  it('reports missing parameters and unknown checkpoints [CK-04, CK-05]', async () => {
    const { sessionId, messageId } = await anAnsweredPlan(chat)
    const path = `/sessions/${sessionId}/navigate-to-checkpoint`
    const missing = 'Cannot navigate to checkpoint: Missing required information'
    for (const body of [undefined, {}, { checkpoint_name: 'step1' }, { message_id: messageId }]) {
      expect(await chat.call('POST', path, body)).toMatchObject({ status: 422, body: { detail: missing } })
    }
    const unknown = 'Target message for checkpoint navigation not found'
    const { messages } = JSON.parse(await rowsOf(sessionId, [crypto.randomUUID()]))
    const question = messages.find(({ role }: { role: string }) => role === 'user')
    for (const message_id of [
      crypto.randomUUID(),
      'nonsense',
      question.id,
      `x${messageId}`,
      `${messageId}x`,
    ]) {
      expect(await chat.call('POST', path, { checkpoint_name: 'step1', message_id })).toMatchObject({
        ...{ status: 404, body: { detail: unknown } },
      })
    }
    const elsewhere = { checkpoint_name: 'nowhere', message_id: messageId }
    expect(await chat.call('POST', path, elsewhere)).toMatchObject({
      ...{ status: 404, body: { detail: 'Checkpoint not found' } },
    })
  })
})
