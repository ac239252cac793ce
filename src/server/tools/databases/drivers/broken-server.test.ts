import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Reach } from './driver.ts'
import { postgresDriver } from './postgres-driver.ts'

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int = (bytes: 2 | 4, value: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
const ready = message('Z', Buffer.from('I'))
/** Answer of `select pg_backend_pid() as pid`. */
const pid = Buffer.concat([
  message(
    'T',
    Buffer.concat([
      int(2, 1),
      Buffer.from('pid\0'),
      int(4, 0),
      int(2, 0),
      int(4, 23),
      int(2, 4),
      int(4, -1),
      int(2, 0),
    ]),
  ),
  message('D', Buffer.concat([int(2, 1), int(4, 1), Buffer.from('7')])),
  message('C', Buffer.from('SELECT 1\0')),
  ready,
])

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

/** Starts a server that lets every role in, answers its first query, and then nothing. Returns how to reach it. */
async function startBrokenPostgres(answer: Buffer): Promise<Reach> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(Buffer.concat([message('R', int(4, 0)), ready])))
    socket.on('data', (data) => {
      if (data.includes('pg_backend_pid')) socket.write(answer)
    })
  })
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    ...{ kind: 'postgres', host: '127.0.0.1', server_name: 'localhost', port },
    ...{ database: 'x', role: 'x', password: '', tls: 'off', limit_seconds: 1, limit_rows: 1 },
  }
}

it('ends a query at its time limit when the server does not answer the request to cancel it', async () => {
  const reach = await startBrokenPostgres(pid)
  const { signal } = new AbortController()
  const asked = postgresDriver.run(reach, {
    ...{ sql: 'select 1', tables: [], signal, onColumns: () => undefined, onRow: () => true },
  })
  await expect(asked).rejects.toThrow('more than 1 s')
}, 15_000)

it.each([
  ['columns that are missing', message('T', int(2, 5))],
  ['an error without an end', message('E', Buffer.from('SERROR\0'))],
  ['a message shorter than its header', Buffer.from([0x54, 0, 0, 0, 1])],
])('closes the connection to a server that sends %s', async (_, answer) => {
  const reach = await startBrokenPostgres(answer)
  const asked = postgresDriver.inspect({ ...reach, limit_seconds: 5 }, new AbortController().signal)
  await expect(asked).rejects.toThrow('does not answer like PostgreSQL')
})
