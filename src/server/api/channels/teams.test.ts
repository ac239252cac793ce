import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Answer, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'
import {
  startTeamsServer,
  TEAMS_APP,
  TEAMS_SECRET,
  TEAMS_TENANT,
  type TeamsServer,
  teamsActivity,
} from '#tests/teams-server.ts'

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const BUYING = '19:c1@thread.tacv2'
const WAIT = { timeout: 60_000 }
let chat: Chat
let teams: TeamsServer
let admin: TestUser
let companyId: string
let channelId: string
beforeAll(async () => {
  teams = await startTeamsServer()
  chat = await startChat({
    app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } },
    user: { role: 'member' },
  })
  admin = await aUser(chat.app, { role: 'super_admin' })
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  companyId = rows[0]?.id ?? ''
  const made = await as(admin, 'POST', '/admin/channels', connection())
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  channelId = made.body.id
  teams.people.push({ id: 'asker', email: chat.user.email })
})
afterAll(async () => {
  await chat.close()
  teams.close()
})
beforeEach(async () => {
  await sql`update channel_places set members_read_at = null`.execute(chat.app.deps.db)
  teams.posts.length = 0
  teams.fault = () => null
  teams.conversations.clear()
  teams.conversations.set(BUYING, ['asker'])
  chat.model.requests.length = 0
  chat.model.forget()
  chat.model.always([says('It opens at nine.')])
})

const connection = (changes = {}) => ({
  ...{ kind: 'teams', name: 'Teams', company_id: companyId, address: teams.url, graph: teams.url },
  ...{ issuer: `${teams.url}/.well-known/openidconfiguration`, services: [teams.url] },
  ...{ app_id: TEAMS_APP, tenant_id: TEAMS_TENANT, secret: TEAMS_SECRET, ...changes },
})
async function as(user: TestUser, method: string, path: string, body?: unknown): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = body === undefined ? null : JSON.stringify(body)
  const answer = await fetch(chat.url + path, { method, headers: { ...user.headers, ...type }, body: sent })
  return { status: answer.status, body: await answer.json() }
}
async function send(activity: object, token = teams.sign()): Promise<Answer> {
  const url = `${chat.url}/channels/${channelId}/teams/messages`
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(activity) })
  return { status: answer.status, body: await answer.json() }
}
async function mention(said: Partial<Parameters<typeof teamsActivity>[1]> = {}) {
  const activity = teamsActivity(teams, { from: 'asker', channel: BUYING, ...said })
  const { status, body } = await send(activity)
  expect(status, JSON.stringify(body)).toBe(200)
  return activity
}
async function posted(count: number): Promise<string[]> {
  await expect.poll(() => teams.posts.length, WAIT).toBe(count)
  return teams.posts.map(({ text }) => text)
}
async function member(id: string): Promise<TestUser> {
  const user = await aUser(chat.app, { role: 'member', companyId })
  teams.people.push({ id, email: user.email })
  return user
}
async function place(changes: object = {}): Promise<string> {
  const { body } = await chat.call('POST', '/assistants', {
    ...{ name: 'Reception', system_prompt: 'You are the reception.', model_name: 'compatible/scripted' },
    ...{ status: 'published', ...changes },
  })
  await sql`insert into assistant_shares (assistant_id, company_id, access) values (${body.id}, ${companyId}, 'use')`.execute(
    chat.app.deps.db,
  )
  const places = [
    { foreign_id: BUYING, name: 'Buying', assistant_id: body.id },
    { foreign_id: 'direct', name: 'Direct messages', assistant_id: null },
  ]
  const put = await as(admin, 'PUT', `/admin/channels/${channelId}/places`, { places })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  return body.id
}
async function aLease(): Promise<string> {
  const reader = await aReader(chat.app, chat.url, chat.user)
  const { body } = await reader.upload({ name: 'lease.txt', content: `${LEASE} ${crypto.randomUUID()}` })
  await reader.processed(body.id)
  return body.id
}
const told = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)
const asked = () => told(chat.model.requests.at(-1))
const citesLease = () =>
  chat.model.always((request) => {
    const [before = '', behind] = told(request).split(LEASE)
    const number = before.match(/\[\d+\] /g)?.at(-1)
    return behind === undefined || !number
      ? [says('I do not know.')]
      : [says(`It is 4 200 euros ${number.trim()}.`)]
  })

