import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeRequests } from '../support/fuzz/crowd.ts'
import { type FuzzedProduct, startFuzzedProduct } from '../support/fuzz/fuzzed-product.ts'
import { type HostileService, startHostileService } from '../support/fuzz/hostile-service.ts'
import { fillProduct, type People } from '../support/fuzz/rows.ts'
import { type HostileMcpServer, startHostileMcpServer } from '../support/hostile-mcp-server.ts'

/** Maximum main-thread CPU time between two moments at which other requests are served. */
const STALL_MS = 50
const MEMORY_BYTES = 64e6
const CONCURRENT = 6
const isWhole = Boolean(process.env.FAULTS_COUNT)
const ATTACK_MS = isWhole ? 15_000 : 4_000
const ROUNDS = 3

let service: HostileService
let mcp: HostileMcpServer
let fuzzed: FuzzedProduct
let shared: FuzzedProduct
let people: People
let sharedPeople: People
beforeAll(async () => {
  service = await startHostileService()
  mcp = await startHostileMcpServer()
  const env = {
    ATRIUM_TOOLS_PRIVATE: `${service.url},${new URL(mcp.url('')).origin}`,
    ATRIUM_WEB_PRIVATE: service.url,
    SEARXNG_URL: `${service.url}/searxng`,
    ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
  }
  fuzzed = await startFuzzedProduct(env)
  shared = await startFuzzedProduct({ ...env, ATRIUM_LIMIT_SHARE_PERCENT: '8' })
  people = await fillProduct(fuzzed)
  sharedPeople = await fillProduct(shared)
})
afterAll(async () => {
  await fuzzed.close()
  await shared.close()
  await mcp.close()
  await service.close()
})

type Asking = { what: string; path: string; body: object }

/** The ways for an ordinary account to make the server read an answer of its choice. */
const ways: Record<string, (name: string) => Omit<Asking, 'what'>> = {
  tool: (name) => {
    const call = { method: 'GET', address: `${service.url}/${name}`, inputs: [] }
    return { path: '/tools/try', body: { call, auth: { kind: 'none' }, inputs: {} } }
  },
  MCP: (kind) => ({
    path: '/mcp-servers',
    body: { name: `m-${kind}`, address: { kind: 'http', url: mcp.url(`${kind}/json`) } },
  }),
  description: (name) => ({ path: '/tools/openapi/read', body: { address: `${service.url}/${name}` } }),
  preview: (name) => ({ path: '/link-previews', body: { url: `${service.url}/${name}?${Math.random()}` } }),
  search: (query) => ({ path: '/tools/web_search/execute', body: { inputs: { query } } }),
}
const askingFor = (way: string, name: string): Asking => ({ what: `${way} ${name}`, ...ways[way]!(name) })

const names = {
  tool: ['deep', 'many', 'large'],
  MCP: ['deep', 'many', 'huge', 'wrong'],
  description: ['deep', 'many', 'deep-description', 'many-paths', 'yaml-aliases', 'large'],
  preview: ['deep-page', 'open-links', 'many-heads', 'large-page', 'large'],
  search: ['harbour', 'large answer', 'large page'],
}
const askings = () => Object.entries(names).flatMap(([way, all]) => all.map((name) => askingFor(way, name)))

/** Connects an MCP server and returns the call of its tool. */
async function connectTool(place: FuzzedProduct, people: People, kind: string): Promise<Asking> {
  const body = { name: kind, address: { kind: 'http', url: mcp.url(`call-${kind}/json`) } }
  const { text } = await ask(place, people, { what: kind, path: '/mcp-servers', body })
  const [tool] = (JSON.parse(text) as { tools: { id: string }[] }).tools
  return { what: `MCP result ${kind}`, path: `/tools/${tool?.id}/execute`, body: { inputs: {} } }
}

/** Sends a request. Waits for the end of an execution that it starts, and allows what the tool asks first. */
async function ask({ product }: FuzzedProduct, { tokens }: People, { path, body }: Asking) {
  const headers = { authorization: `Bearer ${tokens.user}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, body: body && JSON.stringify(body) }
    const answer = await fetch(`${product.url}/api/v1${path}`, init)
    return { status: answer.status, text: await answer.text() }
  }
  const first = await send('POST', path, body)
  const id = /"tool_execution_id":"([\w-]+)"/.exec(first.text)?.[1]
  if (!id) return first
  let isAllowed = false
  for (const until = performance.now() + 40_000; performance.now() < until; await sleep(50)) {
    const { text } = await send('GET', `/tool-executions/${id}`)
    const { finished_at, request } = JSON.parse(text) as Execution
    if (finished_at !== null) return { status: first.status, text }
    if (request === null || isAllowed) continue
    isAllowed = true
    await send('POST', `/tool-executions/${id}/provide-input`, { input: true, input_type: 'boolean' })
  }
  throw new Error(`The execution of ${path} does not end.`)
}

type Execution = { finished_at: string | null; request: unknown }

/** Returns the resident memory of the server, including its threads. */
const residentBytes = ({ product }: FuzzedProduct) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.process.pid}/status`, 'utf8'))?.[1]) * 1024

