import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import type { Connection } from './connection.ts'
import { Refused } from './explain.ts'
import type { Loss } from './lost.ts'
import type { Pool } from './pool.ts'

/** What passed between us and a server: never what went in or came out of it. */
export type Heard = {
  what: 'connect' | 'list' | 'call' | 'read' | 'prompt' | 'progress' | 'asks' | 'stopped' | 'changed'
  /** Of a tool, a resource or a prompt; the protocol, or how far it is. */
  name: string
  /** How long it took to answer; null where it was no answer, or a person was waited for. */
  ms: number | null
  /** Why it did not answer, in a sentence; with `ms`, that its answer was an error. */
  failure: string | null
}
export type Hear = (serverId: string, heard: Heard) => void

/** What a piece of work is. `hasWaited`: a person was asked meanwhile, so that its time is not the server's. */
export type Work = {
  what: Heard['what']
  name: string
  hasWaited?: boolean
  /** The work must not run a second time once it may have run. */
  isOnce?: boolean
}

/** Lends connections as a pool does, and tells what came of each piece of work. */
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

/** Whether a server answered as the protocol has it: it refuses what it was asked, and is well. */
function isAnswer(error: unknown): boolean {
  const { code } = (error instanceof Refused ? error.cause : {}) as { code?: unknown }
  return typeof code === 'number' && code < 0
}

function sentenceOf(error: unknown, { name }: McpServer): string {
  if (error instanceof AppError && !(error instanceof Refused)) return error.detail
  return `${name} answered with an error.`
}
