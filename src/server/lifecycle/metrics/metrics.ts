import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import { isFromThisMachine } from '../../platform/http/foreign-pages.ts'
import type { Server } from '../../platform/http/serve.ts'
import type { Gauge } from '../../platform/telemetry/metrics.ts'
import type { Deps } from '../../tools/deps.ts'
import { readQueueState } from '../queue/queue.ts'

/** Timeout of the queue query. */
const PATIENCE_MS = 2_000

/** Serves this process's metrics at `/metrics`. Without the setting the route does not exist. */
export function serveMetrics(server: Pick<Server, 'http' | 'turns'>, deps: Deps): void {
  const { metrics } = deps.telemetry
  if (!metrics) return
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  server.http.addHook('onClose', async () => void delay.disable())
  addRoute(server, {
    ...{ method: 'GET', url: '/metrics', body: null, isUrgent: true },
    enter: async (request) => {
      assertMayRead(request, deps.config)
      return 'metrics'
    },
    handle: async (_, reply) => {
      const now = [...measureProcess(delay), ...(await measureInstallation(deps))]
      reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8')
      return metrics.write(now)
    },
  })
}

/** @throws AppError `unauthenticated`, `forbidden` */
function assertMayRead(
  request: FastifyRequest,
  { ATRIUM_METRICS, ATRIUM_METRICS_TOKEN }: Deps['config'],
): void {
  const given = /^Bearer (\S{1,500})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (ATRIUM_METRICS_TOKEN && given && timingSafeEqual(digest(given), digest(ATRIUM_METRICS_TOKEN))) return
  const address = request.socket.remoteAddress ?? ''
  const isHere = /^(127\.|::1$|::ffff:127\.)/.test(address) && isFromThisMachine(request)
  if (ATRIUM_METRICS === 'loopback' && isHere) return
  if (ATRIUM_METRICS_TOKEN)
    throw new AppError('unauthenticated', 'Send the token of ATRIUM_METRICS_TOKEN as a bearer token.')
  throw new AppError('forbidden', 'Metrics are read on this machine alone, by its loopback address.')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function measureProcess(delay: ReturnType<typeof monitorEventLoopDelay>): Gauge[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const late = Math.max(0, delay.percentile(99) / 1e9)
  delay.reset()
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, type: 'gauge', value })
  return [
    {
      ...gauge('process_cpu_seconds_total', 'Processor time of this process.', (user + system) / 1e6),
      type: 'counter',
    },
    gauge('process_resident_memory_bytes', 'Memory of this process.', rss),
    gauge('process_start_time_seconds', 'When it began.', Math.round(Date.now() / 1000 - process.uptime())),
    gauge('nodejs_heap_used_bytes', 'Memory of its objects.', heapUsed),
    gauge('atrium_event_loop_delay_p99_seconds', 'How late timers were since the last reading.', late),
  ]
}

/** Measures what all processes share. When the database does not respond, only a 0 for it is reported. */
async function measureInstallation({ db, jobs, instance, engine }: Deps): Promise<Gauge[]> {
  const gauge = (name: string, help: string, value: number, labels = {}): Gauge => ({
    ...{ name, help, type: 'gauge', labels, value },
  })
  const ask = async () => {
    await jobs.prepare()
    return Promise.all([readQueueState(db), instance.countWorkers()])
  }
  const said = await Promise.race([ask().catch(() => null), sleep(PATIENCE_MS, null, { ref: false })])
  const up = gauge('atrium_database_up', 'Whether the database answers.', said ? 1 : 0)
  const held = gauge('atrium_runs_held', 'Runs this process works on now.', engine.live.size)
  if (!said) return [up, held]
  const [{ running, waiting, given_up, oldest_seconds }, workers] = said
  const jobsIn = (state: string, value: number) =>
    gauge('atrium_queue_jobs', 'Jobs of the queue that run, could begin, and were given up.', value, {
      state,
    })
  return [
    ...[up, held, gauge('atrium_workers', 'Living processes that execute runs and jobs.', workers)],
    ...[jobsIn('running', running), jobsIn('waiting', waiting), jobsIn('given_up', given_up)],
    gauge('atrium_queue_oldest_seconds', 'How long the oldest waiting job could have begun.', oldest_seconds),
  ]
}
