import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import { bounds } from './bounds.ts'
import { type Connection, type ConnectOptions, connect } from './connection.ts'
import { Refused } from './explain.ts'
import { Cut, type Loss } from './lost.ts'

/** Lends each connection to one piece of work at a time, and keeps it open for a while. */
export type Pool = {
  /**
   * Work lost with the session of its connection is repeated once on a new connection, if the server refused it before any
   * effect or it may be repeated.
   * @throws AppError `unavailable` with the cause; an abort unchanged
   */
  lend: <Result>(
    server: McpServer,
    work: (connection: Connection) => Promise<Result>,
    terms: LendTerms,
  ) => Promise<Result>
  /** Ends idle connections of servers whose ids have this prefix, because their settings have changed. */
  forget: (start: string) => Promise<void>
  close: () => Promise<void>
}

export type LendTerms = {
  signal?: AbortSignal | undefined
  /** Returns whether work that may have run can be repeated. */
  mayRepeat: (loss: Loss) => boolean
}

type Kept = { connection: Connection; timer: NodeJS.Timeout }
type PoolOptions = Pick<ConnectOptions, 'outbound' | 'trusted'> & {
  onChanged: (serverId: string) => void
  /** Called for a new connection with its protocol version and the time to connect in milliseconds. */
  onConnected: (serverId: string, protocol: string, ms: number) => void
}

export function createPool({ outbound, trusted, onChanged, onConnected }: PoolOptions): Pool {
  const idle = new Map<string, Kept[]>()
  const open = new Map<Connection, string>()
  /** Number of connections being made, by server. */
  const making = new Map<string, number>()
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
    const ofServer = [...open.values()].filter((id) => id === server.id).length + (making.get(server.id) ?? 0)
    if (ofServer >= bounds.perServer)
      throw new AppError('unavailable', `${server.name} is busy with other calls. Try again in a minute.`)
    count(making, server.id, 1)
    if (isProgram) programs += 1
    const began = performance.now()
    try {
      const connection = await connect(server, {
        ...{ outbound, trusted, signal },
        onChanged: () => onChanged(server.id),
      })
      open.set(connection, server.id)
      const protocol = connection.client.getNegotiatedProtocolVersion() ?? ''
      onConnected(server.id, protocol, Math.round(performance.now() - began))
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
    } finally {
      count(making, server.id, -1)
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
  const forget = async (start: string) => {
    const ids = [...idle.keys()].filter((id) => id.startsWith(start))
    const kept = ids.flatMap((id) => idle.get(id) ?? [])
    for (const id of ids) idle.delete(id)
    for (const { timer } of kept) clearTimeout(timer)
    await Promise.all(kept.map(({ connection }) => end(connection)))
  }
  return {
    forget,
    lend: async (server, work, { signal, mayRepeat }) => {
      const attempt = async (isLast: boolean): Promise<Awaited<ReturnType<typeof work>>> => {
        const connection = take(server.id) ?? (await make(server, signal))
        try {
          const result = await work(connection)
          connection.answerer = null
          keep(server.id, connection)
          return result
        } catch (error) {
          const loss = connection.lossOf(error)
          const explained = connection.explain(error)
          // Its state is unknown, so the next connection starts fresh.
          if (!signal?.aborted) await end(connection)
          // Lets the cancellation finish, since it is a separate request over HTTP.
          else setTimeout(() => void end(connection), bounds.goodbyeMs).unref()
          signal?.throwIfAborted()
          if (loss === null) throw explained
          // A server that lost one session has probably lost all of them.
          await forget(server.id)
          if (!isLast && mayRepeat(loss)) return attempt(true)
          throw loss === 'cut' && explained instanceof AppError && !(explained instanceof Refused)
            ? new Cut('unavailable', explained.detail, { cause: explained })
            : explained
        }
      }
      return attempt(false)
    },
    close: async () => {
      isClosed = true
      await forget('')
      await Promise.all([...open.keys()].map(end))
    },
  }
}

function count(counts: Map<string, number>, id: string, change: 1 | -1): void {
  const now = (counts.get(id) ?? 0) + change
  if (now === 0) counts.delete(id)
  else counts.set(id, now)
}
