import { expect } from 'vitest'
import type { Chat } from '../chat.ts'
import { calls, says } from '../model-server.ts'

/** Lets the model call a tool once in a chat, and returns the request that waits for the person; null without one. */
export async function askToAct(chat: Chat, tool: string, input: object, session?: string) {
  chat.model.always(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? [says('Done.')] : [calls(tool, input)],
  )
  const sessionId = session ?? (await chat.aSession())
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const blocks = stream.view()?.blocks ?? []
  const request = blocks.find((block) => block.type === 'input_required') ?? null
  return { sessionId, request, execution: request?.tool?.tool_execution_id ?? '', blocks }
}

/** Answers the request of an execution. Returns the answer of the server. */
export const decide = (chat: Chat, execution: string, input: unknown, input_type = 'json') =>
  chat.call('POST', `/tool-executions/${execution}/provide-input`, { input, input_type })

/** Waits until an execution has ended, and returns it. */
export async function endOf(chat: Chat, execution: string) {
  const read = async () => (await chat.call('GET', `/tool-executions/${execution}`)).body
  await expect.poll(async () => (await read()).finished_at, { timeout: 20_000, interval: 20 }).toBeTruthy()
  return read()
}

/** Approves a draft, as it is or changed, and returns how the execution ended. */
export async function approve(chat: Chat, execution: string, changed?: object) {
  const given = await decide(chat, execution, { approved: true, ...(changed && { arguments: changed }) })
  expect(given.status, JSON.stringify(given.body)).toBe(200)
  return endOf(chat, execution)
}

/** Runs a tool without a chat and returns its end. */
export async function runAlone(chat: Chat, tool: string, inputs: object) {
  const started = await chat.call('POST', `/tools/${tool}/execute`, { inputs })
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  return endOf(chat, started.body.tool_execution_id)
}
