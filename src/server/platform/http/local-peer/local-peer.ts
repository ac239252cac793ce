import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isLoopbackName } from '../../config/host-names.ts'
import {
  type KernelSocket,
  LOOPBACK_6,
  readSocketsBeside,
  readSocketsOf,
  readSocketTable,
} from './socket-table.ts'

type Tcp = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

/** Whether the kernel lists its sockets. On other systems no program counts as local. */
export const tellsLocalPrograms = process.platform === 'linux'

/** Serializes the checks, since unknown callers can trigger them before the first account exists. */
let looking: Promise<unknown> = Promise.resolve()

/**
 * Returns whether a request comes from a program on this machine that acts for itself. Headers cannot reveal a local proxy,
 * so the kernel's socket table is checked: a program that currently serves others is a proxy. False if it cannot be determined.
 */
export async function isLocalProgram(request: FastifyRequest): Promise<boolean> {
  const { socket } = request.raw
  // A request injected by this process has no network connection.
  if (!(socket instanceof Socket)) return true
  const look = looking.then(() => asksForItself(socket))
  looking = look.catch(() => undefined)
  return look.catch(() => false)
}

/** @throws where the kernel does not list its sockets */
async function asksForItself(socket: Tcp): Promise<boolean> {
  const table = await readSocketTable()
  const ours = { address: plain(socket.localAddress), port: socket.localPort }
  const theirs = { address: plain(socket.remoteAddress), port: socket.remotePort }
  if (!isLoopback(ours.address) || !isLoopback(theirs.address)) return false
  const peer = table.find(
    (one) =>
      one.state === 'established' &&
      one.local === theirs.address &&
      one.localPort === theirs.port &&
      one.remote === ours.address &&
      one.remotePort === ours.port,
  )
  return peer ? !(await servesOthers(table, peer)) : false
}

/** Returns whether the peer's program has an incoming connection. If only its user is known, all programs of that user count. */
async function servesOthers(table: KernelSocket[], peer: KernelSocket): Promise<boolean> {
  const held = await readSocketsBeside(peer.inode)
  const own = (await readSocketsOf('self')) ?? new Set()
  const beside = table.filter(({ inode, uid }) => (held ? held.has(inode) : uid === peer.uid))
  const served = new Set(table.filter(({ state }) => state === 'listening').map(({ localPort }) => localPort))
  return beside.some((one) => {
    if (one.inode === peer.inode) return false
    if (one.state === 'listening') return held === null && !isLoopback(one.local)
    return served.has(one.localPort) && !own.has(otherEnd(table, one)?.inode ?? '')
  })
}

const otherEnd = (table: KernelSocket[], one: KernelSocket) =>
  table.find(
    (other) =>
      other.localPort === one.remotePort &&
      other.remotePort === one.localPort &&
      other.local === one.remote &&
      other.remote === one.local,
  )

const isLoopback = (address: string) => address === LOOPBACK_6 || isLoopbackName(address)

/** Returns an address in the notation of the kernel's table. */
function plain(address = ''): string {
  return address === '::1' ? LOOPBACK_6 : address.replace(/^::ffff:/i, '')
}
