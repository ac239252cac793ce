import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { cloneDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/database-proxy.ts'
import { playTool } from '#tests/probe-tool.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let proxy: DatabaseProxy
let chat: Chat
beforeAll(async () => {
  database = await cloneDatabase()
  proxy = await startDatabaseProxy(database.address)
  chat = await startChat({ app: { address: proxy.address } })
})
afterAll(async () => {
  await chat.close()
  await proxy.close()
  await database.drop()
})

/** A statement of the transaction that starts a run. */
const begins = 'insert into "runs"'
/** Waits for the only run of a kind to end. */
const overRun = (kind: 'chat' | 'tool') =>
  vi.waitFor(async () => {
    const rows = await chat.app.deps.db
      .selectFrom('runs')
      .select(['state', 'attempt'])
      .where('kind', '=', kind)
      .orderBy('created_at', 'desc')
      .limit(1)
      .execute()
    expect(rows).toMatchObject([{ state: 'completed' }])
    return rows[0]
  }, 10_000)

/** Counts real executions of a tool. */
function countProbe() {
  const probe = { count: 0, leave: () => {} }
  probe.leave = playTool(chat.app, async ({ n }) => {
    probe.count += 1
    return { doubled: n * 2 }
  })
  return probe
}

describe('a run whose commit response is lost', () => {
  it('is executed by the process that started it, and repeating the message returns the same one', async () => {
    const id = await chat.aSession()
    const client_id = crypto.randomUUID()
    const message = { chat_session_id: id, content: 'Go', agent_type: 'multi_turn', client_id }
    const { length } = chat.model.requests
    const lost = proxy.loseCommit(begins)
    // The repeated message is found, so the first commit succeeded.
    expect((await chat.call('POST', '/messages', message)).status).toBe(201)
    await lost
    await overRun('chat')
    expect((await chat.call('POST', '/messages', message)).status).toBe(201)
    const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(body.active_branch).toMatchObject([
      { role: 'user', content: 'Go' },
      { role: 'assistant', status: 'completed', content: 'Hello from the scripted model.' },
    ])
    expect(chat.model.requests.length - length).toBe(1)
  })

  it('executes its tool when it is standalone', async () => {
    const probe = countProbe()
    const lost = proxy.loseCommit(begins)
    expect((await chat.call('POST', '/tools/probe/execute', { inputs: { n: 1 } })).status).toBe(503)
    await lost
    await overRun('tool')
    probe.leave()
    expect(probe.count).toBe(1)
  })
})

describe('a tool whose commit response is late', () => {
  it('is executed once, by the process that started it', async () => {
    const probe = countProbe()
    // Longer than the sweep interval for ownerless runs.
    const late = proxy.delayCommit(begins, 2_500)
    expect((await chat.call('POST', '/tools/probe/execute', { inputs: { n: 1 } })).status).toBe(202)
    await late
    expect(await overRun('tool')).toEqual({ state: 'completed', attempt: 1 })
    probe.leave()
    expect(probe.count).toBe(1)
  })
})