describe('a mention in Microsoft Teams', () => {
  it('is answered in its thread, which is a chat, with citations as links [CH-01]', async () => {
    const lease = await aLease()
    await place({ documents: [lease] })
    citesLease()
    const first = await mention({ text: '<at>Atrium</at> What is the rent in Lyon?' })
    const [text = ''] = await posted(1)
    expect(text).toMatch(
      new RegExp(`^It is 4 200 euros ?\\[1\\]\\(http://[^)]+/documents/${lease}\\?chunk=[0-9a-f-]{36}\\)`),
    )
    expect(teams.posts[0]?.conversation).toBe(`${BUYING};messageid=${first.id}`)
    expect(asked()).toContain('You are the reception.')
    expect(asked()).not.toContain('<at>')
    await mention({ root: first.id, mentions: false, text: 'And in Sète?' })
    await posted(2)
    expect(asked()).toContain('And in Sète?')
    expect(asked()).toContain('What is the rent in Lyon?')
    expect((await chat.call('GET', '/sessions')).body.items).toHaveLength(1)
    await send(teamsActivity(teams, { from: 'asker', channel: BUYING, mentions: false, text: 'Lunch?' }))
    const { body } = await as(admin, 'GET', `/admin/channels/${channelId}/offered`)
    expect(body.items).toContainEqual({ foreign_id: BUYING, name: 'Buying' })
  }, 60_000)

  it('is answered once, also when its post was interrupted after Teams had it [CH-04]', async () => {
    await place()
    let isCut = false
    teams.fault = ({ method, path, body }) => {
      if (isCut || method !== 'POST' || !path.endsWith('/activities')) return null
      isCut = true
      const conversation = decodeURIComponent(path.split('/').at(-2) ?? '')
      const card = body.attachments[0].content
      teams.posts.push({ id: '9', conversation, card, text: card.body[0].text, edits: 0 })
      return { status: 502, json: {} }
    }
    const activity = await mention()
    await Promise.all([send(activity), send(activity)])
    const state = async () =>
      (
        await sql<{ state: string; foreign_id: string }>`select p.state, p.foreign_id from channel_posts p
          join channel_events e on e.id = p.event_id where e.foreign_id = ${`${BUYING} ${activity.id}`}`.execute(
          chat.app.deps.db,
        )
      ).rows
    await expect.poll(state, WAIT).toEqual([{ state: 'posted', foreign_id: '9' }])
    expect(await posted(1)).toEqual(['It opens at nine.'])
    expect(chat.model.requests).toHaveLength(1)
  }, 90_000)

  it('is refused without a token of its issuer for this application, tenant and service', async () => {
    await place()
    const activity = teamsActivity(teams, { from: 'asker', channel: BUYING })
    const now = Math.floor(Date.now() / 1000)
    const other = await startTeamsServer()
    const service = `${teams.url}/emea/`
    const wrong = [
      'nonsense',
      other.sign({ serviceurl: service }),
      teams.sign({ aud: crypto.randomUUID() }),
      teams.sign({ iss: 'https://evil.example' }),
      teams.sign({ exp: now - 3_600 }),
      teams.sign({ serviceurl: 'https://evil.example/' }),
      teams.sign({}, { alg: 'none' }),
      `${teams.sign().split('.').slice(0, 2).join('.')}.`,
    ]
    other.close()
    for (const token of wrong) expect((await send(activity, token)).status, token).toBe(401)
    const elsewhere = { ...activity, serviceUrl: 'https://evil.example/' }
    expect((await send(elsewhere, teams.sign({ serviceurl: elsewhere.serviceUrl }))).status).toBe(401)
    const foreign = { ...activity, channelData: { ...activity.channelData, tenant: { id: 'other' } } }
    expect((await send(foreign)).status).toBe(200)
    await mention()
    await posted(1)
    expect(chat.model.requests).toHaveLength(1)
  }, 60_000)
})

