import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const READ = '/read'
const FILES = '/files'
const PROBES = '/probes'

/** Returns the address for rate limits. IPv6 counts by /64, because one host owns a whole /64. */
export function countedAddress(given: string): string {
  const ip = withoutPort(given)
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}

/**
 * Returns the lane of turns for a request without a known caller, by its address. Reads have a separate lane, so that a page
 * loads for one person while colleagues behind the same address sign in.
 */
export function laneOf({ ip, method }: Pick<FastifyRequest, 'ip' | 'method'>): string {
  const address = countedAddress(ip)
  return method === 'GET' || method === 'HEAD' ? address + READ : address
}

/** Returns the lane for files of the interface, which load while others behind the same address ask for data. */
export function filesLaneOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return countedAddress(ip) + FILES
}

/** Returns the lane for health probes and metrics, which no other request delays. */
export function probesLaneOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return countedAddress(ip) + PROBES
}

/** Returns what strangers do in a lane: they read, or probe. Null for all other callers. */
export function laneKind(key: string): 'read' | 'probe' | null {
  if (key.endsWith(PROBES)) return 'probe'
  return key.endsWith(READ) || key.endsWith(FILES) ? 'read' : null
}

/** Returns an address without its port. Some proxies add the client's port in `X-Forwarded-For`. */
export function withoutPort(address: string): string {
  return (
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address
  )
}
