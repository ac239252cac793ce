import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '#shared/runs/runs/view.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, type ModelRequest, says, thinks } from '#tests/model-server.ts'

const scripted = 'compatible/scripted'
let chat: Chat
let admin: TestUser

beforeAll(async () => {
  chat = await startChat()
  admin = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(() => chat.close())

const path = '/api/v1/model-connections/environment-compatible/adaptations'
const learned = async () =>
  (await chat.app.http.inject({ method: 'GET', url: path, headers: admin.headers })).json()
const forget = () => chat.app.http.inject({ method: 'DELETE', url: path, headers: admin.headers })

async function ask(
  answer: (request: ModelRequest) => ReturnType<typeof says>[],
  text = 'Hello',
  id?: string,
) {
  const session = id ?? (await chat.aSession())
  const before = chat.model.requests.length
  chat.model.always(answer)
  const stream = await chat.ask(session, text)
  await stream.ended
  return { session, view: stream.view(), requests: chat.model.requests.slice(before) }
}

/** The thoughts and texts of a reply. Checkpoints are before each call of the model and at the end. */
const said = (view: RunView | null) =>
  (view?.blocks ?? []).flatMap((block) =>
    block.type === 'thinking' || block.type === 'text' ? [[block.type, block.text]] : [],
  )

describe('a refusal that says how to continue', () => {
  it('repeats the request without tools, remembers it, and lists it until an administrator resets it', async () => {
    const answer = ({ tools }: ModelRequest) =>
      tools ? [fails(400, 'scripted does not support tools')] : [says('Hi.')]
    const first = await ask(answer)
    expect(first.view).toMatchObject({ status: 'completed', content: 'Hi.' })
    expect(first.view?.blocks).toContainEqual(
      expect.objectContaining({ type: 'adapted', adaptations: [{ name: 'no_tools' }] }),
    )
    expect(first.requests).toHaveLength(2)
    expect((await ask(answer)).requests).toHaveLength(1)
    expect(await learned()).toMatchObject([
      { model_id: scripted, name: 'no_tools', said: expect.stringContaining('tools') },
    ])
    await forget()
    expect(await learned()).toEqual([])
    expect((await ask(answer)).requests).toHaveLength(2)
    await forget()
  })

  it('learns the window from a refusal of the length and continues the chat, also in later turns', async () => {
    const size = ({ messages, tools }: ModelRequest) => JSON.stringify({ messages, tools }).length / 4
    const answer = (request: ModelRequest) =>
      size(request) > 4_000
        ? [fails(400, "This model's maximum context length is 4096 tokens. However, you requested more.")]
        : [says('It fits.')]
    const long = 'All the words of a long message. '.repeat(150)
    const { session } = await ask(answer, long)
    for (let turn = 0; turn < 4; turn++) {
      const { view } = await ask(answer, long, session)
      expect(view).toMatchObject({ status: 'completed', content: 'It fits.' })
    }
    expect(await learned()).toMatchObject([{ name: 'window', value: 4096 }])
    await forget()
  })

  it('is asked for words when a model calls a tool although it may not', async () => {
    const session = await chat.aSession({ metadata: { agent_type: 'single_turn' } })
    const answer = ({ messages }: ModelRequest) =>
      JSON.stringify(messages).includes('No tool is available now')
        ? [says('In words.')]
        : [calls('calculator', {})]
    expect((await ask(answer, 'Hello', session)).view).toMatchObject({
      status: 'completed',
      content: 'In words.',
    })
  })

  it('asks once more after a blank answer', async () => {
    const answer = ({ messages }: ModelRequest) =>
      JSON.stringify(messages).includes('Your last answer was empty') ? [says('Here.')] : [says(' \n ')]
    expect((await ask(answer)).view).toMatchObject({ status: 'completed', content: 'Here.' })
  })

  it('keeps thoughts out of the answer when only their end is marked', async () => {
    const { view } = await ask(() => [says('Two and two.\n</think>\n\nFour.')])
    expect(view?.content).toBe('Four.')
    expect(view?.blocks).toContainEqual(expect.objectContaining({ type: 'thinking', text: 'Two and two.\n' }))
    await forget()
  })

  it('shows a plain answer once when the model marked the end of earlier thoughts', async () => {
    await ask(() => [says('Two and two.\n</think>\n\nFour.')])
    const plain = await ask(() => [says('Five ', 'it is.')])
    expect(plain.view).toMatchObject({ status: 'completed', content: 'Five it is.' })
    expect(said(plain.view)).toEqual([['text', 'Five it is.']])
    const session = await chat.aSession()
    chat.model.always([says('Six ', 'it is.')])
    const stream = await chat.ask(session, 'And now?')
    await stream.ended
    expect(stream.wire.map(({ event }) => event)).not.toContain('agent_thinking')
    // The model still reasons at times, which is recognized at the mark.
    const { view } = await ask(() => [says('Two and two.\n</think>\n\nFour.')])
    expect(view?.content).toBe('Four.')
    await forget()
  })

  it('reads a plain answer as text once the server separates thoughts itself', async () => {
    await ask(() => [says('Two and two.\n</think>\n\nFour.')])
    const { view } = await ask(() => [thinks('Hm.'), says('Five.')])
    expect(view?.content).toBe('Five.')
    expect(said(view)).toEqual([
      ['thinking', 'Hm.'],
      ['text', 'Five.'],
    ])
    await forget()
  })
})
