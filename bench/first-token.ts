import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../src/server/platform/db/db.ts'
import { createLog } from '../src/server/platform/log.ts'
import { databaseUrl } from '../tests/support/database-url.ts'
import { type Product, startProduct } from '../tests/support/product.ts'
import { median, round } from './measure/statistics.ts'
import type { StreamRequest } from './streams/reader.ts'
import { productRoute, type StreamRoute } from './streams/routes.ts'
import { nowUs, scanTokens } from './streams/token.ts'
import { openWire } from './streams/wire.ts'
import { startWorker } from './streams/worker.ts'

/** Process layout of the product, without Redis. */
type Way = 'one process' | 'web and worker'
type Times = { asked_to_first_ms: number; provider_to_first_ms: number; provider_to_second_ms: number }

/**
 * Measures the time from a question to its first token, and from the provider to the reader, with one process and with
 * separate web and worker processes: alternating, one question at a time, on the same machine.
 *
 * --questions 40
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { questions: { type: 'string', default: '40' } } })
  const house = await open()
  const times: Record<Way, Times[]> = { 'one process': [], 'web and worker': [] }
  try {
    // The first question of each layout is a warm-up.
    for (let n = 0; n <= Number(values.questions); n += 1) {
      for (const way of Object.keys(times) as Way[]) {
        const [request] = await house.routes[way](1, TOKENS)
        const time = await ask(request as StreamRequest)
        if (n > 0) times[way].push(time)
      }
    }
  } finally {
    await house.close()
  }
  const one = summarise(times['one process'])
  const two = summarise(times['web and worker'])
  const later = round(two.asked_to_first_ms.p50 - one.asked_to_first_ms.p50, 1)
  return { one_process: one, web_and_worker: two, first_token_later_ms: later }
}

/** Two, because the first is sent immediately and the second is coalesced. */
const TOKENS = 2

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-first-token-'))
  const generator = await startWorker('generator', [], { TOKENS_PER_SECOND: '4' })
  const postgres = await startPostgres({ dataDir: folder, log: createLog('warn') })
  const provider = {
    ATRIUM_COMPATIBLE_URL: `http://127.0.0.1:${generator.hello.port}/v1`,
    ATRIUM_COMPATIBLE_NAME: 'bench',
  }
  const shared = {
    ...provider,
    DATABASE_URL: databaseUrl(postgres.address),
    ATRIUM_SECRET_KEY: randomBytes(16).toString('hex'),
  }
  const start = (name: string, env: Record<string, string>) =>
    startProduct({ dataDir: join(folder, name), entry: 'src/server/main.ts', env })
  const products = [
    await start('worker', { ...shared, ATRIUM_ROLE: 'worker' }),
    await start('web', { ...shared, ATRIUM_ROLE: 'web' }),
    await start('all', provider),
  ]
  const [, web, all] = products as [Product, Product, Product]
  const routes: Record<Way, StreamRoute> = {
    'one process': await productRoute(all.url, 'bench/bench'),
    'web and worker': await productRoute(web.url, 'bench/bench'),
  }
  return {
    routes,
    close: async () => {
      for (const product of products) await product.stop()
      generator.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ask(request: StreamRequest): Promise<Times> {
  const askedUs = nowUs()
  const seen = new Map<number, { atUs: number; sentUs: number }>()
  await new Promise<void>((resolve, reject) => {
    const frames = (text: string) =>
      scanTokens(text, (number, sentUs) => {
        if (!seen.has(number)) seen.set(number, { atUs: nowUs(), sentUs })
      })
    const ended = (error: string | null) => (error === null ? resolve() : reject(new Error(error)))
    openWire({ ...request, lastId: null }, { frames, ended })
  })
  const [first, second] = [seen.get(0), seen.get(1)]
  if (!first || !second) throw new Error('A reply arrived without its tokens.')
  return {
    asked_to_first_ms: (first.atUs - askedUs) / 1e3,
    provider_to_first_ms: (first.atUs - first.sentUs) / 1e3,
    provider_to_second_ms: (second.atUs - second.sentUs) / 1e3,
  }
}

function summarise(times: Times[]) {
  const percentiles = (of: (time: Times) => number) => {
    const sorted = times.map(of).sort((a, b) => a - b)
    return { p50: round(median(sorted)), p95: round(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN) }
  }
  return {
    asked_to_first_ms: percentiles((time) => time.asked_to_first_ms),
    provider_to_first_ms: percentiles((time) => time.provider_to_first_ms),
    provider_to_second_ms: percentiles((time) => time.provider_to_second_ms),
  }
}
