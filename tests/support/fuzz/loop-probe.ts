import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server before its own code: measures its event loop and memory from inside, and lets it find
 * nobody but this machine. `GET /reset` and `GET /read` on the socket `PROBE_SOCKET`.
 */
const socket = process.env.PROBE_SOCKET
if (socket && isMainThread) {
  stayAtHome()
  measure(socket)
}

function measure(path: string): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let last = process.threadCpuUsage()
  let stalledMs = 0
  let base = 0
  let peak = 0
  // Time of the processor, not of the wall: what else is going on on the machine is not this server's doing.
  const look = () => {
    const now = process.threadCpuUsage()
    stalledMs = Math.max(stalledMs, (now.user + now.system - last.user - last.system) / 1000)
    last = now
    peak = Math.max(peak, inUse())
  }
  setInterval(look, 1).unref()
  const server = createServer((request, response) => {
    if (request.url === '/reset') {
      collect()
      last = process.threadCpuUsage()
      stalledMs = 0
      base = inUse()
      peak = base
    }
    response.end(JSON.stringify({ stalledMs, grewBytes: peak - base, rss: process.memoryUsage.rss() }))
  })
  server.listen(path)
  server.unref()
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
