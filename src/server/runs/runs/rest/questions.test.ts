import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { aGate } from '#tests/chat.ts'
import {
  anAgent,
  anEngine,
  aRun,
  lookAfter,
  patiently,
  play,
  readRun,
  readTold,
  rested,
} from '#tests/runs.ts'
import type { Question, RunContext } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'
import { giveAnswer, loadRecords, loadRested, resumeRun, stopRun } from '../runs.ts'
import { expireRequests } from './give-answer.ts'

let app: TestApp
let ahead = 0
beforeAll(async () => {
  app = await startApp({ features: [], clock: { now: () => new Date(Date.now() + ahead) } })
})
afterEach(() => {
  ahead = 0
})
afterAll(() => app.close())

const which: Question = { prompt: 'Which one?', input_types: ['text'] }
/** Asks a question and reports the answer. */
const asks =
  (question: Partial<Question> = {}) =>
  async (run: RunContext) => {
    const answer = await run.ask('which', { ...which, ...question })
    await say(run, 'after', `It heard ${answer.input}. `)
  }
/** Asks two concurrent questions. `before` runs before each answer is reported. */
const asksTwo =
  (before: (scope: string) => unknown = () => undefined) =>
  (run: RunContext) =>
    Promise.all(
      ['a', 'b'].map((name) =>
        run.scope(name, async (scope) => {
          const { input } = await scope.ask('which', { ...which, prompt: `Which ${name}?` })
          await scope.step('work', async () => void (await before(name)))
          await say(scope, 'after', `${name} heard ${input}. `)
        }),
      ),
    )

const answer = (engine: Engine, run_id: string, input: string, key = 'which') =>
  giveAnswer(engine, { run_id, key }, { input, input_type: 'text' })
/** Returns a run that processes the first answer, behind a gate, while its second question is open. */
async function worksOnOne() {
  const gate = aGate()
  const { engine, run } = await play(
    app,
    asksTwo((name) => (name === 'a' ? gate.opened : undefined)),
  )
  await answer(engine, run.id, 'blue', 'a/which')
  await expect.poll(() => engine.live.get(run.id)?.steps.has('a/work'), patiently).toBe(true)
  return { gate, engine, run }
}
const requestsOf = (runId: string) =>
  app.deps.db.selectFrom('input_requests').selectAll().where('run_id', '=', runId).orderBy('key').execute()
const asked = async (runId: string) =>
  (await loadRecords(app.deps.db, runId)).filter(({ kind }) => kind === 'ask').map(({ events }) => events)

describe('two concurrent questions', () => {
  it('are both sent before the stream closes, and the session shows one that is still open', async () => {
    const { engine, run, session, reply } = await play(app, asksTwo())
    const { id } = run
    expect(await asked(id)).toMatchObject([
      [{ event: 'input_required', prompt: 'Which a?', more: true }],
      [{ event: 'input_required', prompt: 'Which b?' }],
    ])
    expect((await asked(id))[1]?.[0]).not.toHaveProperty('more')
    expect(session.pending_input).toMatchObject({ prompt: 'Which a?' })
    expect(reply.blocks.filter(({ type }) => type === 'input_required')).toHaveLength(2)
    expect(await loadRested(app.deps.db, session.id)).toMatchObject({
      ...{ view: { status: 'waiting' }, last: { event: 'input_required', prompt: 'Which b?' } },
    })
    const before = await requestsOf(id)
    expect(before.map(({ key, state }) => [key, state])).toEqual([
      ['a/which', 'waiting'],
      ['b/which', 'waiting'],
    ])
    await answer(engine, id, 'blue', 'a/which')
    const half = await rested(app, engine, id)
    expect(half.run).toMatchObject({ state: 'waiting', owner: null, attempt: 2 })
    expect(half.session).toMatchObject({ status: 'active', agent_status: 'paused' })
    expect(half.session.pending_input).toMatchObject({ prompt: 'Which b?' })
    expect(half.reply.content).toBe('a heard blue. ')
    expect(
      half.reply.blocks.flatMap((block) => (block.type === 'input_required' ? [block.state] : [])),
    ).toEqual(['provided', 'waiting'])
    // The existing question keeps its record.
    expect(half.keys.filter((key) => key.startsWith('ask:'))).toEqual(['ask:a/which', 'ask:b/which'])
    expect((await requestsOf(id))[1]).toEqual(before[1])
    const told = await readTold(app, engine, id)
    expect(told.at(-1)).toEqual({ ...(await asked(id))[1]?.[0], more: false })
    await answer(engine, id, 'red', 'b/which')
    const { reply: whole, session: free } = await rested(app, engine, id)
    expect(whole).toMatchObject({ content: 'a heard blue. b heard red. ', status: 'completed' })
    expect(free).toMatchObject({ status: 'COMPLETED', pending_input: null })
  })

  it('accept one answer while the run processes the other', async () => {
    const { gate, engine, run } = await worksOnOne()
    const { session } = await readRun(app, run.id)
    expect(session).toMatchObject({ status: 'GENERATING', agent_status: 'processing' })
    await answer(engine, run.id, 'red', 'b/which')
    const live = engine.live.get(run.id)
    await expect.poll(() => live?.publisher.view.content, patiently).toBe('b heard red. ')
    const { session: working } = await readRun(app, run.id)
    expect(working).toMatchObject({ status: 'GENERATING', pending_input: null })
    gate.open()
    expect((await rested(app, engine, run.id)).reply.content).toBe('b heard red. a heard blue. ')
  })

  it('accept an answer on another process than the one that executes the run', async () => {
    const { gate, engine, run } = await worksOnOne()
    const stop = lookAfter(engine)
    await answer(anEngine(app, asks()), run.id, 'red', 'b/which')
    const live = engine.live.get(run.id)
    await expect.poll(() => live?.publisher.view.content, patiently).toBe('b heard red. ')
    gate.open()
    const { run: over } = await rested(app, engine, run.id)
    stop()
    expect(over).toMatchObject({ state: 'completed', attempt: 2 })
  })

  it('keep a run active when the second answer arrives as it comes to rest', async () => {
    const { gate, engine, run } = await worksOnOne()
    // This process gets no notification, as if the answer arrived during its check.
    await answer(anEngine(app, asks()), run.id, 'red', 'b/which')
    gate.open()
    const { run: over, reply } = await rested(app, engine, run.id)
    expect(over).toMatchObject({ state: 'completed', attempt: 2 })
    expect(reply.content).toBe('a heard blue. b heard red. ')
  })
})

