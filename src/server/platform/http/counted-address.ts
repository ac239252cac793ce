import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** An address to count by: an IPv6 host has a whole /64 to itself. */
export function countedAddress(ip: string): string {
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
 * The turns a request without a caller waits for: those of its address. Reading has turns of its own, so that a page
 * loads for one person while colleagues behind the same address sign in.
 */
export function laneOf({ ip, method }: Pick<FastifyRequest, 'ip' | 'method'>): string {
  const address = countedAddress(ip)
  return method === 'GET' || method === 'HEAD' ? `${address}/read` : address
}
