import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { type Probe, playTool } from '#tests/probe-tool.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

let unplay = () => {}
afterEach(() => unplay())

async function execute(...probe: Probe) {
  unplay = playTool(chat.app, ...probe)
  const { body } = await chat.call('POST', '/tools/probe/execute', { inputs: { n: 2 } })
  const id: string = body.tool_execution_id
  return { id, runId: (await read(id)).body.run_id as string }
}
const read = (id: string) => chat.call('GET', `/tool-executions/${id}`)
const remove = (id: string) => chat.call('DELETE', `/tool-executions/${id}`)

/** Counts what is left of a run, by table. */
async function countRows(runId: string) {
  const { db } = chat.app.deps
  await chat.app.deps.engine.events.sentFrames.flush()
  const left: Record<string, number> = {}
  for (const table of ['run_records', 'run_events', 'tool_executions', 'input_requests'] as const)
    left[table] = (await db.selectFrom(table).select('run_id').where('run_id', '=', runId).execute()).length
  left.runs = (await db.selectFrom('runs').select('id').where('id', '=', runId).execute()).length
  return left
}
const nothing = { run_records: 0, run_events: 0, tool_executions: 0, input_requests: 0, runs: 0 }

async function expectGone({ id, runId }: { id: string; runId: string }) {
  expect((await read(id)).status).toBe(404)
  expect((await remove(id)).status).toBe(404)
  const { body } = await chat.call('GET', '/tool-executions?tool_id=probe')
  expect(body.items.map((one: { id: string }) => one.id)).not.toContain(id)
  expect(await countRows(runId)).toEqual(nothing)
}

describe('execution outside chats', () => {
  it('is deleted with everything it stored', async () => {
    const made = await execute(async ({ n }) => ({ doubled: 2 * n }))
    await expect.poll(async () => (await read(made.id)).body.status, { timeout: 20_000 }).toBe('complete')
    expect(await countRows(made.runId)).toMatchObject({ tool_executions: 1, runs: 1 })
    expect((await remove(made.id)).status).toBe(200)
    expect(await lastAudited(chat.app, 'execution.removed')).toMatchObject({ subject_id: made.id })
    await expectGone(made)
  })

  it('is ended first if it is still running', async () => {
    let isEnded = false
    const made = await execute(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            isEnded = true
            reject(signal.reason)
          })
        }),
      { limitSeconds: 60 },
    )
    expect((await remove(made.id)).status).toBe(200)
    expect(isEnded).toBe(true)
    await expectGone(made)
  })

  it('stops waiting for a person', async () => {
    const made = await execute(
      async (_, { ask }) => {
        const { input } = await ask('factor', { prompt: 'By what?', input_types: ['text'] })
        return { doubled: Number(input) }
      },
      { durable: true },
    )
    await expect
      .poll(async () => (await read(made.id)).body.request?.prompt, { timeout: 20_000 })
      .toBe('By what?')
    expect((await remove(made.id)).status).toBe(200)
    await expectGone(made)
    expect((await chat.call('GET', '/input-requests')).body.items).toEqual([])
  })
})

describe('execution of a reply', () => {
  it('cannot be deleted separately, because its message shows it', async () => {
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', { a: 21, b: 2, operation: 'multiply' })], [says('It is 42.')])
    await (await chat.ask(id, 'Go')).ended
    const { body } = await chat.call('GET', '/tool-executions?tool_id=calculator')
    const [execution] = body.items
    expect(await remove(execution.id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await read(execution.id)).body.status).toBe('complete')
  })
})
