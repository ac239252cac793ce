import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '#tests/free-port.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpServer } from './mcp.ts'

const packages = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol')
const scripted = join(import.meta.dirname, '../../../../tests/support/mcp-server.ts')
const folder = mkdtempSync(join(tmpdir(), 'atrium-mcp-test-'))
writeFileSync(join(folder, 'note.txt'), 'Seven boxes.')

const outbound = createOutbound()
let web: ChildProcess
let webUrl = ''
let mcp: Mcp
beforeAll(async () => {
  const port = await freePort()
  webUrl = `http://127.0.0.1:${port}/mcp`
  web = spawn(process.execPath, [join(packages, 'server-everything/dist/index.js'), 'streamableHttp'], {
    ...{ env: { PATH: process.env.PATH, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  await new Promise<void>((resolve) => web.stderr?.on('data', (said) => /listening/.test(said) && resolve()))
  mcp = createMcp(outbound, [webUrl])
})
afterAll(async () => {
  await mcp.close()
  await outbound.close()
  web.kill('SIGKILL')
})

const program = (name: string, ...args: string[]): McpServer => ({
  ...{ id: `${name} ${args}`, name },
  address: { kind: 'stdio', command: process.execPath, args, env: {} },
})
const everything = () => program('Everything', join(packages, 'server-everything/dist/index.js'))
const files = () => program('Files', join(packages, 'server-filesystem/dist/index.js'), folder)
const memory = () => program('Memory', join(packages, 'server-memory/dist/index.js'))
const onWeb = (): McpServer => ({
  ...{ id: 'web', name: 'Everything on the web' },
  address: { kind: 'http', url: webUrl, headers: {}, account: null },
})
const bad = (mode: string, ...more: string[]) => program(`Scripted ${mode}`, scripted, mode, ...more)

async function call(server: McpServer, tool: string, input: Record<string, unknown> = {}) {
  const happened = await mcp.call(server, { tool, input }).next()
  if (happened.kind === 'failed') throw happened.error
  return happened
}
const over = async (...args: Parameters<typeof call>) => {
  const happened = await call(...args)
  return happened.kind === 'over' ? happened.result : happened
}

describe.each([
  ['stdio', everything],
  ['streamable HTTP', onWeb],
])('reference server over %s', (_, server) => {
  it('lists its tools, prompts and resources', async () => {
    const listing = await mcp.list(server())
    expect(listing.server).toMatchObject({ name: 'mcp-servers/everything', protocol: '2025-11-25' })
    expect(listing.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']))
    expect(listing.tools.length).toBeGreaterThan(10)
    expect(listing.prompts.map(({ name }) => name)).toContain('args-prompt')
    expect(listing.resources.filter(({ template }) => template)).toHaveLength(2)
    expect(listing.left).toBe(0)
  })

  it('executes calls and reports progress', async () => {
    expect(await over(server(), 'get-sum', { a: 2, b: 3 })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('5') }],
      isError: false,
    })
    const said: number[] = []
    const exchange = mcp.call(server(), {
      tool: 'trigger-long-running-operation',
      input: { duration: 0.3, steps: 3 },
    })
    exchange.onProgress = ({ progress }) => said.push(progress)
    expect(await exchange.next()).toMatchObject({ kind: 'over' })
    expect(said.length).toBeGreaterThan(1)
  })

  it('returns prompts and resources', async () => {
    const messages = await mcp.getPrompt(server(), 'args-prompt', { city: 'Lyon' })
    expect(messages[0]).toMatchObject({ role: 'user', content: { text: expect.stringContaining('Lyon') } })
    const [part] = await mcp.readResource(server(), 'demo://resource/dynamic/text/7')
    expect(part).toMatchObject({ uri: 'demo://resource/dynamic/text/7', text: expect.any(String) })
  })

  it('asks a person during a call and continues with the answer', async () => {
    const exchange = mcp.call(server(), { tool: 'trigger-elicitation-request', input: {} })
    const asks = await exchange.next()
    expect(asks).toMatchObject({ kind: 'asks', asked: { requestedSchema: { type: 'object' } } })
    exchange.answer({ action: 'accept', content: { name: 'Ada' } })
    const end = await exchange.next()
    expect(JSON.stringify(end)).toContain('Ada')
  })
})

describe('other reference servers', () => {
  it('read only files of their folder', async () => {
    const read = await over(files(), 'read_text_file', { path: join(folder, 'note.txt') })
    expect(JSON.stringify(read)).toContain('Seven boxes.')
    expect(await over(files(), 'read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true })
  })

  it('remember data between two calls', async () => {
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }]
    await over(memory(), 'create_entities', { entities })
    expect(JSON.stringify(await over(memory(), 'read_graph'))).toContain('counts')
  })
})

describe('misbehaving server', () => {
  it.each([
    ['die', 'Scripted die exited unexpectedly. It last said: The disk is full.'],
    ['flood', 'Scripted flood sent too much and was stopped.'],
    ['long', 'Scripted long sent too much and was stopped.'],
    ['memory', 'Scripted memory took too much memory and was stopped.'],
    ['wrong', 'Scripted wrong answered'],
  ])('%s: says so in a sentence', async (mode, sentence) => {
    await expect(over(bad(mode), 'double', { n: 1 })).rejects.toMatchObject({
      ...{ code: 'unavailable', detail: expect.stringContaining(sentence) },
    })
    // It affects no other server and not the next connection.
    expect(await over(bad('well'), 'double', { n: 21 })).toMatchObject({ content: [{ text: '42' }] })
    expect(await mcp.list(bad(mode))).toMatchObject({ server: { name: 'scripted' } })
  })

  it('has noise between its messages ignored', async () => {
    expect(await over(bad('garbage'), 'double')).toMatchObject({ content: [{ text: 'after the noise' }] })
  })

  it.each(['hang', 'busy'])('%s: is disconnected when its call is abandoned', async (mode) => {
    const exchange = mcp.call(bad(mode), { tool: 'double', input: {} })
    setTimeout(() => exchange.cancel(new Error('stopped')), 200)
    expect(await exchange.next()).toMatchObject({ kind: 'failed', error: new Error('stopped') })
  })

  it('explains a missing program in one sentence', async () => {
    const nowhere: McpServer = {
      ...{ id: 'x', name: 'Nowhere' },
      address: { kind: 'stdio', command: '/nowhere/at/all', args: [], env: {} },
    }
    await expect(mcp.list(nowhere)).rejects.toMatchObject({ detail: 'The program of Nowhere was not found.' })
  })

  it('refuses an address that was not allowed', async () => {
    const guarded = createMcp(outbound, [])
    await expect(guarded.list(onWeb())).rejects.toMatchObject({
      detail: '127.0.0.1 is not an address of the public internet.',
    })
    await guarded.close()
  })
})

it('reports a changed list', async () => {
  const heard: string[] = []
  mcp.onChanged((id) => heard.push(id))
  const server = bad('changes')
  await mcp.list(server)
  await expect.poll(() => heard).toContain(server.id)
  expect((await mcp.list(server)).tools.map(({ name }) => name)).toEqual(['double', 'triple'])
})

it('ends programs with all their child processes', async () => {
  const own = createMcp(outbound, [])
  const server = program('Family', '-e', FAMILY)
  const before = await own.list(server)
  const pid = Number(before.tools[0]?.description)
  expect(isRunning(pid)).toBe(true)
  await own.close()
  await expect.poll(() => isRunning(pid)).toBe(false)
})

/** Starts a child process and names its pid in the description of its tool. */
const FAMILY = `
const child = require('node:child_process').spawn('sleep', ['600'])
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const serverInfo = { name: 'family', version: '1' }
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } })
  if (method === 'tools/list') say({ id, result: { tools: [{ name: 'a', description: String(child.pid), inputSchema: { type: 'object' } }] } })
})`

/** A zombie process does not count as running. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
