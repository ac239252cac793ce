import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { startApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { sweepFiles } from '../../knowledge/documents/sweep/sweep.ts'
import { readStorageOf } from '../../money/storage/storage.ts'

let house: ApiServer
let chat: Chat
let code = 'export {}'
/** Milliseconds by which the installation's clock is advanced. */
let late = 0
beforeAll(async () => {
  house = await startApiServer()
  house.answer(({ path }) => (path.startsWith('/ui') ? { body: code } : { body: { score: 71 } }))
  chat = await startChat({
    app: {
      ...{ config: { ATRIUM_TOOLS_PRIVATE: house.url }, clock: { now: () => new Date(Date.now() + late) } },
    },
  })
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

describe('remote interface', () => {
  it('is approved by the hash of its code, and is read with a ticket', async () => {
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
    // A frame without an origin requests its module anonymously.
    const module = await get(`${body.path}/module`, { origin: 'null' })
    expect([module.statusCode, module.body]).toEqual([200, code])
    expect(module.headers['access-control-allow-origin']).toBe('*')
    expect(module.headers['content-type']).toMatch(/^text\/javascript/)
  })

  it('is not served after its file has changed [TO-07]', async () => {
    code = 'export const approved = 1'
    const approved = sriOf(code)
    const id = await aTool()
    code = 'export const evil = 1'
    // Another process with an empty cache.
    const other = await startApp({
      ...{ address: chat.app.address, config: { ATRIUM_TOOLS_PRIVATE: house.url } },
    })
    const asked = { method: 'POST' as const, headers: chat.user.headers }
    const { body } = await other.http.inject({ ...asked, url: `/api/v1/tools/${id}/interface` })
    expect(JSON.parse(body)).toEqual({ state: 'changed', approved, received: sriOf(code) })
    await other.close()
    // A new approval applies to the current code.
    await chat.call('PUT', `/tools/${id}/interface`, { ui: ui() })
    expect((await open(id)).body).toMatchObject({ state: 'ready' })
  })

  it('may access the origins its tool declares, and none that could end the list', async () => {
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

  it('explains why it cannot be loaded [TO-07]', async () => {
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

  it('is available to users of its tool while their session lasts', async () => {
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

const named = (name: string, content: string | Buffer) => ({
  file: { name, content: Buffer.from(content).toString('base64') },
})
const give = (id: string, wanted: object | null, headers = {}) =>
  chat.call('PUT', `/tools/${id}/interface`, { ui: wanted }, headers)

async function keptFiles(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of chat.app.deps.files.list()) if (key.startsWith('interfaces/')) keys.push(key)
  return keys.sort()
}

describe('uploaded interface', () => {
  const source = 'export const drawn = await Promise.resolve(1)\n'

  it('is stored, and served with a ticket under its computed hash', async () => {
    const id = await aTool('GET', null)
    const sri = sriOf(source)
    const { status, body } = await give(id, {
      ...named('score.mjs', source),
      connect: ['https://api.example.com'],
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.ui).toEqual({
      ...{ kind: 'uploaded', file: { name: 'score.mjs', size: source.length }, sri },
      ...{ connect: ['https://api.example.com'], calls: [] },
    })
    expect((await chat.call('GET', `/tools/${id}`)).body.ui_location).toEqual(body.ui)
    const asked = house.asked.length
    const { body: opened } = await open(id)
    const page = await get(opened.path)
    expect(page.body).toContain(`integrity="${sri}"`)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain('connect-src https://api.example.com;')
    expect(policy).toContain('sandbox allow-scripts')
    const module = await get(`${opened.path}/module`, { origin: 'null' })
    expect([module.statusCode, module.body]).toEqual([200, source])
    expect(house.asked).toHaveLength(asked)
    // Another person can neither replace nor read it.
    const stranger = await aUser(chat.app)
    expect(await give(id, named('a.js', source), stranger.headers)).toMatchObject({ status: 403 })
    expect(await open(id, stranger.headers)).toMatchObject({ status: 403 })
  })

  it('stays with all versions of its tool, and can be allowed more without a new upload', async () => {
    const id = await aTool('GET', null)
    await give(id, named('score.js', source))
    expect((await chat.call('PUT', `/tools/${id}`, { description: 'Anew.' })).body.version).toBe(2)
    const more = { file: { name: 'score.js' }, connect: ['https://b.example'] }
    const { body } = await give(id, more)
    expect(body.ui).toMatchObject({ sri: sriOf(source), connect: ['https://b.example'] })
    const { body: opened } = await open(id)
    expect((await get(`${opened.path}/module`)).body).toBe(source)
    // A tool without a stored file cannot be allowed more.
    expect(await give(await aTool('GET', null), more)).toMatchObject({ status: 422 })
  })

  it('is not served after its file has changed', async () => {
    const id = await aTool('GET', null)
    const code = `${source}// ${id}`
    const before = await keptFiles()
    await give(id, named('score.js', code))
    const [key = ''] = (await keptFiles()).filter((one) => !before.includes(one))
    await chat.app.deps.files.write(key, Readable.from(['export const evil = 1']))
    // Another process with an empty cache.
    const other = await startApp({
      address: chat.app.address,
      config: { ATRIUM_DATA_DIR: chat.app.deps.config.dataDir },
    })
    const headers = chat.user.headers
    const { body } = await other.http.inject({
      method: 'POST',
      headers,
      url: `/api/v1/tools/${id}/interface`,
    })
    expect(JSON.parse(body)).toEqual({
      ...{ state: 'changed', approved: sriOf(code), received: sriOf('export const evil = 1') },
    })
    await other.close()
  })

  it.each([
    ['nothing', '', 422],
    ['a page', '<!doctype html><p>Hello', 422],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xd8]), 422],
    ['a text with zeros', 'export const a = 1\0', 422],
    ['another language', 'interface Score { value: number }\nexport const a: Score = { value: 1 }', 422],
    ['words', 'This is no program.', 422],
    ['more than 2 MB', `//${'x'.repeat(2 * 1024 * 1024)}`, 413],
  ])('is refused, and nothing kept, where it is %s', async (_, content, status) => {
    const id = await aTool('GET', null)
    const before = await keptFiles()
    expect(await give(id, named('score.js', content))).toMatchObject({ status })
    expect(await keptFiles()).toEqual(before)
    expect((await chat.call('GET', `/tools/${id}`)).body.ui_location).toBeNull()
  })

  it('is parsed without being run, and reports where it stops being a module', async () => {
    const id = await aTool('GET', null)
    const { body } = await give(id, named('score.js', 'export const a = 1\nlet let = 2'))
    expect(body).toMatchObject({
      detail: 'This file is not a JavaScript module.',
      errors: [{ path: 'ui.file', message: expect.stringMatching(/^2: /) }],
    })
    const endless = 'while (true) {}\nprocess.exit(1)'
    expect(await give(id, named('score.js', endless))).toMatchObject({ status: 200 })
  })

  it('has an address or a file, but not both', async () => {
    const id = await aTool('GET', null)
    expect(await give(id, { ...ui(), ...named('score.js', source) })).toMatchObject({ status: 422 })
    expect(await give(id, {})).toMatchObject({ status: 422 })
  })

  it("counts toward its owner's storage, and is swept with its tool", async () => {
    const id = await aTool('GET', null)
    const used = () => readStorageOf(chat.app.deps, chat.user.id)
    const before = (await used()).used
    const known = await keptFiles()
    await give(id, named('score.js', source))
    expect((await used()).used - before).toBe(source.length)
    const [key = ''] = (await keptFiles()).filter((one) => !known.includes(one))
    const sweep = async () => {
      late += 2 * 3_600_000
      await sweepFiles(chat.app.deps, new AbortController().signal)
    }
    await sweep()
    await sweep()
    expect(await keptFiles()).toContain(key)
    await chat.call('DELETE', `/tools/${id}`)
    expect((await used()).used).toBe(before)
    await sweep()
    await sweep()
    expect(await keptFiles()).not.toContain(key)
  })
})

describe('call requested by an interface', () => {
  const ask = (tool: string, interface_of: string) =>
    chat.call('POST', `/tools/${tool}/execute`, { inputs: {}, interface_of })
  const end = async (id: string) => {
    for (;;) {
      const { body } = await chat.call('GET', `/tool-executions/${id}`)
      if (body.finished_at || body.request) return body
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  it("waits for approval if the tool's policy says so, and never runs a disabled tool [XT-14]", async () => {
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

  it("waits for approval if another person's interface requests a tool other than its own", async () => {
    const companyId = await aCompany(chat.app)
    const boss = await aUser(chat.app, { role: 'company_admin', companyId })
    const mate = await aUser(chat.app, { role: 'member', companyId })
    const call = { method: 'GET', address: `${house.url}/score`, inputs: [] }
    const wish = { ui_name: 'Score', description: 'Scores.', call, companies: [companyId] }
    const { id } = (await chat.call('POST', '/tools', wish, boss.headers)).body
    const set = { ui: ui({ calls: ['calculator'] }) }
    expect((await chat.call('PUT', `/tools/${id}/interface`, set, boss.headers)).status).toBe(200)
    const inputs = { a: 1, b: 2, operation: 'add' }
    const askAs = async ({ headers }: TestUser) => {
      const body = { inputs, interface_of: id }
      const started = await chat.call('POST', '/tools/calculator/execute', body, headers)
      for (;;) {
        const path = `/tool-executions/${started.body.tool_execution_id}`
        const { body } = await chat.call('GET', path, undefined, headers)
        if (body.finished_at || body.request) return body
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    expect(await askAs(boss)).toMatchObject({ status: 'complete', request: null })
    expect(await askAs(mate)).toMatchObject({ request: { kind: 'approval' } })
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'auto' }, mate.headers)
    expect(await askAs(mate)).toMatchObject({ status: 'complete', request: null })
  })

  it('is refused if its tool does not declare it', async () => {
    const reads = await aTool()
    const other = await aTool('GET', null)
    for (const tool of [other, 'calculator']) expect(await ask(tool, reads)).toMatchObject({ status: 403 })
    expect(await ask(reads, other)).toMatchObject({ status: 403 })
    expect(await ask(reads, 'nothing')).toMatchObject({ status: 403 })
  })
})
