import { startApp, type TestApp } from './app.ts'
import { aSession, aUser, type TestUser } from './builders.ts'
import { type OpenStream, openStream } from './event-stream.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

/** The real application with a scripted model and a user who calls it over HTTP. */
export type Chat = {
  app: TestApp
  model: ModelServer
  user: TestUser
  /** `http://127.0.0.1:…/api/v1` */
  url: string
  aSession: (options?: Parameters<typeof aSession>[2]) => Promise<string>
  /** Calls the API as the user. */
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  /** Sends a message in the one-call form and reads its stream. */
  ask: (sessionId: string, body: string | Record<string, unknown>) => Promise<OpenStream>
  /** Opens one of the session's streams. */
  follow: (path: string, headers?: Record<string, string>) => Promise<OpenStream>
  close: () => Promise<void>
}
// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
export type Answer = { status: number; body: any }

type Options = {
  model?: Parameters<typeof startModelServer>[0]
  app?: Parameters<typeof startApp>[0]
  user?: Parameters<typeof aUser>[1]
}

export async function startChat(options: Options = {}): Promise<Chat> {
  const model = await startModelServer(options.model)
  const config = { ATRIUM_COMPATIBLE_URL: model.url, ...options.app?.config }
  const app = await startApp({ ...options.app, config })
  const url = `${await app.listen()}/api/v1`
  const user = await aUser(app, options.user)
  const { headers } = user
  return {
    ...{ app, model, user, url },
    aSession: async (session) =>
      (await aSession(app, user, { modelName: 'compatible/scripted', ...session })).id,
    call: async (method, path, body, more = {}) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, ...type, ...more },
        body: text,
      })
      return { status: answer.status, body: await answer.json() }
    },
    ask: (sessionId, body) =>
      openStream(`${url}/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? { content: body } : body,
      }),
    follow: (path, more = {}) => openStream(url + path, { headers: { ...headers, ...more } }),
    close: async () => {
      await app.close()
      await model.close()
    },
  }
}

/** Creates a question answered by a plan, with a checkpoint before and after each step. */
export async function anAnsweredPlan({ aSession, ask }: Chat) {
  const sessionId = await aSession({ metadata: { agent_type: 'plan_and_act' } })
  const stream = await ask(sessionId, 'Go')
  await stream.ended
  const { run_id: runId, message_id: messageId } = stream.view()!
  return { sessionId, runId, messageId }
}

/** Creates a promise that a test resolves itself. */
export function aGate(): { open: () => void; opened: Promise<void> } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
