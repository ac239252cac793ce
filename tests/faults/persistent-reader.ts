import { setTimeout as sleep } from 'node:timers/promises'
import type { RunView } from '../../src/shared/runs/runs/view.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'

/** Where the server is now, and who talks to it. */
export type Place = { url: () => string; token: string }

/**
 * Asks a question and reads its reply through any number of lost connections, the way the browser does: the
 * same `client_id` until the message is taken, then `Last-Event-ID`. Answers the view at the end.
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
      // The server is away.
    }
    await sleep(50)
  }
  throw new Error(`no reply in time; the last state was ${JSON.stringify(view)?.slice(0, 300)}`)
}
