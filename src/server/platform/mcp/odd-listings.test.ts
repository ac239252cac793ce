import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { aTool, startWebMcpServer } from '#tests/web-mcp-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp } from './mcp.ts'

const outbound = createOutbound()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => outbound.close())

async function listOf(script: Parameters<typeof startWebMcpServer>[0]) {
  const server = await startWebMcpServer(script)
  const mcp = createMcp(outbound, [server.url])
  closing.push(mcp.close, server.close)
  const address = { kind: 'http' as const, url: server.url, headers: {}, account: null }
  return mcp.list({ id: 'one', name: 'Odd', address })
}
const withInputs = (name: string, inputSchema: unknown) => aTool(name, { inputSchema })
const q = { type: 'string' }

describe('odd tool in a list', () => {
  it.each<[why: string, tool: unknown, refused: { name: string; why: string }]>([
    ['without a name', aTool(''), { name: '', why: 'name' }],
    ['whose name is a number', { ...aTool('x'), name: 7 }, { name: '', why: 'name' }],
    ['with a long name', aTool('x'.repeat(150)), { name: 'x'.repeat(100), why: 'name' }],
    ['with a name of invisible characters', aTool('a\u202eb'), { name: 'ab', why: 'name' }],
    ['that is null', null, { name: '', why: 'name' }],
    ['whose inputs are a text', withInputs('odd', { type: 'string' }), { name: 'odd', why: 'inputs' }],
    ['whose inputs are a list', withInputs('odd', []), { name: 'odd', why: 'inputs' }],
    ['whose schema is a word', withInputs('odd', 'object'), { name: 'odd', why: 'inputs' }],
    [
      'with a huge schema',
      withInputs('odd', { type: 'object', description: 'x'.repeat(70_000) }),
      { name: 'odd', why: 'large' },
    ],
  ])('%s is left out and named; the others are listed', async (_, tool, refused) => {
    const listing = await listOf({ tools: [aTool('first'), tool, aTool('last')] })
    expect(listing.tools.map(({ name }) => name)).toEqual(['first', 'last'])
    expect(listing).toMatchObject({ left: 1, refused: [refused] })
  })

  it.each<[how: string, tool: object, inputs: object]>([
    ['without a type', withInputs('odd', { properties: { q } }), { type: 'object', properties: { q } }],
    ['without a schema', withInputs('odd', undefined), { type: 'object' }],
    ['with null for a schema', withInputs('odd', null), { type: 'object' }],
    [
      'with several types',
      withInputs('odd', { type: ['object', 'null'], properties: { q } }),
      { type: 'object', properties: { q } },
    ],
    ['with null for properties', withInputs('odd', { type: 'object', properties: null }), { type: 'object' }],
    [
      'with a property that is a word',
      withInputs('odd', { type: 'object', properties: { q, p: 'string' } }),
      { properties: { q, p: {} } },
    ],
    [
      'with a required that is a flag',
      withInputs('odd', { type: 'object', properties: { q }, required: true }),
      { properties: { q } },
    ],
    [
      'with a required of numbers',
      withInputs('odd', { type: 'object', properties: { q }, required: ['q', 1] }),
      { required: ['q'] },
    ],
    [
      'with a wrong $schema',
      withInputs('odd', { $schema: 7, type: 'object', properties: { q } }),
      { properties: { q } },
    ],
  ])('%s is mended', async (_, tool, inputs) => {
    const listing = await listOf({ tools: [aTool('first'), tool] })
    expect(listing).toMatchObject({ left: 0, refused: [] })
    expect(listing.tools[1]).toMatchObject({ name: 'odd', input_schema: inputs })
  })

  it.each<[string, object]>([
    ['hints', { annotations: 'reads' }],
    ['meta', { _meta: [1] }],
    ['description', { description: { en: 'x' } }],
    ['title', { title: 7 }],
    ['output schema', { outputSchema: 'none' }],
  ])('keeps a tool whose %s is wrong', async (_, more) => {
    const listing = await listOf({ tools: [aTool('first'), aTool('odd', more)] })
    expect(listing.tools.map(({ name }) => name)).toEqual(['first', 'odd'])
  })

  it('names tools beyond the maximum', async () => {
    const listing = await listOf({ tools: Array.from({ length: 203 }, (_, at) => aTool(`t${at}`)) })
    expect(listing.tools).toHaveLength(200)
    expect(listing.refused).toEqual(['t200', 't201', 't202'].map((name) => ({ name, why: 'many' })))
  })
})

describe('server with unusual answers when connecting', () => {
  it.each<[string, Record<string, unknown>]>([
    ['leaves out its version', { serverInfo: { name: 'odd' } }],
    ['says nothing of itself', { serverInfo: null }],
    ['has null for what it does not offer', { capabilities: { tools: {}, prompts: null } }],
    ['has true for what it offers', { capabilities: { tools: true } }],
    ['has null for its instructions', { instructions: null }],
  ])('%s: its tools are listed', async (_, initialized) => {
    expect((await listOf({ initialized })).tools).toHaveLength(1)
  })

  it('ends its list with an empty cursor', async () => {
    const listing = await listOf({
      answer: (one, response) => {
        if (one.method !== 'tools/list') return false
        const result = { tools: [aTool('one')], nextCursor: '' }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: one.id, result }))
        return true
      },
    })
    expect(listing.tools).toHaveLength(1)
  })
})