describe('ordinary user whose services send hostile answers', () => {
  it('never stalls the event loop and always gets a one-sentence error', { timeout: 600_000 }, async () => {
    const stalls: { what: string; stalledMs: number }[] = []
    for (const asking of askings()) {
      let stalledMs = Number.POSITIVE_INFINITY
      // Code that the first attempt loads or compiles is not measured again.
      for (let n = 0; n < 4 && stalledMs >= STALL_MS; n += 1) {
        await fuzzed.reset()
        const { status, text } = await ask(fuzzed, people, asking)
        expect(status, `${asking.what}: ${text.slice(0, 300)}`).toBeLessThan(503)
        expect(text, asking.what).not.toMatch(/call stack|Invalid string length|heap/i)
        stalledMs = Math.min(stalledMs, Math.round((await fuzzed.read()).stalledMs))
      }
      stalls.push({ what: asking.what, stalledMs })
    }
    stalls.sort((a, b) => b.stalledMs - a.stalledMs)
    console.log('the longest turns:', stalls.slice(0, 6))
    expect(stalls.filter(({ stalledMs }) => stalledMs >= STALL_MS)).toEqual([])
    expect(fuzzed.isSameProcess()).toBe(true)
  })

  it('adds less than 64 MB for an answer of 60 MB', { timeout: 120_000 }, async () => {
    const large = askings().filter(({ what }) => /large|huge/.test(what))
    expect(new Set(large.map(({ what }) => what.split(' ')[0]))).toEqual(new Set(Object.keys(ways)))
    large.push(await connectTool(fuzzed, people, 'huge'))
    const small = Object.keys(ways).map((way) => askingFor(way, way === 'search' ? 'small page' : 'ok'))
    small.push(await connectTool(fuzzed, people, 'ok'))
    // Loads the code. All answers are compared with this moment, because the process keeps the memory that one of them took.
    for (const asking of small) await ask(fuzzed, people, asking)
    await fuzzed.collect()
    await sleep(500)
    const before = residentBytes(fuzzed)
    const grown: { what: string; mb: number; said: string }[] = []
    for (const asking of large) {
      let peak = before
      const watching = setInterval(() => {
        peak = Math.max(peak, residentBytes(fuzzed))
      }, 5)
      const { text } = await ask(fuzzed, people, asking)
      clearInterval(watching)
      grown.push({ what: asking.what, mb: Math.round((peak - before) / 1e6), said: text.slice(0, 60) })
    }
    console.log('memory added:', grown)
    expect(grown.filter(({ mb }) => mb * 1e6 >= MEMORY_BYTES)).toEqual([])
  })

  it('delays other requests little', { timeout: 300_000 }, async () => {
    const headers = { authorization: `Bearer ${sharedPeople.tokens.stranger}` }
    const measure = (ms: number) => {
      const until = performance.now() + ms
      return timeRequests(`${shared.product.url}/api/v1/sessions`, headers, () => performance.now() > until)
    }
    await measure(1_000)
    const all = askings()
    // The best round counts: other work on the machine slows some rounds and never speeds one up.
    const rounds: { idle: number; others: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await measure(ATTACK_MS / 2)
      const until = performance.now() + ATTACK_MS + 300
      let next = round
      const attacker = async () => {
        while (performance.now() < until) await ask(shared, sharedPeople, all[next++ % all.length] as Asking)
      }
      const attack = Promise.all(Array.from({ length: CONCURRENT }, attacker))
      await sleep(300)
      const others = await measure(ATTACK_MS)
      await attack
      console.log('idle', idle, 'under attack', others)
      rounds.push({ idle: idle.p95, others: others.p95 })
    }
    const added = rounds.map(({ idle, others }) => others - 2 * idle)
    expect(Math.min(...added)).toBeLessThan(isWhole ? 1 : 25)
  })
})
