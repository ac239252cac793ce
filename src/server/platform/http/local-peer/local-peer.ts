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

/** Whether the kernel of this machine lists its sockets. Elsewhere no program counts as local. */
export const tellsLocalPrograms = process.platform === 'linux'

/** One look at the machine at a time: strangers may cause it before the first account exists. */
let looking: Promise<unknown> = Promise.resolve()

/**
 * Whether a request comes from a program on this machine that acts for itself. A proxy on this machine looks the same in every
 * header, so the kernel is asked: a program that serves somebody else at this moment is a proxy. False when nothing tells.
 */
export async function isLocalProgram(request: FastifyRequest): Promise<boolean> {
  const { socket } = request.raw
  // A request that was injected by this process came over no network.
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

/** Whether the program at the other end has a connection that somebody else opened to it, or, where only its user is known, that user. */
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

/** An address as the kernel's table has it. */
function plain(address = ''): string {
  return address === '::1' ? LOOPBACK_6 : address.replace(/^::ffff:/i, '')
}
