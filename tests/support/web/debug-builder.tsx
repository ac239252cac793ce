import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { DebugView } from '../../../src/web/lifecycle/debug/debug-view.tsx'
import { type Answers, renderPage } from './render-page.tsx'

/** The session used by the tests of these panels. */
export const ID = '123e4567-e89b-12d3-a456-426614174000'
export const OTHER_ID = 'aaaaaaaa-e89b-12d3-a456-426614174000'

/** The server as seen by these panels. A test may change it while the page is open. */
type FakeServer<Stream> = {
  session: Session
  checkpoints: Checkpoint[]
  streams: Stream[]
  /** All network calls, with their headers and whether they sent cookies. */
  calls: {
    url: string
    method: string
    headers: Headers
    credentials: string | undefined
    signal: AbortSignal | null | undefined
    at: number
  }[]
}

/** Builders of neighbouring features, which only a test may import. */
type Kit<Stream> = { aSession: (given: Partial<Session>) => Session; aStream: () => Stream }

/** Opens one of the tabs, signed in. */
export async function openDebug<Stream extends { response: Response }>(
  tab: 'agent' | 'sse',
  { aSession, aStream }: Kit<Stream>,
  more: Answers = {},
) {
  const server: FakeServer<Stream> = {
    session: aSession({ id: ID, title: 'Renewals', session_metadata: { agent_type: 'multi_turn' } }),
    checkpoints: [],
    streams: [],
    calls: [],
  }
  const page = await renderPage(<DebugView />, {
    path: tab === 'sse' ? '/debug?tab=sse' : '/debug',
    answers: {
      'GET /sessions': () => ({ items: [server.session, aSession({ id: OTHER_ID, title: '' })], total: 41 }),
      [`GET /sessions/${ID}`]: () => server.session,
      [`GET /sessions/${ID}/checkpoints`]: () => server.checkpoints,
      [`GET /sessions/${ID}/events`]: () => {
        const stream = aStream()
        server.streams.push(stream)
        return stream.response
      },
      ...more,
    },
  })
  const answer = globalThis.fetch
  globalThis.fetch = (url, init) => {
    const { method = 'GET', headers, credentials, signal } = init ?? {}
    server.calls.push({
      url: String(url),
      method,
      headers: new Headers(headers),
      credentials,
      signal,
      at: performance.now(),
    })
    return answer(url, init)
  }
  const paths = (method: string, path: string) =>
    page.sent.filter((sent) => sent.method === method && sent.path === path)
  return { ...page, server, paths }
}

/** Returns a checkpoint as the server sends it. */
export function aCheckpoint(name: string, given: Partial<Checkpoint> = {}): Checkpoint {
  return {
    ...{ id: `run-1:${name}`, checkpoint_name: name, label: null, message_id: 'reply-1', run_id: 'run-1' },
    ...{ kind: 'step', created_at: '2026-11-01T09:58:24Z', is_active: true, cost: 0 },
    ...given,
  }
}
