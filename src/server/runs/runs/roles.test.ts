import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAnsweredPlan, type Chat, startChat } from '#tests/chat.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { type House, startHouse } from '#tests/house.ts'
import { calls, hangs, says } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'
import { readRun } from '#tests/runs.ts'
import { aStepsAgent, scriptAgent } from '#tests/steps-agent.ts'

const multiply = calls('calculator', { a: 21, b: 2, operation: 'multiply' })
const steps = aStepsAgent(3)
let house: House
let web: Chat
beforeAll(async () => {
  house = await startHouse({ workers: 2 })
  web = house.chat
  for (const app of [web.app, ...house.workers]) scriptAgent(app, steps)
})
afterAll(() => house.close())

/** Returns event names with adjacent duplicates merged, and the id of each that has one. */
function shapeOf({ wire }: OpenStream) {
  const told = wire.filter(({ event }, at) => event !== wire[at - 1]?.event && event !== 'ping')
  return { names: told.map(({ event }) => event), firstId: told.find(({ id }) => id)?.id }
}
const holdsNothing = () => expect(web.app.deps.engine.live.size).toBe(0)
const stateOf = async (runId: string) => (await readRun(web.app, runId)).run.state

describe('a web process', () => {
  it('lets a worker write replies with tools, and its readers get the same stream as in one process', async () => {
    const alone = await startChat()
    try {
      const shapes = []
      for (const chat of [alone, web]) {
        chat.model.reply([says('First. '), multiply], [says('It is 42.')])
        const stream = await chat.ask(await chat.aSession(), 'Go')
        holdsNothing()
        await stream.ended
        expect(stream.view()).toMatchObject({ content: 'First. \n\nIt is 42.', status: 'completed' })
        shapes.push(shapeOf(stream))
      }
      expect(shapes[1]).toEqual(shapes[0])
    } finally {
      await alone.close()
    }
  })

  it('counts the first attempt as the first', async () => {
    const stream = await web.ask(await web.aSession(), 'Go')
    await stream.ended
    const { run, keys } = await readRun(web.app, stream.view()?.run_id ?? '')
    expect(run).toMatchObject({ state: 'completed', attempt: 1, epoch: 1, fruitless: 0, silent: 0 })
    expect(keys.at(-1)).toBe('end:end')
  })

  it('accepts a tool approval, and a worker resumes the run', async () => {
    await web.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    web.model.reply([multiply], [says('It is 42.')])
    const id = await web.aSession()
    const stream = await web.ask(id, 'Go')
    await stream.ended
    const request = stream.view()?.blocks.find(({ type }) => type === 'input_required')
    if (request?.type !== 'input_required') throw new Error('nothing was asked')
    const path = `/tool-executions/${request.tool?.tool_execution_id}/provide-input`
    const given = await web.call('POST', path, { input: { approved: true }, input_type: 'json' })
    expect(given).toMatchObject({ status: 200 })
    const again = await web.follow(`/sessions/${id}/task-stream`)
    await again.ended
    expect(again.view()).toMatchObject({ content: 'It is 42.', status: 'completed' })
    await web.call('PUT', '/tools/calculator/policy', { policy: 'auto' })
    holdsNothing()
  })

  it('stops a run that a worker executes', async () => {
    const id = await web.aSession()
    web.model.reply([says('Half an ', 'answer'), hangs()])
    const stream = await web.ask(id, 'Go')
    await stream.until('response_chunk')
    expect((await web.call('POST', `/sessions/${id}/stop`)).status).toBe(200)
    await stream.ended
    expect(stream.view()).toMatchObject({ content: 'Half an answer', stopped: true })
  })

  it('pauses and resumes a run, and returns to a checkpoint', async () => {
    const id = await web.aSession({ metadata: { agent_type: 'plan_and_act' } })
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    steps.before = (_run, step) => (step === 1 ? opened : undefined)
    const stream = await web.ask(id, 'Go')
    await stream.until('agent_step_completed')
    expect((await web.call('POST', `/sessions/${id}/pause`)).status).toBe(200)
    await stream.until('agent_pause_requested')
    open()
    await stream.ended
    const runId = stream.view()?.run_id ?? ''
    expect(await stateOf(runId)).toBe('paused')
    expect(await web.call('POST', `/sessions/${id}/resume`, {})).toMatchObject({ status: 200 })
    const again = await web.follow(`/sessions/${id}/task-stream`)
    await again.ended
    expect(again.view()).toMatchObject({ status: 'completed' })
    const { keys } = await readRun(web.app, runId)
    expect(keys).toContain('resume:2')
    holdsNothing()
  })

  it('lets a worker write a branch from a checkpoint', async () => {
    const { sessionId, messageId, runId } = await anAnsweredPlan(web)
    const { body } = await web.call('GET', `/sessions/${sessionId}/checkpoints`)
    const { id, checkpoint_name } = body.find(
      (one: { checkpoint_name: string }) => one.checkpoint_name === 'after_step0',
    )
    const stream = await openStream(`${web.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
      ...{ method: 'POST', headers: web.user.headers },
      body: { checkpoint_name, message_id: messageId, checkpoint_hint: id },
    })
    await stream.ended
    const view = stream.view()
    const [first, ...others] = view?.content.trim().split('\n') ?? []
    expect(first).toBe(`Part 1 of ${runId.slice(0, 4)}.`)
    expect(others).toEqual([2, 3].map((part) => `Part ${part} of ${view?.run_id.slice(0, 4)}.`))
    expect(stream.wire.map(({ event }) => event)).toContain('checkpoint_navigation')
    holdsNothing()
  })

  it('lets a worker execute a tool, and readers of its session follow from the start', async () => {
    for (const app of [web.app, ...house.workers]) playTool(app, async ({ n }) => ({ doubled: n * 2 }))
    const session_id = await web.aSession()
    const events = await web.follow(`/sessions/${session_id}/events`)
    await events.until('connection_established')
    const { body } = await web.call('POST', '/tools/probe/execute', { inputs: { n: 21 }, session_id })
    const read = async () => (await web.call('GET', `/tool-executions/${body.tool_execution_id}`)).body
    await expect
      .poll(read, { timeout: 10_000 })
      .toMatchObject({ status: 'complete', result: { doubled: 42 } })
    const heard = () =>
      events.wire
        .filter(({ event }) => event === 'tool_update')
        .map(({ data }) => JSON.parse(data).data.status)
    await expect.poll(heard, { timeout: 5_000 }).toEqual(['pending', 'processing', 'complete'])
    events.leave()
    holdsNothing()
  })

  it('serves every route, while a worker serves only its health', async () => {
    const { body } = await web.call('GET', '/openapi.json')
    const paths = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase() as 'GET',
        url: path.replaceAll(/\{\w+\}/g, web.user.id),
      })),
    )
    expect(paths.length).toBeGreaterThan(50)
    const worker = house.workers[0]!
    const served = []
    for (const { method, url } of [...paths, { method: 'GET' as const, url: '/' }]) {
      const { statusCode } = await worker.http.inject({ method, url, headers: web.user.headers })
      if (statusCode !== 404) served.push([method, url, statusCode])
    }
    expect(served).toEqual([['GET', '/api/v1/health', 200]])
  })
})

describe('an installation without a worker', { timeout: 60_000 }, () => {
  it('accepts messages, reports the delay, can be stopped, and continues once a worker starts', async () => {
    const empty = await startHouse({ workers: 0 })
    const { chat } = empty
    try {
      const kept = await chat.aSession()
      const given = await chat.aSession()
      const [stream, other] = [await chat.ask(kept, 'Are you there?'), await chat.ask(given, 'And you?')]
      expect(stream.view()).toMatchObject({ status: 'streaming', content: '' })
      expect((await chat.call('GET', '/health')).body).toEqual({ status: 'ok', workers: 0 })
      await stream.until('agent_delayed')
      expect(stream.view()).toMatchObject({ status: 'streaming', delay: 'no_worker' })
      // Later readers get the delay event as well.
      const late = await chat.follow(`/sessions/${kept}/task-stream`)
      await late.until('agent_delayed')
      expect((await chat.call('POST', `/sessions/${given}/stop`)).status).toBe(200)
      await other.ended
      expect(other.view()).toMatchObject({ stopped: true, content: '' })
      await sleep(1_500)
      expect(stream.wire.filter(({ event }) => event === 'agent_delayed')).toHaveLength(1)

      await empty.aWorker()
      await Promise.all([stream.ended, late.ended])
      expect(stream.view()).toMatchObject({ status: 'completed', content: 'Hello from the scripted model.' })
      expect(stream.view()).not.toHaveProperty('delay')
      expect((await chat.call('GET', '/health')).body).toEqual({ status: 'ok', workers: 1 })
    } finally {
      await empty.close()
    }
  })
})
