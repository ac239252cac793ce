import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestAddress } from './database.ts'

/** A proxy to a database that can disconnect, and lose or delay the answer to a commit. */
export type DatabaseProxy = {
  address: TestAddress
  /** Commits the next transaction that contains `words`, but disconnects before its answer. */
  loseCommit: (words: string) => Promise<void>
  /** Commits the next transaction that contains `words`, and delays its answer by `ms`. */
  delayCommit: (words: string, ms: number) => Promise<void>
  /** Breaks all connections, and new ones until it is repaired. */
  cut: () => void
  /** Passes no data until it is repaired, without disconnecting. */
  freeze: () => void
  mend: () => void
  close: () => Promise<void>
}

type Fault = { words: string; ms: number | null; done: () => void }

/** Opens a local TCP port in front of a database's Unix socket. */
export async function startDatabaseProxy(target: TestAddress): Promise<DatabaseProxy> {
  const open = new Set<Socket>()
  let fault: Fault | null = null
  let isCut = false
  let isFrozen = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const database = connect(join(target.host, `.s.PGSQL.${target.port}`))
    for (const socket of [client, database]) {
      open.add(socket)
      if (isFrozen) socket.pause()
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    let isMeant = false
    let committing: Fault | null = null
    client.on('data', (bytes) => {
      const said = bytes.toString('latin1')
      if (fault && said.includes(fault.words)) isMeant = true
      if (isMeant && fault && /\bcommit\b/i.test(said)) {
        committing = fault
        fault = null
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (!committing) return void client.write(bytes)
      const { ms, done } = committing
      committing = null
      isMeant = false
      if (ms === null) client.destroy()
      else setTimeout(() => client.write(bytes), ms)
      done()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  const arm = (words: string, ms: number | null) =>
    new Promise<void>((done) => {
      fault = { words, ms, done }
    })
  return {
    address: { ...target, host: '127.0.0.1', port },
    loseCommit: (words) => arm(words, null),
    delayCommit: arm,
    cut: () => {
      isCut = true
      breakAll()
    },
    freeze: () => {
      isFrozen = true
      for (const socket of open) socket.pause()
    },
    mend: () => {
      isCut = false
      isFrozen = false
      for (const socket of open) socket.resume()
    },
    close: async () => {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
