import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileMcpServer, startHostileMcpServer } from '#tests/hostile-mcp-server.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpServer } from './mcp.ts'

const scripted = join(import.meta.dirname, '../../../../tests/support/mcp-server.ts')
const outbound = createOutbound()
let hostile: HostileMcpServer
let mcp: Mcp
beforeAll(async () => {
  hostile = await startHostileMcpServer()
  mcp = createMcp(outbound, [hostile.url('')])
})
afterAll(async () => {
  await mcp.close()
  await outbound.close()
  await hostile.close()
})

const onWeb = (kind: string, headers: Record<string, string> = {}): McpServer => ({
  ...{ id: kind, name: 'Hostile' },
  address: { kind: 'http', url: hostile.url(kind), headers, account: null },
})
const program = (mode: string, env: Record<string, string> = {}): McpServer => ({
  ...{ id: mode, name: 'Hostile' },
  address: { kind: 'stdio', command: process.execPath, args: [scripted, mode], env },
})
async function call(server: McpServer, tool = 't') {
  const happened = await mcp.call(server, { tool, input: {} }).next()
  if (happened.kind === 'failed') throw happened.error
  return happened
}

const sentences: [string, string][] = [
  ['deep', 'The answer is too deeply nested.'],
  ['many', 'The answer has too many values.'],
  ['huge', 'The answer is too large.'],
]

describe.each(['json', 'events'])('MCP server that answers with %s to stall its reader', (how) => {
  it.each(sentences)('has its tool list refused in one sentence: %s', async (kind, detail) => {
    await expect(mcp.list(onWeb(`${kind}/${how}`))).rejects.toMatchObject({ detail })
  })

  it.each(sentences)('has its result refused in one sentence: %s', async (kind, detail) => {
    await expect(call(onWeb(`call-${kind}/${how}`))).rejects.toMatchObject({ detail })
  })

  it('has invalid entries omitted', async () => {
    expect(await mcp.list(onWeb(`wrong/${how}`))).toMatchObject({ tools: [], left: 9_000 })
    expect(await call(onWeb(`call-wrong/${how}`))).toMatchObject({ result: { content: [] } })
  })

  it('has a long text truncated with a notice', async () => {
    const happened = await call(onWeb(`call-long/${how}`))
    const text = expect.stringMatching(/^x{1000000} \[…, 1000000 characters left out\]$/)
    expect(happened).toMatchObject({ result: { content: [{ type: 'text', text }] } })
  })

  it('never has its results validated against its own schemas', { timeout: 10_000 }, async () => {
    const server = onWeb(`schema/${how}`)
    expect((await mcp.list(server)).tools).toHaveLength(1)
    expect(await call(server)).toMatchObject({
      result: { structuredContent: { q: expect.stringMatching(/!$/) } },
    })
  })
})

describe('program that tries to stall its reader', () => {
  it.each([
    ['deep', 'The answer is too deeply nested.'],
    ['many', 'The answer has too many values.'],
  ])('is refused in one sentence: %s', async (mode, detail) => {
    await expect(call(program(mode), 'double')).rejects.toMatchObject({ detail })
  })
})

describe('server that echoes its input', () => {
  it.each(['json', 'events'])(
    'shows no secret of its headers to users of its tools, with %s',
    async (how) => {
      const secret = 'S3CRET a/b&"c'
      const server = onWeb(`echo/${how}`, {
        ...{ 'x-key': secret, authorization: `Basic ${btoa(`anna:${secret}`)}` },
      })
      const shown = JSON.stringify(await call(server))
      expect(shown).toContain('••••')
      expect(shown).not.toMatch(/S3CRET|UzNDUkVU|YW5uYTpTM0/)
    },
  )

  it('shows no secret of its environment', async () => {
    const shown = JSON.stringify(await call(program('says', { SAYS: 'S3CRET/&"12' }), 'double'))
    expect(shown).toContain('••••')
    expect(shown).not.toContain('S3CRET')
  })
})
