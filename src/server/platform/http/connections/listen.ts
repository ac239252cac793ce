import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

type Where = { hosts: readonly string[]; port: number; backlog: number }

/** As Node sets it for the sockets of an HTTP server. */
const LIKE_HTTP = { allowHalfOpen: true, noDelay: true }

/**
 * Listens on all addresses. One HTTP server handles the connections of all of them, so the same limits and timeouts apply everywhere.
 * Returns the URL of the first address. @throws if the first address cannot be used; others are skipped then
 */
export async function listen(http: FastifyInstance, { hosts, port, backlog }: Where): Promise<string> {
  const [host = '127.0.0.1', ...others] = hosts
  const url = await http.listen({ host, port, backlog })
  const bound = http.server.address()
  if (typeof bound !== 'object' || bound === null) return url
  for (const other of others) await alsoListen(http, { host: other, port: bound.port, backlog })
  return url
}

/** Returns the addresses to listen on: both of `localhost` where the machine has both, IPv4 first. */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true, order: 'ipv4first' })
  return [...new Set(found.map(({ address }) => address))]
}

/** Hands the connections of a further address to the HTTP server, until that closes. Skips an address that the machine does not have. */
async function alsoListen(http: FastifyInstance, where: { host: string; port: number; backlog: number }) {
  const server = createServer(LIKE_HTTP, (socket) => http.server.emit('connection', socket))
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(where, () => resolve(true))
  })
  if (!isOpen) return
  const close = http.server.close.bind(http.server)
  http.server.close = (done) => {
    // Node waits for the connections of its own address only.
    const ended = new Promise<void>((resolve) => server.close(() => resolve()))
    return close((error) => void ended.then(() => done?.(error)))
  }
}
