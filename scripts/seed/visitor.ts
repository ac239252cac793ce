import type { ActiveBranch } from '../../src/shared/chat/messages/messages.ts'
import type { Session } from '../../src/shared/chat/sessions/sessions.ts'
import type { AgentType } from '../../src/shared/runs/runs/agent-type.ts'

/** Timeout of one reply in milliseconds; the built-in model takes seconds on slow machines. */
const PATIENCE_MS = 120_000

/** A client that uses the product over HTTP like a browser. */
export type Visitor = {
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  /** Opens a chat with the built-in model and returns its id. */
  open(agent: AgentType): Promise<string>
  /** Posts to a stream and reads it until the run ends or waits. Returns the messages on screen. */
  follow(sessionId: string, path: string, body: object): Promise<ActiveBranch['active_branch']>
}

export async function signIn(url: string, username: string, password: string): Promise<Visitor> {
  const form = new URLSearchParams({ username, password })
  const answered = await fetch(`${url}/api/v1/token`, { method: 'POST', body: form })
  const { access_token } = await read<{ access_token: string }>(answered, 'POST /token')
  const send = (method: string, path: string, body?: object, accept = 'application/json') =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, accept, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  const call: Visitor['call'] = async (method, path, body) => {
    const isRead = method === 'GET'
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = isRead ? fetch(`${url}/api/v1${path}`, { headers }) : send(method, path, body)
    return read(await answer, `${method} ${path}`)
  }
  return {
    call,
    open: async (agent) => {
      const { id } = await call<Session>('POST', '/sessions', { model_name: 'atrium/offline' })
      await call('PUT', `/sessions/${id}/agent`, { agent_type: agent })
      return id
    },
    follow: async (sessionId, path, body) => {
      const stream = await send('POST', `/sessions/${sessionId}${path}`, body, 'text/event-stream')
      if (!stream.ok) throw new Error(`POST ${path} answered ${stream.status}: ${await stream.text()}`)
      await stream.text()
      const { active_branch } = await call<ActiveBranch>('GET', `/sessions/${sessionId}/active-branch`)
      return active_branch
    },
  }
}

async function read<Answer>(answer: Response, what: string): Promise<Answer> {
  if (!answer.ok) throw new Error(`${what} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
