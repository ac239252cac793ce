import { USER_STREAM_INIT, UserEvent, UserStreamInit } from '#shared/api/user-events/user-events.ts'
import { setLive } from '../../platform/lib/api/query-client.ts'
import { LOST, readStream, type Told } from './read-stream.ts'
import { prepareChanges, readEverything, showChange } from './show-change.ts'

/** The server pings every 15 s. After three missed pings no tab is passing events on. */
const SILENCE_MS = 45_000

/**
 * Applies events of the signed-in user as they arrive. Returns a function that stops it. One tab reads the stream and shares
 * it, because HTTP/1.1 browsers open only six connections for all tabs. If tabs cannot elect one, everything is polled.
 */
export function followUser(userId: string): () => void {
  if (!navigator.locks || typeof EventSource === 'undefined') return () => undefined
  const isReady = prepareChanges()
  const name = `atrium-user-events-${userId}`
  const channel = new BroadcastChannel(name)
  const left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const setTold = (isTold: boolean) => {
    clearTimeout(timer)
    setLive(isTold)
    if (isTold) timer = setTimeout(() => setLive(false), SILENCE_MS)
  }
  const hear = (told: Told) => {
    setTold(told.name !== LOST)
    void isReady.then(() => show(told))
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data)
  const tell = (told: Told) => {
    channel.postMessage(told)
    hear(told)
  }
  navigator.locks
    .request(name, { signal: left.signal }, () => readStream(left.signal, tell))
    // Aborted before this tab acquired the lock.
    .catch(() => undefined)
  return () => {
    left.abort()
    channel.close()
    setTold(false)
  }
}

function show({ name, data }: Told): void {
  const fields = parse(data)
  if (name === USER_STREAM_INIT) {
    const init = UserStreamInit.safeParse(fields)
    if (!init.data?.is_resumed) readEverything()
    return
  }
  const { data: event } = UserEvent.safeParse({ ...fields, event: name })
  if (event) showChange(event)
}

function parse(data: string): object {
  try {
    return Object(JSON.parse(data))
  } catch {
    return {}
  }
}
