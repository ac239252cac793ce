import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { encodeJson } from './encode-json.ts'
import { unpack } from './unpack.ts'

// Each call has its own timeouts; those of the client would end a slow local model.
const agent = new Agent({
  connections: null,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
})

/** Time in which a server may end the response after the last event of an answer, so that its connection is reused. */
const CLOSE_MS = 1_000
/** Bytes that are read of a refusal. */
const REFUSAL_MAX = 64 * 1024

export type Refusal = { status: number; headers: Record<string, unknown>; text: string }

type Post = {
  url: string
  headers: Record<string, string>
  body: object
  signal: AbortSignal
  /** Called when the server accepts the call. `read` reads the answer and returns whether it is over. Errors of the reader end the call. */
  accept: () => { read: (bytes: Uint8Array) => boolean; end: (isDelimited: boolean) => void }
}

/**
 * Posts JSON and passes each piece of the answer to the reader as it arrives, without a stream. Resolves with null after the answer,
 * or with the refusal of the server. The reader learns whether the body ended by its own length or last chunk.
 * @throws the reason of `signal`, errors of the reader, errors of the connection
 */
export async function postAndRead({ url, headers, body, signal, accept }: Post): Promise<Refusal | null> {
  const pieces = await encodeJson(body)
  signal.throwIfAborted()
  const { origin, pathname, protocol, search } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Refusal | null>()
  let controller: Dispatcher.DispatchController | null = null
  let refusal: Refusal | null = null
  let reader: ReturnType<Post['accept']> | null = null
  let isOver = false
  let isDelimited = false
  let late: NodeJS.Timeout | undefined
  let hasDelimiter = false
  let packed: ReturnType<typeof unpack> | null = null
  const decoder = new TextDecoder()

  const end = (settle: () => void) => {
    isOver = true
    clearTimeout(late)
    packed?.destroy()
    signal.removeEventListener('abort', abort)
    settle()
  }
  const fail = (error: Error) => {
    end(() => reject(error))
    controller?.abort(error)
  }
  const abort = () => fail(signal.reason)
  /** Ends the request once enough of a refusal was read. */
  const leave = (said: Refusal) => {
    end(() => resolve(said))
    controller?.abort(new Error('The refusal is longer than is read.'))
  }
  /** Ends the answer. */
  const close = () => {
    if (isOver) return
    try {
      reader?.end(isDelimited)
      end(() => resolve(refusal))
    } catch (error) {
      end(() => reject(error))
    }
    if (late) controller?.abort(new Error('The answer is over.'))
  }
  const read = (chunk: Uint8Array) => {
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
  }
  /** The body came to its end, which proves nothing when only the end of the connection marks it. */
  const finish = () => {
    late = undefined
    isDelimited = hasDelimiter
    close()
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (isOver) started.abort(signal.reason)
    },
    onResponseStart: (_, status, received) => {
      hasDelimiter = isFramed(received) || (protocol === 'https:' && !('connection' in received))
      if (status < 300) reader = accept()
      else refusal = { status, headers: received, text: '' }
      packed = unpack(received['content-encoding'], { read, end: finish, fail })
    },
    onResponseData: (_, chunk) => {
      if (isOver) return
      packed?.write(chunk)
    },
    onResponseEnd: () => {
      packed?.end()
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

/** HTTP/2 marks the end of a body without these headers. */
const isFramed = (received: Record<string, unknown>): boolean =>
  'transfer-encoding' in received || 'content-length' in received
