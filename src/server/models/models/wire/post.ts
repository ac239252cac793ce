import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { encodeJson } from './encode-json.ts'

// Time is watched per call; the client's own limits would end a slow local model.
const agent = new Agent({
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
})

/** Time after the last event of an answer in which a server may end the response itself, so that its connection is kept. */
const CLOSE_MS = 1_000
/** As many bytes of a refusal are read; no provider needs more to say why. */
const REFUSAL_MAX = 64 * 1024

export type Refusal = { status: number; headers: Record<string, unknown>; text: string }

type Post = {
  url: string
  headers: Record<string, string>
  body: object
  signal: AbortSignal
  /** The server takes the call: this reads its answer, and tells when it is over. What it throws ends the call. */
  accept: () => { read: (bytes: Uint8Array) => boolean; end: () => void }
}

/**
 * Posts JSON and has the answer read piece by piece as it arrives, without a stream in between. Resolves once
 * the answer is whole, or with what the server said when it refused.
 * @throws the reason of `signal`, what the reader throws, and whatever breaks the connection
 */
export async function postAndRead({ url, headers, body, signal, accept }: Post): Promise<Refusal | null> {
  const pieces = await encodeJson(body)
  signal.throwIfAborted()
  const { origin, pathname, search } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Refusal | null>()
  let controller: Dispatcher.DispatchController | null = null
  let refusal: Refusal | null = null
  let reader: ReturnType<Post['accept']> | null = null
  let isOver = false
  let late: NodeJS.Timeout | undefined
  const decoder = new TextDecoder()

  const end = (settle: () => void) => {
    isOver = true
    clearTimeout(late)
    signal.removeEventListener('abort', abort)
    settle()
  }
  const fail = (error: Error) => {
    end(() => reject(error))
    controller?.abort(error)
  }
  const abort = () => fail(signal.reason)
  /** Enough was said: the rest is not waited for. */
  const leave = (said: Refusal) => {
    end(() => resolve(said))
    controller?.abort(new Error('The refusal is longer than is read.'))
  }
  /** Reads the end of an answer. */
  const close = () => {
    if (isOver) return
    try {
      reader?.end()
      end(() => resolve(refusal))
    } catch (error) {
      end(() => reject(error))
    }
    if (late) controller?.abort(new Error('The answer is over.'))
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (isOver) started.abort(signal.reason)
    },
    onResponseStart: (_, status, received) => {
      if (status < 300) reader = accept()
      else refusal = { status, headers: received, text: '' }
    },
    onResponseData: (_, chunk) => {
      if (isOver) return
      if (refusal) {
        const room = REFUSAL_MAX - refusal.text.length
        refusal.text += decoder.decode(chunk.subarray(0, room), { stream: true })
        if (chunk.length >= room) leave(refusal)
        return
      }
      try {
        if (reader?.read(chunk)) late ??= setTimeout(close, CLOSE_MS)
      } catch (error) {
        fail(error as Error)
      }
    },
    onResponseEnd: () => {
      late = undefined
      close()
    },
    onResponseError: (_, error) => {
      if (!isOver) end(() => reject(error))
    },
  }
  signal.addEventListener('abort', abort, { once: true })
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const sized = { ...headers, 'content-length': String(length) }
  const sent = pieces.length === 1 ? pieces[0] : Readable.from(pieces, { objectMode: false })
  agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: sized, body: sent }, handler)
  return promise
}
