import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type McpBridge, startMcpBridge } from '#tests/mcp-bridge.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpServer } from './mcp.ts'

const scripted = join(import.meta.dirname, '../../../../tests/support/mcp-server.ts')
const notes = join(mkdtempSync(join(tmpdir(), 'atrium-mcp-heard-')), 'heard')
const outbound = createOutbound()
let bridge: McpBridge
let changing: McpBridge
let mcp: Mcp
beforeAll(async () => {
  bridge = await startMcpBridge([scripted, 'hang'])
  changing = await startMcpBridge([scripted, 'changes'])
  mcp = createMcp(outbound, [bridge.url, changing.url])
})
afterAll(async () => {
  await mcp.close()
  await outbound.close()
  await bridge.close()
  await changing.close()
})

const onWeb = ({ url }: McpBridge): McpServer => ({
  ...{ id: url, name: 'On the web' },
  address: { kind: 'http', url, headers: {}, account: null },
})
const program = (): McpServer => ({
  ...{ id: 'program', name: 'A program' },
  address: { kind: 'stdio', command: process.execPath, args: [scripted, 'hang', '-', notes], env: {} },
})

describe('abandoned call', () => {
  it.each([
    ['stdio', program, () => readFileSync(notes, 'utf8').split('\n')],
    ['streamable HTTP', () => onWeb(bridge), () => bridge.heard],
  ])('is told to its server over %s', async (_, server, heard) => {
    const exchange = mcp.call(server(), { tool: 'double', input: {} })
    await expect.poll(heard).toContain('tools/call')
    exchange.cancel(new Error('stopped'))
    expect(await exchange.next()).toMatchObject({ kind: 'failed', error: new Error('stopped') })
    await expect.poll(heard).toContain('notifications/cancelled')
  })
})

it('receives list changes over streamable HTTP', async () => {
  const heard: string[] = []
  mcp.onChanged((id) => heard.push(id))
  await mcp.list(onWeb(changing))
  await expect.poll(() => heard).toContain(changing.url)
})
