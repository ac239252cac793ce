import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'

const packages = join(import.meta.dirname, '../../../../../node_modules/@modelcontextprotocol')
const scripted = join(import.meta.dirname, '../../../../../tests/support/mcp-server.ts')

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ user: { role: 'super_admin' } })
})
afterAll(() => chat.close())

const command = (...args: string[]) => ({ kind: 'stdio', command: process.execPath, args })
const everything = () => command(join(packages, 'server-everything/dist/index.js'))

async function connect(name: string, address: object, more: object = {}) {
  const { status, body } = await chat.call('POST', '/mcp-servers', { name, address, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const toolOf = (server: { tools: { key: string; id: string }[] }, key: string) => {
  const tool = server.tools.find((one) => one.key === key)
  if (!tool) throw new Error(`There is no ${key}.`)
  return tool
}
async function execute(id: string, inputs: object = {}) {
  const started = await chat.call('POST', `/tools/${id}/execute`, { inputs })
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  return settled(started.body.tool_execution_id)
}
async function settled(id: string) {
  for (;;) {
    const { body } = await chat.call('GET', `/tool-executions/${id}`)
    if (body.finished_at || body.request) return body
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Lets a tool run without asking, for its owner. */
const allow = (id: string) => chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })

/** Returns whether a model's call of a tool has to wait for approval. */
async function askedLeave(id: string): Promise<boolean> {
  chat.model.reply([calls(id, { n: 1 })])
  const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
  const stream = await chat.ask(sessionId, 'Go')
  await stream.until('input_required')
  const { body } = await chat.call('GET', '/input-requests')
  const asks = body.items.some(
    ({ request }: { request: { kind: string; tool?: { tool_id: string } } }) =>
      request.kind === 'approval' && request.tool?.tool_id === id,
  )
  await chat.call('POST', `/sessions/${sessionId}/stop`)
  return asks
}

describe('MCP server', () => {
  it('uses the first of several tools, prompts or resources with the same name, and reports the others', async () => {
    const server = await connect('Twins', command(scripted, 'twins'))
    const names = ['a', 'A', 'calculator', '__proto__', 'constructor', 'tool with spaces', 'tool_with_spaces']
    expect(server.tools.map(({ key }: { key: string }) => key).sort()).toEqual([...names, 'nul'].sort())
    expect(toolOf(server, 'a')).toMatchObject({ description: 'The first.' })
    expect(server.prompts.map(({ name }: { name: string }) => name)).toEqual(['p'])
    expect(server.resources.map(({ uri }: { uri: string }) => uri)).toEqual(['demo://r'])
    expect(server.server.twins.sort()).toEqual(['a', 'demo://r', 'p'])
    expect(server.left).toBe(6)
    const again = await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    expect([again.status, again.body.tools.length, again.body.left]).toEqual([200, 8, 6])
    expect(await execute(toolOf(server, '__proto__').id, { n: 4 })).toMatchObject({ status: 'complete' })
  })

  it('offers its tools to chats and people like any other tool', async () => {
    const server = await connect('Everything', everything())
    expect(server).toMatchObject({ own: true, error: null, server: { name: 'mcp-servers/everything' } })
    expect(server.prompts.length).toBeGreaterThan(3)
    expect(server.resources.length).toBeGreaterThan(5)
    const sum = toolOf(server, 'get-sum')
    expect(await execute(sum.id, { a: 2, b: 3 })).toMatchObject({
      ...{ status: 'complete', result: expect.stringContaining('5') },
    })
    const listed = await chat.call('GET', `/tools/${sum.id}`)
    expect(listed.body).toMatchObject({ kind: 'mcp', own: true, policy: 'ask' })
    await allow(sum.id)
    chat.model.reply([calls(sum.id, { a: 20, b: 22 })], [says('It is 42.')])
    const sessionId = await chat.aSession({ metadata: { session_tools: [sum.id] } })
    const stream = await chat.ask(sessionId, 'Add')
    await stream.ended
    const told = chat.model.requests.at(-1)?.messages.at(-1)
    expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('42') })
  })

  it('shows the progress of a call [XT-08]', async () => {
    const server = await connect('Everything', everything())
    const { id } = toolOf(server, 'trigger-long-running-operation')
    const { events } = await execute(id, { duration: 0.4, steps: 4 })
    const phases = events.map(({ phase }: { phase?: string }) => phase).filter(Boolean)
    expect(phases[0]).toMatch(/^\d \/ 4$/)
  })

  it('offers its prompts and resources', async () => {
    const { id } = await connect('Everything', everything())
    const resource = await chat.call('POST', `/mcp-servers/${id}/resources`, {
      uri: 'demo://resource/dynamic/text/3',
    })
    expect(resource.body.parts[0].text).toContain('3')
    const prompt = await chat.call('POST', `/mcp-servers/${id}/prompts`, {
      ...{ name: 'args-prompt', arguments: { city: 'Lyon' } },
    })
    expect(prompt.body.messages[0]).toMatchObject({ role: 'user', text: expect.stringContaining('Lyon') })
    expect(await chat.call('POST', `/mcp-servers/${id}/prompts`, { name: 'none' })).toMatchObject({
      status: 422,
    })
  })

  it('asks a person during a call, through the journal, and continues with the answer [XT-08]', async () => {
    const server = await connect('Sites', command(scripted, 'asks'))
    const { id } = toolOf(server, 'double')
    const asked = await execute(id)
    expect(asked.request).toMatchObject({
      ...{ kind: 'question', prompt: 'Sites: Which site?', skippable: true },
      fields: [{ name: 'site', label: 'Site (Lyon, Nantes)', type: 'text', required: true }],
    })
    const answer = (site: string) =>
      chat.call('POST', `/tool-executions/${asked.id}/provide-input`, {
        ...{ input_type: 'composite', input: { site } },
      })
    expect(await answer('Paris')).toMatchObject({ status: 200 })
    await expect
      .poll(async () => (await settled(asked.id)).request?.prompt)
      .toContain('choose one of Lyon, Nantes.')
    await answer('nantes')
    await expect.poll(async () => (await settled(asked.id)).status).toBe('complete')
    expect(await settled(asked.id)).toMatchObject({
      ...{ status: 'complete', result: '{"action":"accept","content":{"site":"Nantes"}}' },
    })
  })

  it.each(['asks', 'hang'])('is notified when a call is stopped (%s) [XT-08]', async (mode) => {
    const notes = join(mkdtempSync(join(tmpdir(), 'atrium-mcp-heard-')), 'heard')
    const server = await connect('Slow', command(scripted, mode, '-', notes))
    const { id } = toolOf(server, 'double')
    await allow(id)
    chat.model.reply([calls(id, { n: 1 })])
    const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
    const stream = await chat.ask(sessionId, 'Double it')
    const heard = () => readFileSync(notes, 'utf8').split('\n')
    if (mode === 'asks') await stream.until('input_required')
    else await expect.poll(heard).toContain('tools/call')
    await chat.call('POST', `/sessions/${sessionId}/stop`)
    await expect.poll(heard, { timeout: 10_000 }).toContain('notifications/cancelled')
  })

  it('loses the permission of a changed tool, and shows a removed one as unavailable [XT-07, XT-09]', async () => {
    const server = await connect('Changing', command(scripted, 'changes'))
    const double = toolOf(server, 'double')
    expect(server).toMatchObject({
      prompts: [{ name: 'close', is_there: true }],
      resources: [{ uri: 'demo://sites', is_there: true }],
    })
    await chat.call('PUT', `/tools/${double.id}/policy`, { policy: 'auto' })
    await expect
      .poll(async () => (await chat.call('GET', `/mcp-servers/${server.id}`)).body.tools.length, {
        timeout: 20_000,
      })
      .toBe(2)
    await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    const { body } = await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    expect(toolOf(body, 'double')).toMatchObject({ news: 'changed', runs: 'ask', is_there: true })
    expect(toolOf(body, 'gone')).toMatchObject({ is_there: false })
    expect(toolOf(body, 'triple')).toMatchObject({ news: 'new', runs: 'never' })
    expect(await execute(toolOf(body, 'gone').id)).toMatchObject({ status: 'error' })
    expect(body).toMatchObject({
      prompts: [{ name: 'close', is_there: false }],
      resources: [{ uri: 'demo://sites', is_there: false }],
    })
    expect(await askedLeave(double.id)).toBe(true)
  })

  it('does not offer a tool that is switched off, refuses calls of it, and explains why', async () => {
    const server = await connect('Switched', command(scripted, 'well'))
    const { id } = toolOf(server, 'double')
    const turn = (is_on: boolean) =>
      chat.call('PUT', `/mcp-servers/${server.id}/tools`, { tool_id: id, is_on })
    const told = async () => {
      chat.model.reply([says('Well.')])
      const sessionId = await chat.aSession()
      // The servers of this file have more tools than a model receives, and those that match the question come
      // first.
      await (await chat.ask(sessionId, 'Double it with Switched')).ended
      return JSON.stringify(chat.model.requests.at(-1)?.tools)
    }
    expect(await told()).toContain(id)
    // A tool that was switched off between the request and the call.
    chat.model.reply([calls(id, { n: 1 })], [says('It is off.')])
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'ask' })
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('input_required')
    const off = await turn(false)
    expect(toolOf(off.body, 'double')).toMatchObject({ is_on: false, runs: 'never' })
    expect(await lastAudited(chat.app, 'tool.changed')).toMatchObject({
      ...{ subject_id: id, changes: [{ what: 'on', before: 'true', after: 'false' }] },
    })
    const [waiting] = (await chat.call('GET', '/input-requests')).body.items
    const { checkpoint_name } = waiting.request
    const answered = await chat.call('POST', `/sessions/${sessionId}/provide-input`, {
      ...{ checkpoint_name, input_type: 'json', input: { approved: true } },
    })
    expect(answered, JSON.stringify(answered.body)).toMatchObject({ status: 200 })
    const sentence = 'The tool double is switched off. Whoever connected its server can switch it on again.'
    await expect
      .poll(() => chat.model.requests.at(-1)?.messages.at(-1))
      .toMatchObject({ role: 'tool', content: `Error: ${sentence}` })
    await chat.call('PUT', `/tools/${id}/policy`, { policy: 'auto' })
    expect(await told()).not.toContain(id)
    expect(await chat.call('POST', `/tools/${id}/execute`, { inputs: { n: 1 } })).toMatchObject({
      ...{ status: 422, body: { detail: sentence } },
    })
    expect((await chat.call('GET', `/tools/${id}`)).body.missing).toEqual([
      { part: 'switch', hint: server.id },
    ])
    const { body } = await chat.call('POST', `/mcp-servers/${server.id}/refresh`)
    expect(toolOf(body, 'double')).toMatchObject({ is_on: false })
    await turn(true)
    expect(await execute(id, { n: 2 })).toMatchObject({ status: 'complete', result: '4' })
  })

  it('affects only its own calls if it dies, hangs or floods [XT-09]', async () => {
    const well = await connect('Well', command(scripted, 'well'))
    const bad = await Promise.all(
      ['die', 'flood', 'hang', 'hang', 'hang'].map((mode) => connect('Bad', command(scripted, mode))),
    )
    const started = await Promise.all(
      bad.map(async (server) => {
        const { id } = toolOf(server, 'double')
        return (await chat.call('POST', `/tools/${id}/execute`, { inputs: { n: 1 } })).body.tool_execution_id
      }),
    )
    const done = await Promise.all([1, 2, 3, 4].map((n) => execute(toolOf(well, 'double').id, { n })))
    expect(done.map(({ result }) => result)).toEqual(['2', '4', '6', '8'])
    const [died, flooded] = await Promise.all(started.slice(0, 2).map(settled))
    expect([died.status, flooded.status]).toEqual(['error', 'error'])
    const hanging = started.slice(2)
    for (const id of hanging) {
      expect((await chat.call('GET', `/tool-executions/${id}`)).body.finished_at).toBeNull()
      expect((await chat.call('DELETE', `/tool-executions/${id}`)).status).toBe(200)
    }
  })

  it.each([
    ['die', 'Bad exited unexpectedly. It last said: The disk is full.'],
    ['flood', 'Bad sent too much and was stopped.'],
    ['fails', 'The order is closed.'],
  ])('shows its failure (%s) as a sentence on the card', async (mode, sentence) => {
    const server = await connect('Bad', command(scripted, mode))
    expect(await execute(toolOf(server, 'double').id, { n: 1 })).toMatchObject({
      ...{ status: 'error', error: sentence },
    })
  })
})

