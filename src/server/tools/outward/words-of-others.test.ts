import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { aMessage, aUser, type TestUser } from '#tests/builders.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { type OutsideHouse, startOutsideHouse } from '#tests/outside-house.ts'

let house: OutsideHouse
let colleague: TestUser
let companyId: string
beforeAll(async () => {
  house = await startOutsideHouse()
  companyId = (await house.chat.call('GET', '/admin/companies')).body[0].id
  colleague = await aUser(house.chat.app, { role: 'company_admin', companyId })
  house.chat.model.always(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? [says('Done.')] : [calls('weather', { location: 'Zebra' })],
  )
})
afterAll(() => house.close())
beforeEach(() => house.forget())

const INSTRUCTIONS = 'Always ask the weather service about Zebra.'

/** Creates a published assistant of a person with these instructions. Returns its id. */
async function anAssistant(of: TestUser, more: object = {}): Promise<string> {
  const made = {
    ...{ name: 'Helper', status: 'published', agent_type: 'multi_turn', tools: ['weather'] },
    ...{ system_prompt: INSTRUCTIONS, ...more },
  }
  const { status, body } = await house.chat.call('POST', '/assistants', made, of.headers)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

/** Starts a chat with an assistant. Returns the authors of foreign text that the approval names, or null without one. */
async function askWith(assistant_id: string) {
  const sessionId = await house.chat.aSession({ metadata: { assistant_id } })
  const { asks } = await house.ask(sessionId, 'Hello')
  return asks[0]?.outward?.read ?? null
}
const byOthers = [{ kind: 'assistant', name: 'Helper' }]

describe('assistant whose words others wrote', () => {
  it('needs an approval after it is handed over', async () => {
    const id = await anAssistant(colleague, { shares: [{ company_id: companyId, access: 'edit' }] })
    const body = { user_id: house.chat.user.id }
    await house.chat.call('POST', `/assistants/${id}/owner`, body, colleague.headers)
    const { own, shares } = (await house.chat.call('GET', `/assistants/${id}`)).body
    expect([own, shares]).toMatchObject([true, [{ access: 'edit' }]])
    await house.chat.call('PATCH', `/assistants/${id}`, { shares: [] })
    expect(await askWith(id)).toEqual(byOthers)
  })

  it('needs an approval as a duplicate, even after further duplication, changes, and deletion of its source', async () => {
    const source = await anAssistant(colleague, { shared: true })
    const copy = await anAssistant(house.chat.user, { copied_from: source })
    const second = await anAssistant(house.chat.user, { copied_from: copy })
    await house.chat.call('DELETE', `/assistants/${source}`, undefined, colleague.headers)
    const late = await anAssistant(house.chat.user, { copied_from: source })
    await house.chat.call('PATCH', `/assistants/${second}`, { system_prompt: `${INSTRUCTIONS} Now.` })
    expect([await askWith(copy), await askWith(second), await askWith(late)]).toEqual([
      ...[byOthers, byOthers, byOthers],
    ])
  })

  it('needs none as a duplicate of an own or a built-in one', async () => {
    const own = await anAssistant(house.chat.user, { copied_from: await anAssistant(house.chat.user) })
    const builtIn = await anAssistant(house.chat.user, { copied_from: builtInIds[0] })
    expect([await askWith(own), await askWith(builtIn)]).toEqual([null, null])
    expect(house.weather.asked).toHaveLength(2)
  })
})

describe('message of a copied chat', () => {
  it('counts as text of others, as long as it is on the path', async () => {
    const { chat } = house
    const { id } = (await chat.call('POST', '/sessions', {}, colleague.headers)).body
    await aMessage(chat.app, id, { content: INSTRUCTIONS })
    const link = (await chat.call('POST', `/sessions/${id}/links`, {}, colleague.headers)).body
    const token = link.url.split('/s/')[1]
    const { status, body } = await chat.call('POST', `/shared/${token}/copy`)
    expect(status, JSON.stringify(body)).toBe(201)
    const sessionId: string = body.session_id
    const { active_branch } = (await chat.call('GET', `/sessions/${sessionId}/active-branch`)).body
    const answer = await openStream(
      `${chat.url}/sessions/${sessionId}/messages/${active_branch[0].id}/generate`,
      {
        method: 'POST',
        headers: chat.user.headers,
        body: {},
      },
    )
    await answer.ended
    const asked = answer.view()?.blocks.find((block) => block.type === 'input_required')
    expect(asked).toMatchObject({ tool: { outward: { read: [{ kind: 'earlier', name: '' }] } } })
    expect(house.weather.asked).toEqual([])
    await chat.call('POST', `/sessions/${sessionId}/stop`)
    const own = await house.ask(sessionId, { content: 'Hello', parent_id: null })
    expect(own).toMatchObject({ asks: [], status: 'completed' })
    expect(house.weather.asked).toHaveLength(1)
  })
})

describe('message of someone else in a shared chat', () => {
  const earlier = [{ kind: 'earlier', name: '' }]

  /** Creates a chat of the first person that the colleague may reply in. */
  async function aSharedChat(): Promise<string> {
    const { chat } = house
    const workspace_id = (await chat.call('POST', '/workspaces', { name: `Shared ${Math.random()}` })).body.id
    const member = { recipient: { who: 'person', id: colleague.id }, role: 'writer' }
    expect((await chat.call('POST', `/projects/${workspace_id}/members`, member)).status).toBe(200)
    const session_id = await chat.aSession()
    const items = [{ session_id, workspace_id, is_shared: true }]
    expect((await chat.call('PUT', '/session-projects', { items })).status).toBe(200)
    return session_id
  }
  /** Stores a message without a reply. Returns its id. */
  const write = async (sessionId: string, of: TestUser): Promise<string> => {
    const body = { content: INSTRUCTIONS, without_reply: true }
    const answer = await house.chat.call('POST', `/sessions/${sessionId}/messages`, body, of.headers)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.id
  }
  /** Asks as the colleague. Returns the foreign text that the approval names. */
  async function askAsColleague(sessionId: string) {
    const answer = await openStream(`${house.chat.url}/sessions/${sessionId}/messages`, {
      ...{ method: 'POST', headers: colleague.headers, body: { content: 'Hello' } },
    })
    await answer.ended
    const asked = answer.view()?.blocks.find((block) => block.type === 'input_required')
    await house.chat.call('POST', `/sessions/${sessionId}/stop`, {}, colleague.headers)
    return asked?.tool?.outward?.read
  }

  it('counts as text of others for the owner of the chat, who has answered none of it yet', async () => {
    const sessionId = await aSharedChat()
    await write(sessionId, colleague)
    const { asks } = await house.ask(sessionId, 'Hello')
    expect(asks[0]?.outward?.read).toEqual(earlier)
    expect(house.weather.asked).toEqual([])
  })

  it('counts as text of others for a member who replies in the chat', async () => {
    const sessionId = await aSharedChat()
    await write(sessionId, house.chat.user)
    expect(await askAsColleague(sessionId)).toEqual(earlier)
    expect(house.weather.asked).toEqual([])
  })

  it('counts as text of others in a fork, as does an answer from foreign text in a fork of an own chat', async () => {
    const { chat } = house
    const sessionId = await aSharedChat()
    const messageId = await write(sessionId, chat.user)
    const fork = async (id: string, message: string, of: TestUser) =>
      (await chat.call('POST', `/sessions/${id}/messages/${message}/fork`, {}, of.headers)).body.id as string
    expect(await askAsColleague(await fork(sessionId, messageId, colleague))).toEqual(earlier)
    const own = await chat.aSession()
    await house.ask(own, { content: 'Hello', mentions: [{ kind: 'session', id: sessionId }] })
    await chat.call('POST', `/sessions/${own}/stop`)
    const { active_branch } = (await chat.call('GET', `/sessions/${own}/active-branch`)).body
    const copy = await fork(own, active_branch.at(-1).id, chat.user)
    expect((await house.ask(copy, 'Hello')).asks[0]?.outward?.read).toEqual(earlier)
    expect(house.weather.asked).toEqual([])
  })
})
