import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type McpBridge, startMcpBridge } from '#tests/mcp-bridge.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { createMcp, type Mcp, type McpServer } from './mcp.ts'

const packages = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol')
const folder = mkdtempSync(join(tmpdir(), 'atrium-reference-'))
const place = (name: string) => join(folder, name)
const ada = { name: 'Ada', entityType: 'person', observations: ['counts'] }
const knows = { from: 'Ada', to: 'Ada', relationType: 'knows' }

/** Every tool of the reference servers with inputs, ordered so that each finds what it needs, and a text its answer contains. */
const calls: Record<string, [string, Record<string, unknown>, string][]> = {
  everything: [
    ['echo', { message: 'Seven boxes' }, 'Seven boxes'],
    ['get-annotated-message', { messageType: 'error', includeImage: true }, 'Error'],
    ['get-env', {}, 'PATH'],
    ['get-resource-links', { count: 2 }, 'resource_link'],
    ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }, 'demo://resource/dynamic/blob/2'],
    ['get-structured-content', { location: 'Chicago' }, 'temperature'],
    ['get-sum', { a: 20, b: 22 }, '42'],
    ['get-tiny-image', {}, 'image/png'],
    [
      'gzip-file-as-resource',
      { name: 'a.gz', data: 'data:text/plain,seven', outputType: 'resource' },
      'gzip',
    ],
    ['toggle-simulated-logging', {}, 'logging'],
    ['toggle-subscriber-updates', {}, 'updates'],
    ['trigger-long-running-operation', { duration: 0.2, steps: 2 }, 'completed'],
    ['trigger-elicitation-request', {}, 'declined'],
    // It only works as a task, as its server says.
    ['simulate-research-query', { topic: 'boxes' }, 'task'],
  ],
  filesystem: [
    ['read_file', { path: place('note.txt') }, 'Seven boxes.'],
    ['read_text_file', { path: place('note.txt'), head: 1 }, 'Seven boxes.'],
    ['read_media_file', { path: place('dot.png') }, 'image/png'],
    ['read_multiple_files', { paths: [place('note.txt')] }, 'Seven boxes.'],
    ['write_file', { path: place('new.txt'), content: 'One box.' }, 'new.txt'],
    ['edit_file', { path: place('new.txt'), edits: [{ oldText: 'One', newText: 'Two' }] }, '+Two box.'],
    ['create_directory', { path: place('inside') }, 'inside'],
    ['list_directory', { path: folder }, 'inside'],
    ['list_directory_with_sizes', { path: folder }, 'note.txt'],
    ['directory_tree', { path: folder }, 'note.txt'],
    ['move_file', { source: place('new.txt'), destination: place('inside/moved.txt') }, 'moved.txt'],
    ['search_files', { path: folder, pattern: '**/moved.txt' }, 'moved.txt'],
    ['get_file_info', { path: place('note.txt') }, 'size'],
    ['list_allowed_directories', {}, folder],
  ],
  memory: [
    ['create_entities', { entities: [ada] }, 'Ada'],
    ['create_relations', { relations: [knows] }, 'knows'],
    ['add_observations', { observations: [{ entityName: 'Ada', contents: ['writes'] }] }, 'writes'],
    ['read_graph', {}, 'writes'],
    ['search_nodes', { query: 'counts' }, 'Ada'],
    ['open_nodes', { names: ['Ada'] }, 'person'],
    ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['writes'] }] }, 'success'],
    ['delete_relations', { relations: [knows] }, 'success'],
    ['delete_entities', { entityNames: ['Ada'] }, 'success'],
  ],
}
const prompts: Record<string, Record<string, string>> = {
  'simple-prompt': {},
  'args-prompt': { city: 'Lyon' },
  'completable-prompt': { department: 'Engineering', name: 'Alice' },
  'resource-prompt': { resourceType: 'Text', resourceId: '1' },
}
/** Storage file of the memory server. */
const env = { MEMORY_FILE_PATH: place('memory.json') }
const argsOf = (name: string) => [
  ...[join(packages, `server-${name}/dist/index.js`), ...(name === 'filesystem' ? [folder] : [])],
]

const outbound = createOutbound()
const bridges = new Map<string, McpBridge>()
let mcp: Mcp
beforeAll(async () => {
  for (const name of Object.keys(calls)) bridges.set(name, await startMcpBridge(argsOf(name), env))
  mcp = createMcp(
    outbound,
    [...bridges.values()].map(({ url }) => url),
  )
})
afterAll(async () => {
  await mcp.close()
  await outbound.close()
  for (const bridge of bridges.values()) await bridge.close()
  rmSync(folder, { recursive: true, force: true })
})

const ways: Record<string, (name: string) => McpServer> = {
  stdio: (name) => ({
    ...{ id: `stdio ${name}`, name },
    address: { kind: 'stdio', command: process.execPath, args: argsOf(name), env },
  }),
  'streamable HTTP': (name) => ({
    ...{ id: `http ${name}`, name },
    address: { kind: 'http', url: bridges.get(name)?.url ?? '', headers: {}, account: null },
  }),
}

/** Returns the outcome of a call as one text. Questions are declined. */
async function done(server: McpServer, tool: string, input: Record<string, unknown>): Promise<string> {
  const exchange = mcp.call(server, { tool, input })
  for (;;) {
    const happened = await exchange.next()
    if (happened.kind === 'asks') exchange.answer({ action: 'decline' })
    else if (happened.kind === 'over') return JSON.stringify(happened.result)
    else return String(happened.error)
  }
}

describe.each(Object.keys(ways))('the reference servers over %s', (way) => {
  const at = (name: string) => (ways[way] as (name: string) => McpServer)(name)

  it.each(Object.keys(calls))('do every one of their calls: %s', { timeout: 60_000 }, async (name) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(place('note.txt'), 'Seven boxes.')
    writeFileSync(place('dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    const listed = await mcp.list(at(name))
    const wanted = calls[name] ?? []
    expect(wanted.map(([tool]) => tool).sort()).toEqual(listed.tools.map((tool) => tool.name).sort())
    for (const [tool, input, said] of wanted) expect(await done(at(name), tool, input), tool).toContain(said)
  })

  it('write every prompt and return every resource', { timeout: 60_000 }, async () => {
    const listed = await mcp.list(at('everything'))
    expect(listed.prompts.map(({ name }) => name).sort()).toEqual(Object.keys(prompts).sort())
    for (const [name, given] of Object.entries(prompts)) {
      const messages = await mcp.getPrompt(at('everything'), name, given)
      expect(messages.length, name).toBeGreaterThan(0)
    }
    expect(listed.resources.length).toBeGreaterThan(7)
    for (const { uri } of listed.resources) {
      const [part] = await mcp.readResource(at('everything'), uri.replace(/\{\w+\}/, '3'))
      expect((part?.text ?? part?.blob ?? '').length, uri).toBeGreaterThan(0)
    }
    const [graph] = (await mcp.list(at('memory'))).resources
    expect((await mcp.readResource(at('memory'), graph?.uri ?? ''))[0]?.text).toContain('entities')
  })
})
