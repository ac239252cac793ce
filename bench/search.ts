import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { madeText } from '../tests/support/made-library.ts'
import type { Product } from '../tests/support/product.ts'
import { memoryMb, processTree } from './measure/processes.ts'
import { median, round } from './measure/statistics.ts'
import { atLeast, atMost, below, type Target } from './measure/targets.ts'
import { openBare } from './search/bare.ts'
import { type House, openHouse, TENANTS } from './search/house.ts'
import { hotSpots } from './streams/profile.ts'

/**
 * Measures a search through the API, alternating with the same two searches of the bare engine in the same run; recall
 * against an exhaustive comparison; the first search immediately and some seconds after a start; retrieval for an answer;
 * memory. Passages and vectors are generated from a seed.
 *
 * --sizes 10000,100000 --million --queries 200 --profile
 * --data folder keeps the searched data there for the next time
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000' },
      million: { type: 'boolean', default: false },
      queries: { type: 'string', default: '200' },
      profile: { type: 'boolean', default: false },
      data: { type: 'string' },
    },
  })
  const sizes = [...values.sizes.split(',').map(Number), ...(values.million ? [1_000_000] : [])]
  const measured: Awaited<ReturnType<typeof measure>>[] = []
  for (const size of sizes) {
    const kept = values.data ? join(values.data, String(size)) : null
    measured.push(await measure(size, Number(values.queries), values.profile, kept))
  }
  return {
    about: `made vectors in clusters and made words (seeded), ${TENANTS} tenants; the question is embedded by a provider on this machine`,
    sizes: measured.map(({ targets: _, ...figures }) => figures),
    targets: measured.flatMap(({ targets }) => targets),
  }
}

const WARM_UP = 20
const LIMIT = 10
/** Milliseconds after which a server has finished loading. */
const SETTLED_MS = 4_000
/** Number of answers whose retrieval is measured. */
const ANSWERS = 40

