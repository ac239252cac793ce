import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Product, startProduct } from '../tests/support/product.ts'
import { pinTo, shareCores } from './measure/processes.ts'
import { round } from './measure/statistics.ts'
import { atLeast, atMost } from './measure/targets.ts'
import { type LoadResult, runLoad, TOKENS_PER_SECOND, tokensOf } from './streams/load.ts'
import { hotSpots } from './streams/profile.ts'
import { type Climb, climb } from './streams/ramp.ts'
import { plainRoute, productRoute, type StreamRoute } from './streams/routes.ts'
import { startWorker, type Worker } from './streams/worker.ts'

/**
 * Measures how many concurrent replies of 50 tokens per second a server streams, compared with a bare parsing relay on the
 * same cores in the same run. The server has its own cores; provider and readers run on the others.
 *
 * --counts 50,100,200 --seconds 8 --resolution 25 --only floor|product --generators 1 --readers 1
 * --profile one load of the last count with the server's CPU profile
 */
export async function run(args: string[]): Promise<object> {
  const options = readOptions(args)
  const cores = shareCores()
  const setup = await openSetup(options, cores)
  try {
    const measure = async (streams: number, route: StreamRoute, serverPid?: number) => {
      const plan = { streams, seconds: options.seconds }
      const requests = await route(streams, tokensOf(plan))
      const load = await runLoad(plan, requests, { ...setup, serverPid })
      console.error(
        describe(load, serverPid === setup.relay.pid ? 'floor' : serverPid ? 'product' : 'direct'),
      )
      return load
    }
    const through = (way: 'floor' | 'product', streams: number) =>
      way === 'floor'
        ? measure(streams, setup.floorRoute, setup.relay.pid)
        : measure(streams, setup.productRoute, setup.product?.process.pid)
    if (options.profile) {
      const load = await through('product', options.counts.at(-1) ?? 100)
      return { load, ...(await setup.profile(load.tokens)) }
    }
    const result = await climb(options.counts, options.ways, options.resolution, {
      direct: (streams) => measure(streams, setup.directRoute),
      through,
    })
    return { tokens_per_second: TOKENS_PER_SECOND, cores, ...summarise(result, options.ways) }
  } finally {
    await setup.close()
  }
}

type Options = {
  counts: number[]
  seconds: number
  resolution: number
  ways: ('floor' | 'product')[]
  generators: number
  readers: number
  profile: boolean
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      counts: { type: 'string', default: '50,100,200,300,400,500,600,800,1000,1200' },
      seconds: { type: 'string', default: '8' },
      resolution: { type: 'string', default: '25' },
      only: { type: 'string' },
      generators: { type: 'string', default: '1' },
      readers: { type: 'string', default: '1' },
      profile: { type: 'boolean', default: false },
    },
  })
  const all: Options['ways'] = ['floor', 'product']
  return {
    counts: values.counts.split(',').map(Number),
    seconds: Number(values.seconds),
    resolution: Number(values.resolution),
    ways: all.filter((way) => !values.only || values.only === way),
    generators: Number(values.generators),
    readers: Number(values.readers),
    profile: values.profile,
  }
}

async function openSetup(options: Options, cores: { server: number[]; others: number[] }) {
  const generators = [await startWorker('generator', cores.others)]
  const port = generators[0]?.hello.port ?? 0
  if (options.generators > 1) {
    for (const generator of generators.splice(0)) generator.stop()
    const env = { PORT: String(port), SHARE: '1' }
    for (let n = 0; n < options.generators; n += 1)
      generators.push(await startWorker('generator', cores.others, env))
  }
  const readers: Worker[] = []
  for (let n = 0; n < options.readers; n += 1) readers.push(await startWorker('reader', cores.others))
  const provider = `http://127.0.0.1:${port}/v1`
  const relay = await startWorker('relay', cores.server, { PROVIDER_URL: provider })
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const product = options.ways.includes('product')
    ? await startProduct({
        dataDir,
        env: productEnv(provider, options, dataDir),
        prefix: pinTo(cores.server),
      })
    : null
  return {
    generators,
    readers,
    relay,
    product,
    directRoute: plainRoute(`${provider}/chat/completions`),
    floorRoute: plainRoute(`http://127.0.0.1:${relay.hello.port}/stream`),
    productRoute: product ? await productRoute(product.url, 'bench/bench') : noRoute,
    profile: (tokens: number) => stopAndProfile(product, dataDir, tokens),
    close: async () => {
      for (const worker of [...generators, ...readers, relay]) worker.stop()
      await product?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const noRoute: StreamRoute = async () => []

function productEnv(provider: string, { profile }: Options, dataDir: string): Record<string, string> {
  return {
    ATRIUM_COMPATIBLE_URL: provider,
    ATRIUM_COMPATIBLE_NAME: 'bench',
    // One account acts for as many people as there are streams.
    ...{ ATRIUM_LIMIT_STREAMS_PER_USER: '5000', ATRIUM_LIMIT_REPLIES_PER_USER: '5000' },
    ...{ ATRIUM_LIMIT_REQUESTS_AT_ONCE: '5000' },
    ...(profile
      ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval 500 --cpu-prof-dir=${dataDir}/profile` }
      : {}),
  }
}

/** The server writes its profile at its exit. */
async function stopAndProfile(product: Product | null, dataDir: string, tokens: number) {
  await product?.stop()
  return hotSpots(join(dataDir, 'profile'), tokens)
}

function summarise(result: Climb, ways: Options['ways']) {
  const { floor, product } = result.highest
  const whole = result.product.reduce((sum, rung) => sum + rung.lost + rung.repeated + rung.disordered, 0)
  const both = ways.length === 2
  return {
    highest: result.highest,
    ended: result.ended,
    ratio: both && floor > 0 ? round(product / floor, 2) : null,
    targets: both
      ? [
          atLeast('streams with < 50 ms added p95', product, 500, 'streams'),
          atLeast('share of the bare relay', floor > 0 ? round(product / floor, 2) : null, 0.5, ''),
          atMost('lost, repeated or disordered tokens', whole, 0, 'tokens'),
        ]
      : [],
    direct: result.direct,
    floor: result.floor,
    product: result.product,
  }
}

function describe(load: LoadResult, way: string): string {
  const cpu = load.cpu
    ? ` node ${load.cpu.node_percent} % postgres ${load.cpu.postgres_percent} % ${load.cpu.node_us_per_token} µs/token`
    : ''
  const faults = load.lost + load.repeated + load.disordered
  const pace = load.generator.kept_pace
    ? ''
    : ` GENERATOR LATE (${load.generator.sent_share}, p99 ${load.generator.late_p99_ms} ms)`
  const errors = Object.entries(load.errors).map(([message, count]) => ` ${count}× ${message}`)
  return `${way.padEnd(8)} ${String(load.streams).padStart(5)} streams  p50 ${load.p50_ms} p95 ${load.p95_ms} p99 ${load.p99_ms} ms${cpu}${faults ? ` ${faults} FAULTS` : ''}${pace}${errors.join('')}`
}
