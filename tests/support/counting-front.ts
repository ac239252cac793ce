import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A local TCP port in front of a database server, which counts connections and notes what clients send. */
export type CountingFront = {
  port: number
  /** Number of connections since the last `reset`. */
  connections: () => number
  /** The bytes of clients since the last `reset`, as Latin-1 text. */
  said: () => string
  reset: () => void
  close: () => Promise<void>
}

/** `target` is the path of a Unix socket, or a local port. */
export async function startCountingFront(target: string | number): Promise<CountingFront> {
  const open = new Set<Socket>()
  let count = 0
  let said = ''
  const server = createServer((client) => {
    count += 1
    const database = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1')
    for (const socket of [client, database]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', (bytes) => {
      said += bytes.toString('latin1')
    })
    client.pipe(database)
    database.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    connections: () => count,
    said: () => said,
    reset: () => {
      count = 0
      said = ''
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
