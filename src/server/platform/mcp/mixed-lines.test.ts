import { afterAll, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp } from './mcp.ts'

/** A program that writes each answer as the given template says: M is the message, N is a notification. */
const PROGRAM = `
const [, template] = process.argv
const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })
const say = (m) => process.stdout.write(template.replace('M', () => JSON.stringify(m)).replace('N', () => note) + '\\n')
const serverInfo = { name: 'mixes', version: '1' }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') say({ id, jsonrpc: '2.0', result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } })
  if (method === 'tools/call') say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'a } " { b' }] } })
})`

const outbound = createOutbound()
const mcp = createMcp(outbound, [])
afterAll(async () => {
  await mcp.close()
  await outbound.close()
})

it.each([
  ['text before it', 'Server [1] is "ready: M'],
  ['text after it', 'M done {x}'],
  ['another message before it', 'NM'],
  ['another message after it', 'M N'],
  ['a list around it', '[N,M]'],
  ['a carriage return', 'M\r'],
  ['colours around it', '\u001b[32mM\u001b[0m'],
])('reads a message of a program with %s on its line', async (name, template) => {
  const address = {
    kind: 'stdio' as const,
    command: process.execPath,
    args: ['-e', PROGRAM, template],
    env: {},
  }
  const happened = await mcp.call({ id: name, name: 'Mixes', address }, { tool: 'work', input: {} }).next()
  expect(happened).toMatchObject({ kind: 'over', result: { content: [{ text: 'a } " { b' }] } })
})
