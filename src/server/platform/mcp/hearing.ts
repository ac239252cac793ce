import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import type { Connection } from './connection.ts'
import { Refused } from './explain.ts'
import type { Loss } from './lost.ts'
import type { Pool } from './pool.ts'

/** An exchange with a server, without inputs or results. */
export type Heard = {
  what: 'connect' | 'list' | 'call' | 'read' | 'prompt' | 'progress' | 'asks' | 'stopped' | 'changed'
  /** Name of the tool, resource or prompt; for other kinds the protocol version or the progress. */
  name: string
  /** Response time in milliseconds; null without an answer, or if a person was asked. */
  ms: number | null
  /** Why there is no answer, in a sentence. If `ms` is set, the answer was an error. */
  failure: string | null
}
export type Hear = (serverId: string, heard: Heard) => void

/** Describes a piece of work. `hasWaited`: a person was asked, so the elapsed time is not the server's. */
export type Work = {
  what: Heard['what']
  name: string
  hasWaited?: boolean
  /** The work must not be repeated if it may have run. */
  isOnce?: boolean
}

/** Lends connections like a pool, and reports the outcome of each piece of work. */
export type Lend = <Result>(
  server: McpServer,
  about: Work,
  work: (connection: Connection) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

export function createLend(pool: Pick<Pool, 'lend'>, hear: Hear): Lend {
  return async (server, about, work, signal) => {
    let began: number | null = null
    const passed = () => (began === null ? null : Math.round(performance.now() - began))
    const tell = (what: Heard['what'], ms: number | null, failure: string | null) =>
      hear(server.id, { what, name: what === 'connect' ? '' : about.name, ms, failure })
    try {
      const lent = (connection: Connection) => {
        began = performance.now()
        return work(connection)
      }
      const mayRepeat = (loss: Loss) => !about.hasWaited && (loss === 'refused' || !about.isOnce)
      const result = await pool.lend(server, lent, { signal, mayRepeat })
      tell(about.what, about.hasWaited ? null : passed(), null)
      return result
    } catch (error) {
      if (signal?.aborted) tell('stopped', null, null)
      else if (isAnswer(error)) tell(about.what, passed(), sentenceOf(error, server))
      else tell(began === null ? 'connect' : about.what, null, sentenceOf(error, server))
      throw error
    }
  }
}

/** Returns whether an error is a regular protocol answer: the server works but refused the request. */
function isAnswer(error: unknown): boolean {
  const { code } = (error instanceof Refused ? error.cause : {}) as { code?: unknown }
  return typeof code === 'number' && code < 0
}

function sentenceOf(error: unknown, { name }: McpServer): string {
  if (error instanceof AppError && !(error instanceof Refused)) return error.detail
  return `${name} answered with an error.`
}
