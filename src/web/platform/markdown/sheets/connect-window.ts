import {
  CONNECTION_MESSAGE,
  type ConnectionMessage,
  connectGoogle,
} from '#shared/models/service-connections/service-connections.ts'
import { urlOf } from '../../lib/api/call.ts'

const LOOK = 'popup,width=520,height=680'
/** Maximum time of a person in the window. */
const MAX_MS = 10 * 60_000
/** Interval of the check whether the window is still open. */
const CLOSED_MS = 500

/** Google was not connected; `detail` says why, in the window's words or as a key of our texts. */
export class NotConnected extends Error {
  readonly detail: string
  readonly key: 'window_closed' | 'window_blocked' | 'window_slow' | null
  constructor(detail: string, key: NotConnected['key'] = null) {
    super(detail)
    this.detail = detail
    this.key = key
  }
}

/** Opens the window in which a person connects Google, and waits for its message. @throws NotConnected; the reason of `signal` */
export function connectInWindow(token: string, signal: AbortSignal): Promise<void> {
  const popup = window.open(urlOf(connectGoogle, { query: { auth_token: token } }), CONNECTION_MESSAGE, LOOK)
  if (!popup) return Promise.reject(new NotConnected('', 'window_blocked'))
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  return new Promise<void>((resolve, reject) => {
    const hear = ({ data }: MessageEvent<ConnectionMessage>) => {
      if (data?.type !== CONNECTION_MESSAGE) return
      if (data.status === 'success') resolve()
      else reject(new NotConnected(data.detail))
    }
    // Only messages from our own pages count.
    const hearOwn = (event: MessageEvent) => event.origin === location.origin && hear(event)
    window.addEventListener('message', hearOwn, { signal: until })
    const channel = new BroadcastChannel(CONNECTION_MESSAGE)
    channel.onmessage = hear
    const closed = setInterval(() => {
      if (popup.closed) reject(new NotConnected('', 'window_closed'))
    }, CLOSED_MS)
    const slow = setTimeout(() => reject(new NotConnected('', 'window_slow')), MAX_MS)
    until.addEventListener('abort', () => {
      channel.close()
      clearInterval(closed)
      clearTimeout(slow)
      popup.close()
      reject(signal.reason)
    })
  }).finally(() => ended.abort())
}
