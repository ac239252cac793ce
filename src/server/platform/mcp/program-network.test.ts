import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type McpServer } from './mcp.ts'

/** A program whose only tool returns its environment. It starts after a delay in milliseconds. */
const PROGRAM = `
const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n')
const serverInfo = { name: 'tells', version: '1' }
const read = () => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } })
  if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: JSON.stringify(process.env) }] } })
})
setTimeout(read, Number(process.argv[1]))`

const outbound = createOutbound()
const mcp = createMcp(outbound, [])
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await mcp.close()
  await outbound.close()
})

const program = (startMs: number, env: Record<string, string> = {}): McpServer => ({
  ...{ id: `tells ${startMs}`, name: 'Tells' },
  address: { kind: 'stdio', command: process.execPath, args: ['-e', PROGRAM, String(startMs)], env },
})
async function environmentOf(server: McpServer): Promise<Record<string, string>> {
  const happened = await mcp.call(server, { tool: 'env', input: {} }).next()
  if (happened.kind !== 'over') throw new Error(JSON.stringify(happened))
  const [part] = happened.result.content as { text: string }[]
  return JSON.parse(part?.text ?? '')
}

const network = {
  HTTP_PROXY: 'http://proxy.lan:3128',
  https_proxy: 'http://anna:pass-of-proxy@proxy.lan:3128',
  NO_PROXY: 'localhost,.lan',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/house.pem',
  SSL_CERT_FILE: '/etc/ssl/house.pem',
  REQUESTS_CA_BUNDLE: '/etc/ssl/house.pem',
  npm_config_https_proxy: 'http://proxy.lan:3128',
  npm_config_cafile: '/etc/ssl/house.pem',
}

it('gives a program the proxies and certificates of its network, and no settings of Atrium', async () => {
  for (const [name, value] of Object.entries(network)) vi.stubEnv(name, value)
  vi.stubEnv('ATRIUM_SECRET_KEY', 'key-of-atrium')
  vi.stubEnv('npm_config_registry_token', 'token-of-npm')
  const told = await environmentOf(program(0, { NO_PROXY: 'own.lan' }))
  expect(told).toMatchObject({
    ...network,
    // Settings of the server's owner take precedence.
    NO_PROXY: '••••',
    // Only the program sees the password; output masks it.
    https_proxy: 'http://anna:••••@proxy.lan:3128',
  })
  expect(Object.keys(told).filter((name) => /atrium|token/i.test(name))).toEqual([])
})

it('waits for a program that starts more slowly than the response timeout of a server', {
  timeout: 60_000,
}, async () => {
  expect(await environmentOf(program(21_000))).toMatchObject({ PATH: expect.any(String) })
})
