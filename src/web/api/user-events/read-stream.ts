import { streamUserEvents, USER_STREAM_INIT, userEventNames } from '#shared/api/user-events/user-events.ts'
import { API_BASE } from '#shared/platform/http.ts'

/** An event as received. `LOST` means the connection is down for now. */
export type Told = { name: string; data: string }
export const LOST = 'lost'

/** The server pings every 15 s. After three missed pings the connection counts as dead, even if TCP has not noticed. */
const SILENCE_MS = 45_000
/** Delay before a refused stream is retried, with jitter so that tabs do not retry together. */
const AGAIN_MS = 10_000

const names = [USER_STREAM_INIT, ...userEventNames, 'ping']

/**
 * Reads the event stream of the signed-in user until `left` is aborted. The browser reconnects a broken connection with its
 * last event id. Refused and silent connections are reopened here.
 */
export function readStream(left: AbortSignal, tell: (told: Told) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource
    let timer: ReturnType<typeof setTimeout>
    const wait = (ms: number, then: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(then, ms)
    }
    const open = () => {
      source = new EventSource(API_BASE + streamUserEvents.path)
      for (const name of names) {
        source.addEventListener(name, ({ data }: MessageEvent<string>) => {
          wait(SILENCE_MS, openAgain)
          tell({ name, data })
        })
      }
      source.onerror = () => {
        tell({ name: LOST, data: '' })
        if (source.readyState === EventSource.CLOSED) openAgain()
      }
      // The sign-in has expired. The code that detects this asks for a new one.
      source.addEventListener('unauthorized', openAgain)
      wait(SILENCE_MS, openAgain)
    }
    const openAgain = () => {
      source.close()
      tell({ name: LOST, data: '' })
      wait(AGAIN_MS * (1 + Math.random()), open)
    }
    left.addEventListener('abort', () => {
      clearTimeout(timer)
      source.close()
      resolve()
    })
    open()
  })
}
