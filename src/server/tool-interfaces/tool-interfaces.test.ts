import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../../../tests/support/api-server.ts'
import { startApp } from '../../../tests/support/app.ts'
import { aUser } from '../../../tests/support/builders.ts'
import { type Chat, startChat } from '../../../tests/support/chat.ts'

let house: ApiServer
let chat: Chat
let code = 'export {}'
beforeAll(async () => {
  house = await startApiServer()
  house.answer(({ path }) => (path.startsWith('/ui') ? { body: code } : { body: { score: 71 } }))
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: house.url } } })
})
afterAll(async () => {
  await chat.close()
  await house.close()
})

const sriOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
const ui = (more: object = {}) => ({ url: `${house.url}/ui.js`, ...more })

async function aTool(method = 'GET', interfaceOf: object | null = ui()): Promise<string> {
  const call = { method, address: `${house.url}/score`, inputs: [] }
  const { body } = await chat.call('POST', '/tools', { ui_name: 'Score', description: 'Scores.', call })
  if (interfaceOf) {
    const set = await chat.call('PUT', `/tools/${body.id}/interface`, { ui: interfaceOf })
    expect(set.status, JSON.stringify(set.body)).toBe(200)
  }
  return body.id
}

const open = (id: string, headers = {}) => chat.call('POST', `/tools/${id}/interface`, undefined, headers)
const get = (path: string, headers = {}) =>
  chat.app.http.inject({ method: 'GET', url: `/api/v1${path}`, headers: { host: 'localhost', ...headers } })

describe('an interface that comes from elsewhere', () => {
  it('is approved by the hash of what stands there, and is read by ticket', async () => {
    code = 'export const a = 1'
    const id = await aTool()
    const { body: tool } = await chat.call('GET', `/tools/${id}`)
    expect(tool.ui_location).toEqual({
      ...{ kind: 'remote', url: `${house.url}/ui.js`, sri: sriOf(code), connect: [], calls: [] },
    })
    const { body } = await open(id)
    expect(body).toMatchObject({ state: 'ready', speaks: 'atrium' })
    const page = await get(body.path)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.body).toContain(`integrity="${sriOf(code)}"`)
    const policy = String(page.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "connect-src 'none'",
      'sandbox allow-scripts',
      "webrtc 'block'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toContain('allow-same-origin')
    // A frame without an origin asks for its module as nobody.
    const module = await get(`${body.path}/module`, { origin: 'null' })
    expect([module.statusCode, module.body]).toEqual([200, code])
    expect(module.headers['access-control-allow-origin']).toBe('*')
    expect(module.headers['content-type']).toMatch(/^text\/javascript/)
  })

  it('TO-07 is not given out once its file is another one', async () => {
    code = 'export const approved = 1'
    const approved = sriOf(code)
    const id = await aTool()
    code = 'export const evil = 1'
    // Another process, which has kept nothing of it.
    const other = await startApp({
      ...{ address: chat.app.address, config: { ATRIUM_TOOLS_PRIVATE: house.url } },
    })
    const asked = { method: 'POST' as const, headers: chat.user.headers }
    const { body } = await other.http.inject({ ...asked, url: `/api/v1/tools/${id}/interface` })
    expect(JSON.parse(body)).toEqual({ state: 'changed', approved, received: sriOf(code) })
    await other.close()
    // Who approves what stands there now sees that.
    await chat.call('PUT', `/tools/${id}/interface`, { ui: ui() })
    expect((await open(id)).body).toMatchObject({ state: 'ready' })
  })

  it('may reach what its tool declares, and nothing that could end the list', async () => {
    const id = await aTool('GET', ui({ connect: ['https://api.example.com'] }))
    const { body } = await open(id)
    const policy = String((await get(body.path)).headers['content-security-policy'])
    expect(policy).toContain('connect-src https://api.example.com;')
    for (const connect of [
      "https://a.example; script-src 'unsafe-eval'",
      'https://a.example/path',
      '*',
      'data:',
    ])
      expect(
        await chat.call('PUT', `/tools/${id}/interface`, { ui: ui({ connect: [connect] }) }),
      ).toMatchObject({
        status: 422,
      })
  })

  it('TO-07 says why it cannot be loaded', async () => {
    const id = await aTool('GET', null)
    const set = (wanted: object) => chat.call('PUT', `/tools/${id}/interface`, { ui: wanted })
    expect(await set({ url: 'http://127.0.0.1:9/x.js' })).toMatchObject({ status: 422 })
    expect(await set(ui({ sri: sriOf('other') }))).toMatchObject({ status: 409 })
    expect(await set(ui({ sri: 'md5-x' }))).toMatchObject({ status: 422 })
    house.answer({ status: 500, body: 'no' })
    expect(await set(ui())).toMatchObject({ status: 503, body: { detail: expect.stringContaining('500') } })
    house.answer({ body: 'x'.repeat(3_000_000) })
    expect(await set(ui())).toMatchObject({ status: 413 })
    house.answer(({ path }) => (path.startsWith('/ui') ? { body: code } : { body: { score: 71 } }))
    expect(await open(id)).toMatchObject({ status: 409 })
    expect(await chat.call('PUT', '/tools/calculator/interface', { ui: ui() })).toMatchObject({ status: 403 })
  })

  it('is for those who may use its tool, as long as their sign-in lasts', async () => {
    const id = await aTool()
    const stranger = await aUser(chat.app)
    expect(await open(id, stranger.headers)).toMatchObject({ status: 403 })
    expect(await chat.call('PUT', `/tools/${id}/interface`, { ui: null }, stranger.headers)).toMatchObject({
      status: 403,
    })
    const { body } = await open(id)
    expect((await get(`${body.path.slice(0, -4)}AAAA`)).statusCode).toBe(401)
    expect((await get('/tool-interfaces/nonsense')).statusCode).toBe(401)
    await chat.call('PUT', `/tools/${id}/interface`, { ui: null })
    expect((await get(body.path)).statusCode).toBe(409)
  })
})

describe('a call an interface asks for', () => {
  const ask = (tool: string, interface_of: string) =>
    chat.call('POST', `/tools/${tool}/execute`, { inputs: {}, interface_of })
  const end = async (id: string) => {
    for (;;) {
      const { body } = await chat.call('GET', `/tool-executions/${id}`)
      if (body.finished_at || body.request) return body
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it('XT-14 waits for leave where the policy of its tool says so, and never runs what is off', async () => {
    const reads = await aTool()
    const writes = await aTool('POST', null)
    await chat.call('PUT', `/tools/${reads}/interface`, { ui: ui({ calls: [writes] }) })
    const own = await ask(reads, reads)
    expect(await end(own.body.tool_execution_id)).toMatchObject({ status: 'complete', request: null })
    const before = house.asked.length
    const other = await ask(writes, reads)
    expect(await end(other.body.tool_execution_id)).toMatchObject({ request: { kind: 'approval' } })
    expect(house.asked).toHaveLength(before)
    await chat.call('PUT', `/tools/${writes}/policy`, { policy: 'never' })
    expect(await ask(writes, reads)).toMatchObject({
      status: 403,
      body: { detail: 'Score is set to never run.' },
    })
  })

  it('is refused for what its tool does not declare', async () => {
    const reads = await aTool()
    const other = await aTool('GET', null)
    for (const tool of [other, 'calculator']) expect(await ask(tool, reads)).toMatchObject({ status: 403 })
    expect(await ask(reads, other)).toMatchObject({ status: 403 })
    expect(await ask(reads, 'nothing')).toMatchObject({ status: 403 })
  })
})
