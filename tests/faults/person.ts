import type { Message } from '../../src/shared/runs/runs/message.ts'
import { signUp } from '../support/account.ts'

export type Person = {
  /** Creates a conversation and returns its id. */
  newSession: () => Promise<string>
  /** Sends a message without reading its stream; the server may be killed meanwhile. */
  send: (sessionId: string, content: string) => Promise<void>
  /** Returns the newest answer of a conversation; null before the first. */
  reply: (sessionId: string) => Promise<Message | null>
  headers: { authorization: string }
}

/** A user with an account who calls a server over HTTP; `url` may change at a restart. */
export async function aPerson(url: () => string, username = 'ada', setupCode?: string): Promise<Person> {
  const { token } = await signUp(url(), username, setupCode)
  const headers = { authorization: `Bearer ${token}` }
  const post = (path: string, body: object) =>
    fetch(`${url()}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    headers,
    newSession: async () => ((await (await post('/sessions', {})).json()) as { id: string }).id,
    send: async (chat_session_id, content) => {
      const answer = await post('/messages', { chat_session_id, content, agent_type: 'multi_turn' })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    },
    reply: async (sessionId) => {
      const answer = await fetch(`${url()}/api/v1/sessions/${sessionId}/active-branch`, { headers })
      const { active_branch } = (await answer.json()) as { active_branch: Message[] }
      return active_branch.findLast((message) => message.role === 'assistant') ?? null
    },
  }
}

/** Waits until a reply is finished. @throws after `ms` */
export async function finishedReply(person: Person, sessionId: string, ms = 20_000): Promise<Message> {
  const deadline = Date.now() + ms
  for (;;) {
    const reply = await person.reply(sessionId).catch(() => null)
    if (reply && reply.status !== 'streaming') return reply
    if (Date.now() > deadline)
      throw new Error(`the reply was not finished after ${ms} ms: ${JSON.stringify(reply).slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
