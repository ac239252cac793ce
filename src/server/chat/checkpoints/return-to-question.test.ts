import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askUntilWaiting, playAgent, readOn, say } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const name = 'waiting_for_input_after_step1'
const provide = (sessionId: string, input: string) =>
  chat.call('POST', `/sessions/${sessionId}/provide-input`, {
    checkpoint_name: name,
    ...{ input, input_type: 'text' },
  })

/** Creates a session whose run was answered once. */
async function answered() {
  playAgent([chat.app], async (run) => {
    const { input } = await run.ask(name, { prompt: 'Which one?', input_types: ['text'] })
    await say(run, 'end', `Got ${input}.`)
  })
  const sessionId = await askUntilWaiting(chat)
  await provide(sessionId, 'blue')
  const view = (await readOn(chat, sessionId)).view()
  return { sessionId, messageId: view?.message_id ?? '' }
}

async function returnTo(
  { sessionId, messageId }: { sessionId: string; messageId: string },
  checkpoint: string,
) {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers },
    body: { checkpoint_name: checkpoint, message_id: messageId },
  })
  await stream.ended
  return stream
}

describe('returning to a question', () => {
  it('asks it again from waiting_for_input, and accepts a different answer [CK-03, CK-18]', async () => {
    const before = await answered()
    const stream = await returnTo(before, name)
    expect(stream.view()).toMatchObject({ status: 'waiting' })
    const waiting = await chat.call('GET', '/input-requests')
    expect(waiting.body.items).toMatchObject([{ session_id: before.sessionId }])
    expect((await provide(before.sessionId, 'green')).status).toBe(200)
    expect((await readOn(chat, before.sessionId)).view()).toMatchObject({
      ...{ status: 'completed', content: 'Got green.' },
    })
  })

  it('continues with the recorded answer from _with_input [CK-03, CK-18]', async () => {
    const stream = await returnTo(await answered(), `${name}_with_input`)
    expect(stream.view()).toMatchObject({ status: 'completed', content: 'Got blue.' })
  })
})