it('answers in a chat of several people only what names it', async () => {
  await place()
  const group = '19:group@thread.v2'
  teams.conversations.set(group, ['asker'])
  const say = (text: string, mentions: boolean) => {
    const activity = teamsActivity(teams, { from: 'asker', channel: group, text, mentions })
    const { team: _, ...channelData } = { team: null, ...activity.channelData }
    const conversation = { ...activity.conversation, id: group, conversationType: 'groupChat' }
    return send({ ...activity, channelData, conversation })
  }
  const places = [{ foreign_id: group, name: 'Group', assistant_id: await place() }]
  expect((await as(admin, 'PUT', `/admin/channels/${channelId}/places`, { places })).status).toBe(200)
  expect((await say('<at>Atrium</at> When do you open?', true)).status).toBe(200)
  await posted(1)
  await say('Lunch at one?', false)
  await say('<at>Atrium</at> And on Sundays?', true)
  await posted(2)
  expect(asked()).toContain('And on Sundays?')
  expect(asked()).not.toContain('Lunch')
}, 60_000)

it('answers those whom the tenant confirms as users of the company, and tells others one sentence [CH-02]', async () => {
  await place()
  const colleague = await member('colleague')
  teams.people.push(
    { id: 'stranger', email: 'stranger@other.example' },
    { id: 'guest', email: colleague.email, guest: true },
    { id: 'federated', email: colleague.email, tenant: 'other' },
  )
  for (const from of ['stranger', 'guest', 'federated']) await mention({ from })
  const refused = 'I cannot answer you: no account here has your verified address.'
  expect(await posted(3)).toEqual([refused, refused, refused])
  teams.conversations.set(BUYING, ['asker', 'colleague'])
  await mention({ from: 'colleague' })
  expect((await posted(4))[3]).toBe('It opens at nine.')
  expect((await as(colleague, 'GET', '/sessions')).body.items).toHaveLength(1)
}, 60_000)

it('reads only what all members of the channel may read, and alone with a person what they may read [CH-05]', async () => {
  const lease = await aLease()
  await place({ documents: [lease] })
  citesLease()
  await member('late')
  // The pages of the recorded server have four members.
  teams.conversations.set(BUYING, ['asker', 'asker', 'asker', 'asker', 'late'])
  await mention({ text: '<at>Atrium</at> What is the rent in Lyon?' })
  expect(await posted(1)).toEqual(['I do not know.'])
  expect(asked()).not.toContain('4 200')
  await send(teamsActivity(teams, { from: 'asker', text: 'Hello' }))
  await posted(2)
  const { rows } = await sql<{
    id: string
  }>`select session_id as id from channel_threads where is_direct`.execute(chat.app.deps.db)
  await chat.call('POST', `/sessions/${rows[0]?.id}/documents/${lease}`)
  await send(teamsActivity(teams, { from: 'asker', text: 'What is the rent in Lyon?' }))
  expect((await posted(3))[2]).toContain('It is 4 200 euros')
}, 60_000)

it('takes an approval from the person it is for, once, and refuses others in a chat of their own [CH-03]', async () => {
  await place()
  await member('meddler')
  teams.conversations.set(BUYING, ['asker', 'meddler'])
  await chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
  chat.model.always(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? [says('It is 42.')]
      : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
  )
  const { id: root } = await mention({ text: '<at>Atrium</at> What is 21 times 2?' })
  await posted(1)
  const [question] = teams.posts
  const [approve, decline] = question?.card.actions ?? []
  expect([approve.title, decline.title]).toEqual(['Approve', 'Decline'])
  await mention({ from: 'meddler', root, value: approve.data })
  await expect
    .poll(() => teams.posts[1], WAIT)
    .toMatchObject({
      ...{ conversation: 'a:alone:meddler', text: 'This question is for someone else.' },
    })
  await mention({ root, value: approve.data })
  await expect.poll(() => teams.posts.map(({ text }) => text), WAIT).toContain('It is 42.')
  await expect.poll(() => question?.text, WAIT).toContain('Approved.')
  expect(question?.card.actions).toEqual([])
  await mention({ root, value: decline.data })
  await expect.poll(() => teams.posts.map(({ text }) => text), WAIT).toContain('Answered.')
  expect(teams.posts.filter(({ text }) => text === 'It is 42.')).toHaveLength(1)
}, 90_000)

