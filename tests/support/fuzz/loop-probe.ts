import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server: measures its event loop and memory from inside, and limits its network to this machine. On the
 * socket `PROBE_SOCKET`, `GET /collect` and `GET /reset` restart the measurement, the first one after a garbage collection;
 * `GET /read` answers once the server is idle.
 */
const socket = process.env.PROBE_SOCKET
if (socket && isMainThread) {
  stayAtHome()
  measure(socket)
}

/** The server counts as idle if it did almost nothing during the window; `patienceMs` is the maximum wait. */
const idleness = { windowMs: 6, busyMs: 1.5, patienceMs: 2_000 }

function measure(path: string): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let last = cpuMs()
  let stalledMs = 0
  let base = 0
  let peak = 0
  // CPU time instead of elapsed time, because other load of the machine does not count.
  const look = () => {
    const now = cpuMs()
    stalledMs = Math.max(stalledMs, now - last)
    last = now
    peak = Math.max(peak, inUse())
  }
  setInterval(look, 1).unref()
  const begin = () => {
    last = cpuMs()
    stalledMs = 0
    peak = inUse()
  }
  const server = createServer(async (request, response) => {
    if (request.url === '/collect') {
      collect()
      base = inUse()
    }
    if (request.url === '/read') {
      look()
      await untilIdle()
    } else begin()
    response.end(JSON.stringify({ stalledMs, grewBytes: peak - base, rss: process.memoryUsage.rss() }))
  })
  server.listen(path)
  server.unref()
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function untilIdle(): Promise<void> {
  const patience = performance.now() + idleness.patienceMs
  for (let before = cpuMs(); performance.now() < patience; before = cpuMs()) {
    await new Promise((resolve) => setTimeout(resolve, idleness.windowMs))
    if (cpuMs() - before < idleness.busyMs) return
  }
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function stayAtHome(): void {
  const { lookup } = dns
  const home = ((_: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)('127.0.0.1', ...rest)) as typeof lookup
  const { lookup: promised } = dns.promises
  dns.lookup = home
  dns.promises.lookup = ((_: string, ...rest: unknown[]) =>
    (promised as (...args: unknown[]) => unknown)('127.0.0.1', ...rest)) as typeof promised
  syncBuiltinESMExports()
}