async function measure(size: number, queries: number, isProfiled: boolean, kept: string | null) {
  const house = await openHouse(size, undefined, kept)
  const bare = await openBare(house.location, house.library.table_name)
  try {
    const first = await house.start()
    const atOnce = await timeOf(() => ask(first, house, 0))
    await first.stop()
    const product = await house.start(
      isProfiled
        ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval 500 --cpu-prof-dir=${house.folder}/profile` }
        : {},
    )
    const memory = () => memoryMb(processTree(product.process.pid ?? 0).map(({ pid }) => pid))
    // Some code loads a second after a start, which is not idle.
    const idle = memory()
    await sleep(SETTLED_MS)
    const cold = await timeOf(() => ask(product, house, 0))
    const times = { api: [] as number[], bare: [] as number[] }
    const recalls: number[] = []
    for (let n = 0; n < WARM_UP + queries; n += 1) {
      const { vector, text, user } = question(house, n)
      const api = await timeOf(() => ask(product, house, n))
      const own = await timeOf(() => bare.hybrid(vector, text, user.id))
      if (n < WARM_UP) continue
      times.api.push(api)
      times.bare.push(own)
      if (n % 2 === 0) recalls.push(await recall(product, house, bare, n))
    }
    const open = memory()
    const answers: number[] = []
    for (let n = 0; n < ANSWERS; n += 1) answers.push(await untilAsked(product, house, n))
    await product.stop()
    const retrieval = { p50: median(answers), p95: p95(answers) }
    const api = { p50: median(times.api), p95: p95(times.api) }
    const own = { p50: median(times.bare), p95: p95(times.bare) }
    const mean = recalls.reduce((sum, one) => sum + one, 0) / recalls.length
    return {
      ...{
        passages: size,
        queries,
        api_ms: rounded(api),
        bare_ms: rounded(own),
        ratio: round(api.p50 / own.p50, 2),
        retrieval_ms: rounded(retrieval),
      },
      ...{
        recall_at_10: round(mean, 4),
        first_search_ms: { at_once: round(atOnce, 0), settled: round(cold, 0) },
      },
      memory_mb: { idle: round(idle, 0), open: round(open, 0) },
      ...(isProfiled && { hot_spots: hotSpots(`${house.folder}/profile`, queries) }),
      targets: targetsOf(size, {
        ...{ ...api, ratio: api.p50 / own.p50, recall: mean, atOnce, cold, memory: open - idle },
        retrieval: retrieval.p95,
      }),
    }
  } finally {
    bare.close()
    await house.close()
  }
}

type Figures = Record<'p95' | 'ratio' | 'recall' | 'atOnce' | 'cold' | 'memory' | 'retrieval', number>

/** Returns the targets, which apply to a hundred thousand passages. */
function targetsOf(size: number, figures: Figures): Target[] {
  if (size !== 100_000) return []
  const { p95, ratio, recall, atOnce, cold, memory, retrieval } = figures
  return [
    atMost('hybrid search through the API beside the bare engine, p50', round(ratio, 2), 1.5, '×'),
    below('hybrid search through the API, p95', round(p95, 1), 60, 'ms'),
    atLeast('recall@10 against exact', round(recall, 3), 0.98, ''),
    below('first search, at once after a start', round(atOnce / 1000, 2), 1, 's'),
    below('first search, four seconds after a start', round(cold / 1000, 2), 1, 's'),
    below('memory above idle', round(memory, 0), 400, 'MB'),
    below('retrieval for an answer, until its model is asked, p95', round(retrieval, 0), 300, 'ms'),
  ]
}

function question({ people, questionVector }: House, n: number) {
  const text = `${madeText(n, 8, 11)} ${n}`
  const user = people[n % people.length]
  if (!user) throw new Error('there is no user')
  return { text, user, vector: questionVector(text) }
}

const connection = new Agent({ keepAlive: true, maxSockets: 1 })

/** Uses a keep-alive connection and the plainest client, because `fetch` adds milliseconds. */
async function ask({ url }: Product, house: House, n: number, more: object = {}): Promise<string[]> {
  const { text, user } = question(house, n)
  const asked = request(`${url}/api/v1/search_and_rerank/search_and_rerank`, {
    method: 'POST',
    agent: connection,
    headers: { ...user.headers, 'content-type': 'application/json' },
  })
  asked.end(JSON.stringify({ query: text, limit: LIMIT, ...more }))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const said = Buffer.concat(await answer.toArray()).toString()
  if (answer.statusCode !== 200) throw new Error(`a search was answered ${answer.statusCode}: ${said}`)
  const { objects } = JSON.parse(said) as { objects: { id: string }[] }
  if (objects.length !== LIMIT) throw new Error(`a search found ${objects.length}`)
  return objects.map(({ id }) => id)
}

/** Returns the milliseconds from a question until its model is called: found, ranked by words, and read again. */
async function untilAsked({ url }: Product, house: House, n: number): Promise<number> {
  const { text: query, user } = question(house, n)
  const from = performance.now()
  const answer = await fetch(`${url}/api/v1/rag/generate`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, model: 'atrium/offline', reranker_name: 'lexical_reranker', limit: 20 }),
  })
  let said = ''
  let at = 0
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    said += piece
    if (at === 0 && said.includes('"phase":"GENERATION"')) at = performance.now() - from
  }
  if (at === 0 || !said.includes('event: rag_answered')) throw new Error(`no answer: ${said.slice(0, 500)}`)
  return at
}

/** Returns the share of a tenant's ten nearest passages that a vector search through the API finds. */
async function recall(product: Product, house: House, bare: Awaited<ReturnType<typeof openBare>>, n: number) {
  const { vector, user } = question(house, n)
  const found = new Set(await ask(product, house, n, { hybrid_search: false }))
  const exact = await bare.exact(vector, user.id, LIMIT)
  return exact.filter((id) => found.has(id)).length / exact.length
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const p95 = (times: number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN

const rounded = ({ p50, p95: high }: { p50: number; p95: number }) => ({ p50: round(p50), p95: round(high) })
