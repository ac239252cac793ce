import { AppError } from '#shared/errors.ts'
import type { McpServer } from './address.ts'
import { bounds } from './bounds.ts'
import { type Connection, type ConnectOptions, connect } from './connection.ts'

/** Lends connections: each to one piece of work at a time, and kept a while for the next. */
export type Pool = {
  /** @throws AppError `unavailable` with what happened; an abort as it is */
  lend: <Result>(
    server: McpServer,
    work: (connection: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>
  /** Connections of a server that nobody uses end now: what they were made with is no longer true. */
  forget: (serverId: string) => Promise<void>
  close: () => Promise<void>
}

type Kept = { connection: Connection; timer: NodeJS.Timeout }
type PoolOptions = Pick<ConnectOptions, 'outbound' | 'trusted'> & { onChanged: (serverId: string) => void }

export function createPool({ outbound, trusted, onChanged }: PoolOptions): Pool {
  const idle = new Map<string, Kept[]>()
  const open = new Set<Connection>()
  let programs = 0
  let isClosed = false

  const end = async (connection: Connection) => {
    open.delete(connection)
    await connection.close()
  }
  const take = (id: string): Connection | null => {
    for (const kept of (idle.get(id) ?? []).splice(0).reverse()) {
      clearTimeout(kept.timer)
      const isFit = kept.connection.isOpen()
      if (!isFit) void end(kept.connection)
      else return kept.connection
    }
    return null
  }
  const make = async (server: McpServer, signal?: AbortSignal): Promise<Connection> => {
    const isProgram = server.address.kind === 'stdio'
    if (open.size >= bounds.connections || (isProgram && programs >= bounds.programs))
      throw new AppError('unavailable', 'Too many MCP servers are in use. Try again in a minute.')
    if (isProgram) programs += 1
    try {
      const connection = await connect(server, {
        ...{ outbound, trusted, signal },
        onChanged: () => onChanged(server.id),
      })
      open.add(connection)
      const { close } = connection
      let hasEnded = false
      connection.close = async () => {
        if (!hasEnded && isProgram) programs -= 1
        hasEnded = true
        await close()
      }
      return connection
    } catch (error) {
      if (isProgram) programs -= 1
      throw error
    }
  }
  const keep = (id: string, connection: Connection) => {
    if (isClosed || !connection.isOpen()) return void end(connection)
    const others = idle.get(id) ?? []
    const kept: Kept = {
      connection,
      timer: setTimeout(() => {
        idle.set(
          id,
          (idle.get(id) ?? []).filter((one) => one !== kept),
        )
        void end(connection)
      }, bounds.idleMs).unref(),
    }
    idle.set(id, [...others, kept])
  }
  const forget = async (id: string) => {
    const kept = idle.get(id) ?? []
    idle.delete(id)
    for (const { timer } of kept) clearTimeout(timer)
    await Promise.all(kept.map(({ connection }) => end(connection)))
  }
  return {
    forget,
    lend: async (server, work, signal) => {
      const connection = take(server.id) ?? (await make(server, signal))
      try {
        const result = await work(connection)
        connection.answerer = null
        keep(server.id, connection)
        return result
      } catch (error) {
        const explained = connection.explain(error)
        // What it was in the middle of is unknown: the next one begins anew.
        await end(connection)
        signal?.throwIfAborted()
        throw explained
      }
    },
    close: async () => {
      isClosed = true
      await Promise.all([...idle.keys()].map(forget))
      await Promise.all([...open].map(end))
    },
  }
}
