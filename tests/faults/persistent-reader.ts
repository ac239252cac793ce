import { setTimeout as sleep } from 'node:timers/promises'
import type { RunView } from '../../src/shared/runs/runs/view.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'

/** Current address of the server, and its client. */
export type Place = { url: () => string; token: string }

/**
 * Asks a question and reads its reply through any number of lost connections, like the browser: the same `client_id` until
 * the message is accepted, then `Last-Event-ID`. Returns the final view.
 */
export async function readThrough(
  place: Place,
  sessionId: string,
  content: string,
  deadline: number,
): Promise<RunView> {
  const headers = { authorization: `Bearer ${place.token}` }
  const client_id = crypto.randomUUID()
  let stream: OpenStream | null = null
  let lastId: string | null = null
  let view: RunView | null = null
  while (Date.now() < deadline) {
    try {
      const base = `${place.url()}/api/v1/sessions/${sessionId}`
      stream = view
        ? await openStream(`${base}/task-stream`, {
            headers: lastId ? { ...headers, 'last-event-id': lastId } : headers,
          })
        : await openStream(`${base}/messages`, { method: 'POST', headers, body: { content, client_id } })
      await stream.ended
      view = stream.view() ?? view
      lastId = stream.lastId() ?? lastId
      if (view?.status === 'completed' || view?.status === 'error') return view
    } catch {
      // The server is down.
    }
    await sleep(50)
  }
  throw new Error(`no reply in time; the last state was ${JSON.stringify(view)?.slice(0, 300)}`)
}