describe('the deadline of a question', () => {
  it('starts when the run comes to rest, and then its default is the answer', async () => {
    const fallback = { input: 'the usual', input_type: 'text' }
    const { engine, run, reply } = await play(app, asks({ seconds: 60, default: fallback }))
    const [request] = await requestsOf(run.id)
    expect(request!.deadline!.getTime() - request!.created_at.getTime()).toBe(60_000)
    expect(reply.blocks.at(-1)).toMatchObject({
      ...{ type: 'input_required', deadline: request!.deadline!.toISOString(), default: fallback },
    })
    ahead = 30_000
    await expireRequests(engine)
    expect((await readRun(app, run.id)).run.state).toBe('waiting')
    ahead = 60_500
    await expect(answer(engine, run.id, 'late')).rejects.toMatchObject({ code: 'deadline_passed' })
    await expireRequests(engine)
    const { reply: whole } = await rested(app, engine, run.id)
    expect(whole).toMatchObject({ content: 'It heard the usual. ', status: 'completed' })
    expect(whole.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      ...{ state: 'provided', input: 'the usual', by_default: true },
    })
    expect(await requestsOf(run.id)).toMatchObject([{ state: 'expired', answer: fallback }])
    await expect(answer(engine, run.id, 'late')).rejects.toMatchObject({ code: 'deadline_passed' })
  })

  it('ends a run without a default with an explanation', async () => {
    const deadline = new Date(Date.now() + 5_000).toISOString()
    const { engine, run, session } = await play(app, asks({ deadline }))
    expect(session.pending_input).toMatchObject({ deadline })
    const patient = await play(app, asks({ seconds: 600 }))
    const endless = await play(app, asks())
    expect((await requestsOf(endless.run.id))[0]).toMatchObject({ deadline: null })
    ahead = 5_500
    await expireRequests(engine)
    const { run: over, reply } = await rested(app, engine, run.id)
    expect(over).toMatchObject({ state: 'failed', error: { code: 'no_answer' } })
    expect(reply.blocks.find(({ type }) => type === 'error')).toMatchObject({
      error: 'No answer was given in time.',
    })
    expect((await requestsOf(run.id))[0]).toMatchObject({ state: 'expired', answer: null })
    for (const { run } of [patient, endless])
      expect((await readRun(app, run.id)).run).toMatchObject({ state: 'waiting', attempt: 1 })
  })
})