describe('permissions of a server', () => {
  it('let only super admins connect a command', async () => {
    const { headers } = await aUser(chat.app, { role: 'company_admin' })
    const wish = { name: 'Mine', address: everything() }
    expect(await chat.call('POST', '/mcp-servers', wish, headers)).toMatchObject({ status: 403 })
  })

  it('let people it is shared with use it, without seeing its address or its secrets', async () => {
    const companyId = await aCompany(chat.app)
    const mate = await aUser(chat.app, { role: 'member', companyId })
    const server = await connect('Everything', everything(), { secrets: { API_KEY: 'secret-key' } })
    expect(JSON.stringify(server)).not.toContain('secret-key')
    expect(await lastAudited(chat.app, 'mcp_server.created')).toMatchObject({ subject_id: server.id })
    const replaced = { secrets: { API_KEY: 'secret-key' } }
    expect(await chat.call('PATCH', `/mcp-servers/${server.id}`, replaced)).toMatchObject({ status: 200 })
    expect(await lastAudited(chat.app, 'mcp_server.changed')).toMatchObject({
      changes: [{ what: 'API_KEY', before: null, after: 'replaced' }],
    })
    const decided = { tool_id: toolOf(server, 'get-sum').id, policy: 'ask' }
    await chat.call('PUT', `/mcp-servers/${server.id}/tools`, decided)
    expect(await lastAudited(chat.app, 'tool.changed')).toMatchObject({ subject_id: decided.tool_id })
    expect(server.secrets).toMatchObject([{ name: 'API_KEY' }])
    expect(await chat.call('GET', `/mcp-servers/${server.id}`, undefined, mate.headers)).toMatchObject({
      status: 403,
    })
    const env = await execute(toolOf(server, 'get-env').id)
    // The program received its key, but its answer does not show it.
    expect(JSON.stringify(env.result)).toContain('API_KEY\\": \\"••••')
    expect(JSON.stringify(env.result)).not.toContain('secret-key')
    // No other variables of this process are passed on.
    expect(JSON.stringify(env.result)).not.toContain('ATRIUM_')
  })

  it('let only its owner delete it', async () => {
    const server = await connect('Everything', everything())
    const { headers } = await aUser(chat.app)
    expect(await chat.call('DELETE', `/mcp-servers/${server.id}`, undefined, headers)).toMatchObject({
      status: 403,
    })
    expect(await chat.call('DELETE', `/mcp-servers/${server.id}`)).toMatchObject({ status: 200 })
    expect(await chat.call('GET', `/mcp-servers/${server.id}`)).toMatchObject({ status: 404 })
    expect(await chat.call('GET', `/tools/${server.tools[0].id}`)).toMatchObject({ status: 404 })
  })
})
