import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'
import type { ThingKind } from '../../../shared/identity/grants/decide.ts'

const modelId = 'compatible/scripted'
let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const closed: [ThingKind, string][] = []
const close = async (kind: ThingKind, id: string) => {
  closed.push([kind, id])
  await closeToAll(chat.app, kind, id)
}
let unplay = () => {}
afterEach(async () => {
  unplay()
  chat.model.forget()
  for (const [kind, id] of closed.splice(0)) await openToAll(chat.app, kind, id)
})

/** Starts a reply that asks a question, and returns the stream after the answer. */
async function answerAfter(withdraw: () => Promise<void>, session = {}) {
  const sessionId = await chat.aSession(session)
  chat.model.reply([calls('ask_person', { prompt: 'Which site?' })], [says('Metz.')])
  const asked = await chat.ask(sessionId, 'Who repairs the heating?')
  await asked.ended
  const block = asked.view()?.blocks.find(({ type }) => type === 'input_required')
  const { checkpoint_name } = block as unknown as { checkpoint_name: string }
  await withdraw()
  const before = chat.model.requests.length
  const given = { checkpoint_name, input: 'Metz', input_type: 'text' }
  expect((await chat.call('POST', `/sessions/${sessionId}/provide-input`, given)).status).toBe(200)
  const stream = await chat.follow(`/sessions/${sessionId}/task-stream`)
  await stream.ended
  return { view: stream.view()!, asked: chat.model.requests.length - before, sessionId }
}
const errorOf = ({ blocks }: { blocks: { type: string }[] }) => blocks.find(({ type }) => type === 'error')

describe('a waiting run whose grant may be withdrawn', () => {
  it('resumes when nothing was withdrawn', async () => {
    const { view, asked } = await answerAfter(async () => undefined)
    expect([view.content, asked]).toEqual(['Metz.', 1])
  })

  it('ends with an explanation before its next call of a closed model [AD-05]', async () => {
    const { view, asked, sessionId } = await answerAfter(() => close('model', modelId))
    expect(asked).toBe(0)
    expect(view.status).toBe('error')
    expect(errorOf(view)).toMatchObject({ code: 'not_granted' })
    expect(JSON.stringify(errorOf(view))).toContain(
      `The model ${modelId} is not open to you. Choose another one, or ask your administrator.`,
    )
    // The chat accepts another question.
    const next = await chat.call('POST', `/sessions/${sessionId}/messages`, {
      content: 'Go',
      model_name: 'atrium/offline',
    })
    expect(next.status).toBe(201)
  })

  it('ends when its assistant is closed', async () => {
    const body = { name: 'Buyer', agent_type: 'multi_turn' }
    const { id } = (await chat.call('POST', '/assistants', body)).body
    const { view, asked } = await answerAfter(() => close('assistant', id), {
      metadata: { assistant_id: id },
    })
    expect([asked, view.status]).toEqual([0, 'error'])
    expect(errorOf(view)).toMatchObject({ code: 'not_granted' })
  })
})

describe('an active call whose grant is withdrawn', () => {
  it('of a model finishes, and no further one starts', async () => {
    const gate = aGate()
    const sessionId = await chat.aSession()
    unplay = playTool(chat.app, async ({ n }) => ({ doubled: n * 2 }))
    chat.model.reply(
      [says('Half '), waits(gate.opened), says('said.'), calls('probe', { n: 1 })],
      [says('More.')],
    )
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('response_chunk')
    await close('model', modelId)
    gate.open()
    await stream.ended
    const view = stream.view()!
    expect(view.content).toBe('Half said.')
    expect(errorOf(view)).toMatchObject({ code: 'not_granted' })
  })

  it('of a tool finishes, and the next one is refused and reported to the model [AD-05]', async () => {
    const sessionId = await chat.aSession()
    unplay = playTool(chat.app, async ({ n }) => {
      if (n === 1) await close('tool', 'calculator')
      return { doubled: n * 2 }
    })
    const sum = { a: 1, b: 2, operation: 'add' }
    chat.model.reply([calls('probe', { n: 1 })], [calls('calculator', sum)], [says('Done.')])
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const cards = stream.view()!.blocks.filter(({ type }) => type === 'tool')
    expect(cards).toMatchObject([
      { status: 'complete', result: { doubled: 2 } },
      { status: 'error', error: 'The tool calculator is not open to you. Ask your administrator.' },
    ])
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages)).toContain('is not open to you')
  })
})

