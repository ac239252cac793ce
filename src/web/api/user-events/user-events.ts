import { USER_STREAM_INIT, UserEvent, UserStreamInit } from '#shared/api/user-events/user-events.ts'
import { setLive } from '../../platform/lib/api/query-client.ts'
import { LOST, readStream, type Told } from './read-stream.ts'
import { readEverything, showChange } from './show-change.ts'

/** The server pings every 15 s: after three missed ones nobody tells us anything. */
const SILENCE_MS = 45_000

/**
 * Shows what changes for the signed-in person as it happens, until the function it gives is called. One tab of the browser
 * reads the stream and passes it on: over HTTP/1.1 a browser has six connections for all of its tabs. Where tabs cannot
 * agree on one, everything is polled.
 */
export function followUser(userId: string): () => void {
  if (!navigator.locks || typeof EventSource === 'undefined') return () => undefined
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
    show(told)
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data)
  const tell = (told: Told) => {
    channel.postMessage(told)
    hear(told)
  }
  navigator.locks
    .request(name, { signal: left.signal }, () => readStream(left.signal, tell))
    // Left before its turn came.
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
