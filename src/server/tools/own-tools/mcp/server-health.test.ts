import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerHealth, ServerMessage } from '#shared/tools/own-tools/mcp-health.ts'
import { MAX_STORED_MESSAGES } from '#shared/tools/own-tools/mcp-health.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { writeHeard } from './health-store.ts'

const packages = join(import.meta.dirname, '../../../../../node_modules/@modelcontextprotocol')
const scripted = join(import.meta.dirname, '../../../../../tests/support/mcp-server.ts')

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ user: { role: 'super_admin' } })
})
afterAll(() => chat.close())

const command = (...args: string[]) => ({ kind: 'stdio', command: process.execPath, args })

async function connect(address: object, more: object = {}) {
  const { status, body } = await chat.call('POST', '/mcp-servers', { name: 'ERP', address, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: string; tools: { id: string; key: string }[] }
}
const read = async (id: string): Promise<ServerHealth> =>
  (await chat.call('GET', `/mcp-servers/${id}/health`)).body
/** Waits for a message in the health of a server, because messages are stored asynchronously. */
async function noted(id: string, wanted: Partial<ServerMessage>): Promise<ServerHealth> {
  const shown = (health: ServerHealth) => health.messages.map(({ what, name }) => ({ what, name }))
  await expect
    .poll(async () => shown(await read(id)), { timeout: 10_000 })
    .toContainEqual(expect.objectContaining(wanted))
  return read(id)
}
async function execute(id: string, inputs: object) {
  const { body: started } = await chat.call('POST', `/tools/${id}/execute`, { inputs })
  const over = async () =>
    (await chat.call('GET', `/tool-executions/${started.tool_execution_id}`)).body.finished_at
  await expect.poll(over, { timeout: 10_000 }).toBeTruthy()
}

describe('health of an MCP server', () => {
  it('shows since when, how fast and with what messages it answered, without inputs or results', async () => {
    const server = await connect(command(join(packages, 'server-everything/dist/index.js')))
    expect(await read(server.id)).toEqual({
      ...{ answered_at: null, answering_since: null, failed_at: null, failure: null },
      ...{ median_ms: null, answered: null, half_hours: [], messages: [] },
    })
    await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    const slow = server.tools.find(({ key }) => key === 'trigger-long-running-operation')
    await execute(slow?.id ?? '', { duration: 0.4, steps: 4 })
    const echo = server.tools.find(({ key }) => key === 'echo')
    await execute(echo?.id ?? '', { message: 'a-word-nobody-else-reads' })
    await chat.call('POST', `/mcp-servers/${server.id}/resources`, {
      uri: 'demo://resource/static/document/architecture.md?key=a-secret',
    })
    const health = await noted(server.id, { what: 'read' })
    const passed = health.messages.map(({ what, name }) => `${what} ${name}`.trim()).toReversed()
    expect(passed[0]).toMatch(/^connect \d{4}-\d\d-\d\d$/)
    expect(passed).toContain('list')
    const call = 'call trigger-long-running-operation'
    expect(passed[passed.indexOf(call) - 1]).toMatch(/^progress [34] \/ 4$/)
    expect(passed).toContain('call echo')
    expect(passed.at(-1)).toBe('read demo://resource/static/document/architecture.md')
    // The server has no such resource and repeats the address in its error, so only the caller may read its
    // words.
    expect(health.messages[0]).toMatchObject({
      ...{ what: 'read', ms: expect.any(Number), failure: 'ERP answered with an error.' },
    })
    expect(health).toMatchObject({ failure: null, failed_at: null, answered: 1 })
    expect(JSON.stringify(health)).not.toMatch(/a-word-nobody|a-secret/)
    expect(health.messages.find(({ name }) => name === 'trigger-long-running-operation')?.ms).toBeGreaterThan(
      150,
    )
    expect(health.answering_since).not.toBeNull()
    expect(health.median_ms).not.toBeNull()
  })

  it('explains the last failure in plain words, with secrets masked', async () => {
    const secret = 'a-key-nobody-sees'
    const server = await connect(command(scripted, 'die'), { secrets: { SAYS: `The key is ${secret}.` } })
    await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    const double = server.tools.find(({ key }) => key === 'double')
    await execute(double?.id ?? '', { n: 1 })
    const health = await noted(server.id, { what: 'call', name: 'double' })
    expect(health).toMatchObject({
      ...{
        answering_since: null,
        failure: expect.stringMatching(/^ERP exited unexpectedly\. It last said: The disk is full/),
      },
    })
    expect(health.answered).toBeGreaterThan(0)
    expect(health.answered).toBeLessThan(1)
    expect(JSON.stringify(health)).not.toContain(secret)
    const [half] = health.half_hours
    expect(half).toMatchObject({ failures: 1 })
    await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    await expect.poll(async () => (await read(server.id)).answering_since, { timeout: 10_000 }).not.toBeNull()
    // The last failure stays readable.
    expect((await read(server.id)).failure).toBe(health.failure)
  })

  it('reconnects on request, and otherwise uses the existing connection', async () => {
    const { id } = await connect(command(scripted, 'plain'))
    const connects = async () => (await read(id)).messages.filter(({ what }) => what === 'connect').length
    const lists = async () => (await read(id)).messages.filter(({ what }) => what === 'list').length
    for (const [at, query] of ['', '', '?reconnect=true'].entries()) {
      await chat.call('POST', `/mcp-servers/${id}/refresh${query}`)
      await expect.poll(lists, { timeout: 10_000 }).toBe(at + 1)
    }
    expect(await connects()).toBe(2)
  })

  it('stores a maximum number of messages, and deletes those older than 30 days', async () => {
    const { id } = await connect(command(scripted, 'plain'))
    const { db } = chat.app.deps
    const heard = (at: string, ms: number) =>
      writeHeard(db, id, { what: 'list', name: '', ms, failure: null }, new Date(at))
    await heard('2020-01-01T10:00:00Z', 5_000)
    expect((await read(id)).answered).toBeNull()
    const now = new Date()
    for (let at = 0; at < MAX_STORED_MESSAGES + 5; at += 1) await heard(now.toISOString(), at)
    const { messages, half_hours } = await read(id)
    expect(messages).toHaveLength(MAX_STORED_MESSAGES)
    expect(messages[0]?.ms).toBe(MAX_STORED_MESSAGES + 4)
    expect(half_hours).toMatchObject([{ answers: MAX_STORED_MESSAGES + 5, slow: 0, failures: 0 }])
    const kept = await db.selectFrom('mcp_half_hours').select('at').where('set_id', '=', id).execute()
    expect(kept).toHaveLength(1)
    await chat.call('DELETE', `/mcp-servers/${id}`)
    const left = await db.selectFrom('mcp_messages').select('id').where('set_id', '=', id).execute()
    expect(left).toEqual([])
    await heard(now.toISOString(), 1)
  })

  it('is visible to those who may change the server, and not to people it is shared with', async () => {
    const companyId = await aCompany(chat.app)
    const { id } = await connect(command(scripted, 'plain'))
    const shared = { set_id: id, company_id: companyId }
    await chat.app.deps.db.insertInto('own_tool_shares').values(shared).execute()
    const colleague = await aUser(chat.app, { role: 'member', companyId })
    const as = (path: string) => chat.call('GET', path, undefined, colleague.headers)
    expect((await as(`/mcp-servers/${id}`)).status).toBe(200)
    expect((await as(`/mcp-servers/${id}/health`)).status).toBe(403)
  })
})