describe("things that depend on a user's grant", () => {
  it('are closed with it: a key, a visit, a link', async () => {
    const { headers } = await anApiKey(chat.app, chat.user, { scopes: ['chat'] })
    const wire = () =>
      fetch(chat.url.replace('/api/v1', '/v1/models'), { headers }).then(({ status }) => status)
    expect(await wire()).toBe(200)
    await close('feature', 'api_keys')
    expect(await wire()).toBe(403)

    const { id } = (await chat.call('POST', '/assistants', { name: 'Buyer', agent_type: 'single_turn' })).body
    const wish = { name: 'Intranet', origins: ['https://intranet.example'], days: 1 }
    const { token } = (await chat.call('POST', `/assistants/${id}/embeds`, wish)).body
    const visit = () => chat.call('POST', '/embed/visits', { token, language: 'en' }, { authorization: '' })
    const { body } = await visit()
    const read = () => chat.call('GET', '/embed/visit', undefined, { authorization: `Bearer ${body.visit}` })
    expect((await read()).status).toBe(200)
    await close('feature', 'embeds')
    expect([(await read()).status, (await visit()).status]).toEqual([401, 401])

    const sessionId = await chat.aSession({ turns: 1 })
    const link = { days: 1, documents: [], hide_steps: false }
    const { url } = (await chat.call('POST', `/sessions/${sessionId}/links`, link)).body
    const open = () => chat.call('GET', `/shared/${url.split('/s/')[1]}`, undefined, { authorization: '' })
    expect((await open()).status).toBe(200)
    await close('feature', 'links')
    expect((await open()).status).toBe(404)
  })

  it('include assistants: own ones that use something closed are blocked and name it', async () => {
    const parts = { model_name: modelId, tools: ['calculator'] }
    const { id } = (
      await chat.call('POST', '/assistants', { name: 'Buyer', agent_type: 'multi_turn', ...parts })
    ).body
    await close('model', modelId)
    await close('tool', 'calculator')
    expect((await chat.call('GET', `/assistants/${id}/missing`)).body).toMatchObject({
      ...{ model: modelId, tools: [{ id: 'calculator' }] },
    })
    const session = (await chat.call('POST', '/sessions', { assistant_id: id })).body
    const refused = await chat.call('POST', `/sessions/${session.id}/messages`, { content: 'Go' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_granted' } })
    const other = { content: 'Go', model_name: 'atrium/offline' }
    expect((await chat.call('POST', `/sessions/${session.id}/messages`, other)).status).toBe(201)
  })

  it('include the default model: the first open one, or none', async () => {
    const stranger = await aUser(chat.app)
    await close('model', modelId)
    const { body } = await chat.call('GET', '/available-models', undefined, stranger.headers)
    expect(body).toMatchObject([{ id: 'atrium/offline', is_default: true }])
    await close('model', 'atrium/offline')
    const { id } = (await chat.call('POST', '/sessions', {}, stranger.headers)).body
    const asked = await chat.call('POST', `/sessions/${id}/messages`, { content: 'Go' }, stranger.headers)
    expect(asked).toMatchObject({
      status: 403,
      body: { detail: 'No model is open to you. Ask your administrator.' },
    })
    expect((await chat.call('GET', '/tools', undefined, stranger.headers)).status).toBe(200)
  })
})