describe('an answer', () => {
  it('counts once: repeating it changes nothing, a different one is refused', async () => {
    const { engine, run } = await play(app, asks())
    const at = await answer(engine, run.id, 'blue')
    ahead = 1_000
    expect(await answer(engine, run.id, 'blue')).toEqual(at)
    await expect(answer(engine, run.id, 'red')).rejects.toMatchObject({
      ...{ code: 'already_answered', detail: 'This request has already been answered.' },
    })
    const { reply, keys } = await rested(app, engine, run.id)
    expect(reply.content).toBe('It heard blue. ')
    expect(reply.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      answered_at: at.toISOString(),
    })
    expect(keys.filter((key) => key.startsWith('answer:'))).toEqual(['answer:which'])
    const given = (await loadRecords(app.deps.db, run.id)).find(({ kind }) => kind === 'answer')
    // The record has no mark of a default answer.
    expect(given?.value).toEqual({ input: 'blue', input_type: 'text' })
    expect(given?.events[0]).not.toHaveProperty('by_default')
    expect((await requestsOf(run.id))[0]).toMatchObject({ answered_at: at })
  })

  it('resumes its run once, even if another process claims it first', async () => {
    const gate = aGate()
    const engine = anAgent(app, async (run) => {
      const { input } = await run.ask('which', which)
      await run.step('work', () => gate.opened)
      await say(run, 'after', `It heard ${input}. `)
    })
    const live = await aRun(app, engine)
    const { id } = live
    await rested(app, engine, id)
    // The process that receives the answer has not released the run yet.
    const slow: Engine = { ...engine, live: new Map([[id, live]]), claiming: new Set() }
    const given = answer(slow, id, 'blue')
    await expect.poll(async () => (await readRun(app, id)).run.state, patiently).toBe('queued')
    await resumeRun(engine, id)
    slow.live.delete(id)
    await given
    gate.open()
    const { run, reply } = await rested(app, engine, id)
    expect(run).toMatchObject({ state: 'completed', attempt: 2, silent: 0, fruitless: 0 })
    expect(reply.content).toBe('It heard blue. ')
  })

  it('commits together with its extra writes or not at all', async () => {
    const { engine, run } = await play(app, asks())
    const which = { run_id: run.id, key: 'which' }
    const given = giveAnswer(...([engine, which, { input: 'blue', input_type: 'text' }] as const), {
      also: () => Promise.reject(new Error('It cannot be kept.')),
    })
    await expect(given).rejects.toThrow('It cannot be kept.')
    expect((await readRun(app, run.id)).run).toMatchObject({ state: 'waiting', attempt: 1 })
    expect(await requestsOf(run.id)).toMatchObject([{ state: 'waiting', answer: null, answered_at: null }])
    await answer(engine, run.id, 'red')
    expect((await rested(app, engine, run.id)).reply.content).toBe('It heard red. ')
  })

  it('is refused for a stopped run and for an unknown question', async () => {
    const { engine, run } = await play(app, asks())
    const other = await play(app, asks())
    await stopRun(engine, run.id)
    const { run: over, session, reply } = await readRun(app, run.id)
    expect(over.state).toBe('stopped')
    expect(session).toMatchObject({ status: 'COMPLETED', pending_input: null })
    expect(reply.metadata).toMatchObject({ stopped: true })
    expect(await requestsOf(run.id)).toMatchObject([{ state: 'closed' }])
    await expect(answer(engine, run.id, 'blue')).rejects.toMatchObject({
      ...{ code: 'conflict', detail: 'This run no longer waits for an answer.' },
    })
    await expect(answer(engine, run.id, 'blue', 'when')).rejects.toMatchObject({ code: 'not_found' })
    expect(await requestsOf(other.run.id)).toMatchObject([{ state: 'waiting' }])
  })
})

describe('a tool that asks', () => {
  const tool = { tool_execution_id: randomUUID(), tool_id: 'mail', tool_name: 'Mail' }
  const fields = [{ name: 'to', label: 'To', type: 'text' as const, required: true }]

  it('shows the question on its card too, unless it only needs approval', async () => {
    const { run, reply, session } = await play(app, asks({ tool, fields, skippable: true }))
    const { tool_execution_id } = tool
    expect(await asked(run.id)).toMatchObject([
      [
        { event: 'tool_input_required', tool_execution_id, data: { ...which, fields } },
        { event: 'input_required', kind: 'question', tool, fields, skippable: true },
      ],
    ])
    expect(reply.blocks.at(-1)).toMatchObject({ type: 'input_required', kind: 'question', tool, fields })
    expect(session.pending_input).toMatchObject({ skippable: true })
    expect(await requestsOf(run.id)).toMatchObject([{ tool_execution_id, session_id: session.id }])
    const leave = await play(app, asks({ tool, kind: 'approval' }))
    expect(await asked(leave.run.id)).toMatchObject([[{ event: 'input_required', kind: 'approval' }]])
    const plain = await play(app, asks())
    expect((await asked(plain.run.id))[0]).toHaveLength(1)
    expect(await requestsOf(plain.run.id)).toMatchObject([{ tool_execution_id: null }])
  })
})
