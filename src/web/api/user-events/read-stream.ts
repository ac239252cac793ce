import { streamUserEvents, USER_STREAM_INIT, userEventNames } from '#shared/api/user-events/user-events.ts'
import { API_BASE } from '#shared/platform/http.ts'

/** An event as it came; `LOST`: the connection is gone, for now. */
export type Told = { name: string; data: string }
export const LOST = 'lost'

/** The server pings every 15 s: after three missed ones the connection is dead, even if TCP does not know it. */
const SILENCE_MS = 45_000
/** Until a stream that was refused is tried again; not all tabs in the same moment. */
const AGAIN_MS = 10_000

const names = [USER_STREAM_INIT, ...userEventNames, 'ping']

/**
 * Reads the stream of the signed-in person until `left`. The browser itself comes back after a broken connection, with the
 * last id it has; a refusal, and a silence it does not notice, begin anew here.
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
      // The sign-in ended: whoever notices asks for a new one.
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
