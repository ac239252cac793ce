import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { sendSyslog } from './syslog.ts'

const never = new AbortController().signal
let server: Server
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((resolve) => server.close(resolve))
})

/** Sends 10 kB to a receiver that treats its connection like this. */
async function sendTo(receive: (socket: Socket) => void, allowHalfOpen = false): Promise<void> {
  server = createServer({ allowHalfOpen }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    receive(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const trusted = [`http://127.0.0.1:${port}`]
  await sendSyslog(
    Buffer.alloc(10_000, 'a'),
    { kind: 'syslog', host: '127.0.0.1', port, isSecure: false },
    { trusted, signal: never, ms: 2_000 },
  )
}

describe('a batch of syslog messages', () => {
  it('is not confirmed by a receiver that closes each connection immediately', async () => {
    await expect(sendTo((socket) => socket.destroy())).rejects.toThrow()
  })

  it('is not confirmed by a receiver that ends its side before it reads', async () => {
    await expect(sendTo((socket) => socket.end(), true)).rejects.toThrow()
  })

  it('is confirmed by a receiver that reads to the end', async () => {
    await sendTo((socket) => socket.resume())
  })
})
