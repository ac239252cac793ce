import type { RunContext } from '../../src/server/runs/runs/runs.ts'
import type { TestApp } from './app.ts'
import type { Chat } from './chat.ts'

/** Makes `run` write the replies of these processes. */
export function playAgent(apps: TestApp[], run: (run: RunContext) => Promise<void>): void {
  for (const { deps } of apps) deps.engine.agents.multi_turn = { version: 1, run }
}

/** Writes one line of a reply. */
export function say(run: RunContext, key: string, content: string): Promise<string> {
  return run.step(key, async (leaf) => {
    leaf.emit({ event: 'response_chunk', content })
    return content
  })
}

/** Asks in a new session until the run waits. Returns the session. */
export async function askUntilWaiting(chat: Chat): Promise<string> {
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  return sessionId
}

/** Reads the stream of a session's reply until it ends or waits again. */
export async function readOn(chat: Chat, sessionId: string) {
  const stream = await chat.follow(`/sessions/${sessionId}/task-stream`)
  await stream.ended
  return stream
}