it('stores an activity however many forged ones come from the same network', async () => {
  await place()
  const forged = teamsActivity(teams, { from: 'asker', channel: BUYING })
  const statuses: number[] = []
  for (let n = 0; n < 31; n += 1) statuses.push((await send(forged, teams.sign({ aud: 'another' }))).status)
  expect(statuses.at(-1)).toBe(429)
  await mention()
  expect(await posted(1)).toEqual(['It opens at nine.'])
  await sql`delete from rate_limits`.execute(chat.app.deps.db)
}, 60_000)

it('tells an administrator plainly what the connection test found', async () => {
  const test = (changes: object) => as(admin, 'POST', '/admin/channels/test', connection(changes))
  expect((await test({})).body).toEqual({ workspace: TEAMS_TENANT, bot: TEAMS_APP })
  const { status, body } = await test({ secret: 'wrong' })
  expect([status, body.detail]).toEqual([
    422,
    'Microsoft refuses the application: AADSTS7000215: Invalid client secret.',
  ])
  const { body: kept } = await as(admin, 'GET', '/admin/channels')
  expect(JSON.stringify(kept)).not.toContain(TEAMS_SECRET)
})

it('sends no stored secret to an address that it was not entered for, and stays with its service', async () => {
  const { secret: _, ...unchanged } = connection()
  const put = (changes: object) =>
    as(admin, 'PUT', `/admin/channels/${channelId}`, { ...unchanged, ...changes })
  expect((await put({})).status).toBe(200)
  const elsewhere = { address: 'https://a.example', graph: 'https://a.example' }
  for (const [field, address] of Object.entries(elsewhere)) {
    const { status, body } = await put({ [field]: address })
    expect([status, body.detail], field).toEqual([422, 'secret: Enter it again: the address has changed.'])
  }
  const { status, body } = await put({ services: [teams.url, 'https://a.example'] })
  expect([status, body.detail]).toEqual([422, 'secret: Enter it again: the address has changed.'])
  expect((await put({ kind: 'slack', secret: 'a', token: 'b' })).body.detail).toMatch(/^kind: /)
})

it('names each change of a connection in the audit log, secrets without their values', async () => {
  const { rows } = await sql<{ name: string }>`select name from companies where id = ${companyId}`.execute(
    chat.app.deps.db,
  )
  const elsewhere = await aCompany(chat.app)
  const issuer = `${teams.url}/.well-known/openidconfiguration?cloud=2`
  const services = [teams.url, 'https://smba.example']
  const put = (changes: object) => as(admin, 'PUT', `/admin/channels/${channelId}`, connection(changes))
  expect((await put({ company_id: elsewhere, issuer, services, app_id: 'other' })).status).toBe(422)
  expect((await put({ company_id: elsewhere, issuer, services })).status).toBe(200)
  const newest = async () => {
    const { body } = await as(admin, 'GET', '/admin/audit?did=channel.changed&days=1')
    return body.items[0].changes
  }
  const changes = await newest()
  expect(changes).toHaveLength(3)
  expect(changes).toEqual(
    expect.arrayContaining([
      { what: 'company', before: rows[0]?.name, after: expect.any(String) },
      { what: 'issuer', before: connection().issuer, after: issuer },
      { what: 'services', before: teams.url, after: services.join(' ') },
    ]),
  )
  await sql`update channels set secret_sealed = ${chat.app.deps.secrets.seal('former')}, app_id = 'former'
    where id = ${channelId}`.execute(chat.app.deps.db)
  expect((await put({})).status).toBe(200)
  const back = await newest()
  expect(back).toEqual(
    expect.arrayContaining([
      { what: 'secret', before: null, after: 'changed' },
      { what: 'app_id', before: 'former', after: TEAMS_APP },
    ]),
  )
  expect(JSON.stringify(back)).not.toContain(TEAMS_SECRET)
})
