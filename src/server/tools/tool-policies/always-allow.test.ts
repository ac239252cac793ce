import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'

let chat: Chat
let assistant_id: string
beforeAll(async () => {
  chat = await startChat()
  assistant_id = (await chat.call('POST', '/assistants', { name: 'Desk' })).body.id
  await setPolicy({ policy: 'ask', assistant_id })
  chat.model.always(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? [says('Done.')]
      : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
  )
})
afterAll(() => chat.close())

const setPolicy = (body: object) => chat.call('PUT', '/tools/calculator/policy', body)

/** Returns the calculator's question in a new chat with an assistant; undefined if it runs without asking. */
async function asks(assistant: string) {
  const sessionId = await chat.aSession({ metadata: { assistant_id: assistant } })
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const request = stream.view()?.blocks.find(({ type }) => type === 'input_required')
  if (request) await chat.call('POST', `/sessions/${sessionId}/stop`)
  return request?.type === 'input_required' ? request : undefined
}

describe('always allowing a tool', () => {
  it('names the assistant whose policy applies, and changing that is enough [SV-96]', async () => {
    expect((await asks(assistant_id))?.tool?.assistant).toEqual({ id: assistant_id, name: 'Desk' })
    await setPolicy({ policy: 'auto', assistant_id })
    expect(await asks(assistant_id)).toBeUndefined()
    await setPolicy({ policy: 'ask', assistant_id })
  })

  it("names no assistant if the person's own decision applies, or they cannot change the assistant [SV-96]", async () => {
    await setPolicy({ policy: 'ask' })
    expect(await asks(assistant_id)).toMatchObject({ kind: 'approval' })
    expect((await asks(assistant_id))?.tool?.assistant).toBeUndefined()
    const builtIn = '00000000-0000-4000-8000-000000000001'
    expect(await asks(builtIn)).toMatchObject({ kind: 'approval' })
    expect((await asks(builtIn))?.tool?.assistant).toBeUndefined()
    await setPolicy({ policy: 'auto' })
    expect(await asks(assistant_id)).toBeUndefined()
  })
})
