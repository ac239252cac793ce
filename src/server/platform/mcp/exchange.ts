import { AppError } from '#shared/platform/errors.ts'
import type { McpServer } from './address.ts'
import { bounds } from './bounds.ts'
import type { Elicitation, ElicitationAnswer } from './connection.ts'
import type { Hear, Lend, Work } from './hearing.ts'
import { Cut } from './lost.ts'

export type McpProgress = { progress: number; total: number | null; message: string | null }
/** Result of a call, as the server returned it. */
export type McpResult = { content: unknown[]; structuredContent?: unknown; isError: boolean }
/** The next event of a call: a question to a person, or the end. */
export type Happened =
  | { kind: 'asks'; asked: Elicitation }
  | { kind: 'over'; result: McpResult }
  | { kind: 'failed'; error: unknown }

/** A call in progress. It pauses while a person is asked. */
export type Exchange = {
  /** Returns the next event. It stays the same until it is answered. */
  next: () => Promise<Happened>
  answer: (given: ElicitationAnswer) => void
  /** Notifies the server of the cancellation and ends the connection. */
  cancel: (reason: unknown) => void
  /** Receives the progress. */
  onProgress: ((progress: McpProgress) => void) | null
}

export type McpCall = {
  tool: string
  input: Record<string, unknown>
  /** Schema of the inputs that are also sent as headers (2026-07-28). */
  header_inputs?: Record<string, unknown> | undefined
  /** Whether the call is idempotent; the default is false. */
  repeats?: boolean
}

/** Starts a call on a connection of its own. */
export function startExchange(lend: Lend, hear: Hear, server: McpServer, call: McpCall): Exchange {
  const { tool, input, header_inputs = {}, repeats = false } = call
  const stop = new AbortController()
  let say: (happened: Happened) => void = () => undefined
  let coming: Promise<Happened>
  const expect = () => {
    coming = new Promise((resolve) => {
      say = resolve
    })
  }
  expect()
  let waiting: ((given: ElicitationAnswer) => void) | null = null
  const exchange: Exchange = {
    next: () => coming,
    answer: (given) => {
      expect()
      waiting?.(given)
      waiting = null
    },
    cancel: (reason) => stop.abort(reason),
    onProgress: null,
  }
  const about: Work = { what: 'call', name: tool, isOnce: !repeats }
  const tell = (what: 'asks' | 'progress', name: string) =>
    hear(server.id, { what, name, ms: null, failure: null })
  let last = ''
  const worked = lend(
    server,
    about,
    async (connection) => {
      connection.answerer = (asked) =>
        new Promise((resolve) => {
          about.hasWaited = true
          tell('asks', tool)
          waiting = resolve
          say({ kind: 'asks', asked })
        })
      const result = await connection.client.callTool(
        { name: tool, arguments: input },
        {
          toolDefinition: { name: tool, inputSchema: { ...header_inputs, type: 'object' } },
          ...{ signal: stop.signal, timeout: bounds.callMs, maxTotalTimeout: bounds.callMs },
          onprogress: ({ progress, total, message }) => {
            last = total === undefined ? String(progress) : `${progress} / ${total}`
            exchange.onProgress?.({ progress, total: total ?? null, message: message ?? null })
          },
        },
      )
      // Reports only the final progress, since a server may report every step.
      if (last !== '') tell('progress', last)
      return result
    },
    stop.signal,
  )
  worked.then(
    ({ content = [], structuredContent, isError }) =>
      say({
        kind: 'over',
        result: {
          content,
          ...(structuredContent === undefined ? {} : { structuredContent }),
          isError: isError === true,
        },
      }),
    (error) => say({ kind: 'failed', error: repeats ? error : sayUnknown(error) }),
  )
  return exchange
}

/** A call that was cut off may have been executed, so it must not be repeated automatically. */
function sayUnknown(error: unknown): unknown {
  if (!(error instanceof Cut)) return error
  return new AppError('unavailable', `${error.detail} The call may still have been executed.`, {
    cause: error,
  })
}
