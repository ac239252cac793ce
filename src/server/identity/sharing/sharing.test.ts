import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
let house: string
let elsewhere: string
let people: Record<'root' | 'admin' | 'member' | 'mate' | 'stranger', TestUser>
let groups: { own: string; foreign: string }
beforeAll(async () => {
  chat = await startChat()
  ;[house, elsewhere] = [await aCompany(chat.app, 'House'), await aCompany(chat.app, 'Elsewhere')]
  const at = (companyId: string, role: 'super_admin' | 'company_admin' | 'member') =>
    aUser(chat.app, { role, companyId })
  people = {
    root: await at(house, 'super_admin'),
    admin: await at(house, 'company_admin'),
    member: await at(house, 'member'),
    mate: await at(house, 'member'),
    stranger: await at(elsewhere, 'member'),
  }
  groups = { own: await aGroup(house, people.mate), foreign: await aGroup(elsewhere, people.stranger) }
})
afterAll(() => chat.close())

async function aGroup(company_id: string, ...members: TestUser[]): Promise<string> {
  const { db } = chat.app.deps
  const made = await db
    .insertInto('groups')
    .values({ company_id, name: `Sales ${Math.random()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { id: user_id } of members)
    await db.insertInto('group_members').values({ group_id: made.id, company_id, user_id }).execute()
  return made.id
}
const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
/** Calls a route that answers without a body. */
const callEmpty = async (user: TestUser, method: string, path: string, body?: unknown) =>
  (
    await fetch(chat.url + path, {
      ...(body === undefined ? { method } : { method, body: JSON.stringify(body) }),
      headers: { ...user.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    })
  ).status
const letMembersShare = (members_share: boolean, company = house) =>
  call(people.root, 'PATCH', `/admin/companies/${company}`, { members_share })

const kinds = ['assistant', 'tools'] as const
type Kind = (typeof kinds)[number]
type Thing = { kind: Kind; id: string; path: string; shares: string }

/** Creates an assistant, or a tool with a secret. */
async function aThing(owner: TestUser, kind: Kind, more: object = {}): Promise<Thing> {
  if (kind === 'assistant') {
    const { body } = await call(owner, 'POST', '/assistants', {
      name: 'Desk',
      status: 'published',
      system_prompt: 'Be brief.',
      ...more,
    })
    return { kind, id: body.id, path: `/assistants/${body.id}`, shares: `/assistants/${body.id}/shares` }
  }
  const tool = {
    ...{
      ui_name: 'Score',
      description: 'Scores.',
      policy: 'ask',
      auth: { kind: 'bearer' },
      secrets: { token: 'top-secret' },
    },
    call: { method: 'GET', address: 'https://scores.example.com/score', inputs: [] },
    ...more,
  }
  const { body, status } = await call(owner, 'POST', '/tools', tool)
  expect(status, JSON.stringify(body)).toBe(201)
  const { set } = (await call(owner, 'GET', `/tools/${body.id}/definition`)).body
  return { kind, id: body.id, path: `/tools/${body.id}`, shares: `/tool-sets/${set.id}/shares` }
}
type Recipient = { who: string; id?: string }
const share = (user: TestUser, { shares }: Thing, recipient: Recipient) =>
  call(user, 'POST', shares, { recipient })
const statusFor = async (user: TestUser, { path }: Thing) => (await call(user, 'GET', path)).status
const sharesOf = async (user: TestUser, { shares }: Thing) => (await call(user, 'GET', shares)).body.items

const recipients = (): Record<string, Recipient> => ({
  everybody: { who: 'everybody' },
  'own company': { who: 'company', id: house },
  'own group': { who: 'group', id: groups.own },
  colleague: { who: 'person', id: people.mate.id },
  'foreign company': { who: 'company', id: elsewhere },
  'foreign group': { who: 'group', id: groups.foreign },
  'foreign person': { who: 'person', id: people.stranger.id },
  'unknown person': { who: 'person', id: '11111111-1111-4111-8111-111111111111' },
})
const inCompany = (status: number) => ({ 'own company': status, 'own group': status, colleague: status })
const foreign = (status: number) => ({
  'foreign company': status,
  'foreign group': status,
  'foreign person': status,
})
const table = {
  'a super admin': [
    'root',
    false,
    { everybody: 200, ...inCompany(200), ...foreign(200), 'unknown person': 404 },
  ],
  'an administrator of the company': [
    'admin',
    false,
    { everybody: 403, ...inCompany(200), ...foreign(404), 'unknown person': 404 },
  ],
  'a member whose company lets members share': [
    'member',
    true,
    { everybody: 403, ...inCompany(200), ...foreign(404), 'unknown person': 404 },
  ],
  'a member whose company does not': [
    'member',
    false,
    { everybody: 403, ...inCompany(403), ...foreign(404), 'unknown person': 404 },
  ],
} as const

describe.each(kinds)('sharing of %s', (kind) => {
  it.each(Object.entries(table))('has these answers for %s', async (_, [who, members, expected]) => {
    await letMembersShare(members)
    const thing = await aThing(people[who], kind)
    const answers: Record<string, number> = {}
    for (const [name, recipient] of Object.entries(recipients()))
      answers[name] = (await share(people[who], thing, recipient)).status
    expect(answers).toEqual(expected)
  })

  it('reaches the recipient and no one else', async () => {
    const [reader, other] = [
      people.stranger,
      await aUser(chat.app, { role: 'member', companyId: await aCompany(chat.app) }),
    ]
    for (const recipient of [
      { who: 'company', id: elsewhere },
      { who: 'group', id: groups.foreign },
      { who: 'person', id: reader.id },
    ]) {
      const thing = await aThing(people.root, kind)
      expect(await statusFor(reader, thing)).toBe(403)
      expect((await share(people.root, thing, recipient)).status).toBe(200)
      expect([await statusFor(reader, thing), await statusFor(other, thing)]).toEqual([200, 403])
      expect((await call(reader, 'GET', thing.path)).body).toMatchObject({
        own: false,
        shared_by: people.root.username,
      })
    }
    const thing = await aThing(people.root, kind)
    await share(people.root, thing, { who: 'everybody' })
    expect([await statusFor(reader, thing), await statusFor(other, thing)]).toEqual([200, 200])
    expect(await statusFor(await aUser(chat.app), thing)).toBe(200)
  })

  it('is refused to people it is shared with, who see neither its shares nor its secrets', async () => {
    const thing = await aThing(people.admin, kind)
    const { body } = await share(people.admin, thing, { who: 'company', id: house })
    await letMembersShare(true)
    const [one] = body.items
    for (const [method, path, wish] of [
      ['GET', thing.shares],
      ['POST', thing.shares, { recipient: { who: 'person', id: people.mate.id } }],
      ['DELETE', `${thing.shares}/${one.id}`],
      ...(kind === 'tools' ? ([['GET', `${thing.path}/definition`]] as const) : []),
    ] as const)
      expect(await call(people.member, method, path, wish), `${method} ${path}`).toMatchObject({
        status: 403,
      })
    const seen = JSON.stringify([
      await call(people.member, 'GET', thing.path),
      await call(people.member, 'GET', '/tools'),
    ])
    for (const secret of ['top-secret', 'scores.example.com']) expect(seen).not.toContain(secret)
  })

  it('ends with the next call once it is withdrawn, and only by a share of the same thing', async () => {
    const [thing, other] = [await aThing(people.root, kind), await aThing(people.root, kind)]
    await share(people.root, thing, { who: 'person', id: people.stranger.id })
    const [one] = await sharesOf(people.root, thing)
    expect(await call(people.root, 'DELETE', `${other.shares}/${one.id}`)).toMatchObject({ status: 404 })
    expect(await statusFor(people.stranger, thing)).toBe(200)
    expect(await call(people.root, 'DELETE', `${thing.shares}/${one.id}`)).toMatchObject({ status: 200 })
    expect(await statusFor(people.stranger, thing)).toBe(403)
    expect(await call(people.root, 'DELETE', `${thing.shares}/${one.id}`)).toMatchObject({ status: 404 })
  })

  it('ends when the recipient leaves the group or the company, or the group is deleted', async () => {
    const { db } = chat.app.deps
    await letMembersShare(true)
    const leaver = await aUser(chat.app, { role: 'member', companyId: house })
    const group = await aGroup(house, leaver)
    const things = [
      await aThing(people.member, kind),
      await aThing(people.member, kind),
      await aThing(people.member, kind),
    ] as const
    await share(people.member, things[0], { who: 'group', id: group })
    await share(people.member, things[1], { who: 'person', id: leaver.id })
    await share(people.member, things[2], { who: 'company', id: house })
    const seen = () => Promise.all(things.map((thing) => statusFor(leaver, thing)))
    expect(await seen()).toEqual([200, 200, 200])
    await db.deleteFrom('group_members').where('group_id', '=', group).execute()
    expect(await seen()).toEqual([403, 200, 200])
    await db
      .insertInto('group_members')
      .values({ group_id: group, company_id: house, user_id: leaver.id })
      .execute()
    expect(await seen()).toEqual([200, 200, 200])
    expect(await callEmpty(people.root, 'DELETE', `/admin/groups/${group}`)).toBe(204)
    expect(await seen()).toEqual([403, 200, 200])
    expect(await sharesOf(people.member, things[0])).toEqual([])
    await db.deleteFrom('company_members').where('user_id', '=', leaver.id).execute()
    expect(await seen()).toEqual([403, 403, 403])
  })

  it('ends when the member who shared it leaves the company, and when a super admin stops being one', async () => {
    const { db } = chat.app.deps
    await letMembersShare(true)
    const author = await aUser(chat.app, { role: 'member', companyId: house })
    const root = await aUser(chat.app, { role: 'super_admin', companyId: await aCompany(chat.app) })
    const [named, grouped, wide] = [
      await aThing(author, kind),
      await aThing(author, kind),
      await aThing(root, kind),
    ]
    await share(author, named, { who: 'person', id: people.mate.id })
    await share(author, grouped, { who: 'group', id: groups.own })
    await share(root, wide, { who: 'everybody' })
    const seen = () => Promise.all([named, grouped, wide].map((thing) => statusFor(people.mate, thing)))
    expect(await seen()).toEqual([200, 200, 200])
    await db.deleteFrom('company_members').where('user_id', '=', author.id).execute()
    expect(await seen()).toEqual([403, 403, 200])
    await db.updateTable('company_members').set({ role: 'member' }).where('user_id', '=', root.id).execute()
    expect(await seen()).toEqual([403, 403, 403])
  })

  it('follows its company into the one it is merged with', async () => {
    const { db } = chat.app.deps
    const [from, into] = [await aCompany(chat.app, 'Small'), await aCompany(chat.app, 'Large')]
    const [author, reader] = [
      await aUser(chat.app, { role: 'company_admin', companyId: from }),
      await aUser(chat.app, { role: 'member', companyId: from }),
    ]
    const group = await aGroup(from, reader)
    const things = [
      await aThing(author, kind),
      await aThing(author, kind),
      await aThing(author, kind),
    ] as const
    await share(author, things[0], { who: 'group', id: group })
    await share(author, things[1], { who: 'person', id: reader.id })
    await share(author, things[2], { who: 'company', id: from })
    const path = `/admin/companies/${from}/merge`
    expect(await callEmpty(people.root, 'POST', path, { into })).toBe(204)
    const seen = () => Promise.all(things.map((thing) => statusFor(reader, thing)))
    expect(await seen()).toEqual([200, 200, 200])
    expect((await sharesOf(author, things[1]))[0]).toMatchObject({ company: 'Large' })
    await db.deleteFrom('company_members').where('user_id', '=', reader.id).execute()
    await sql`delete from group_members where user_id = ${reader.id}`.execute(db)
    expect(await seen()).toEqual([403, 403, 403])
  })

  it('keeps one share per recipient, within the maximum, and records changes', async () => {
    const thing = await aThing(people.admin, kind)
    const to = { who: 'company', id: house }
    await Promise.all([
      share(people.admin, thing, to),
      share(people.admin, thing, to),
      share(people.admin, thing, to),
    ])
    const items = await sharesOf(people.admin, thing)
    expect(items).toMatchObject([
      {
        who: 'company',
        recipient_id: house,
        name: 'House',
        access: 'use',
        shared_by: people.admin.username,
        can_remove: true,
      },
    ])
    await call(people.admin, 'DELETE', `${thing.shares}/${items[0].id}`)
    const { rows } = await sql<{ did: string; changes: unknown }>`select did, changes from audit_entries
      where subject_id = ${thing.shares.split('/')[2]} and did like 'share.%' order by id`.execute(
      chat.app.deps.db,
    )
    expect(rows.at(0)).toMatchObject({
      did: 'share.added',
      changes: [{ what: 'shared with House', before: null, after: 'use' }],
    })
    expect(rows.at(-1)).toMatchObject({
      did: 'share.removed',
      changes: [{ what: 'shared with House', before: 'use', after: null }],
    })
  })
})

describe('share', () => {
  it('gives editing to a company only, and never to a group or a person', async () => {
    const thing = await aThing(people.admin, 'assistant')
    const wish = (recipient: Recipient) =>
      call(people.admin, 'POST', thing.shares, { recipient, access: 'edit' })
    expect(await wish({ who: 'group', id: groups.own })).toMatchObject({ status: 422 })
    expect(await wish({ who: 'person', id: people.mate.id })).toMatchObject({ status: 422 })
    expect(await wish({ who: 'company', id: house })).toMatchObject({
      status: 200,
      body: { items: [{ access: 'edit' }] },
    })
    expect((await call(people.mate, 'PUT', thing.path, { description: 'Better' })).status).toBe(200)
  })

  it('is removed by an administrator of its company, who sees no names of other companies', async () => {
    const thing = await aThing(people.root, 'assistant')
    for (const recipient of [
      { who: 'company', id: house },
      { who: 'person', id: people.stranger.id },
      { who: 'group', id: groups.foreign },
    ])
      await share(people.root, thing, recipient)
    const items = await sharesOf(people.admin, thing)
    expect(
      items.map(({ who, name, recipient_id, can_remove }: Record<string, unknown>) => [
        who,
        name,
        recipient_id,
        can_remove,
      ]),
    ).toEqual([
      ['company', 'House', house, true],
      ['group', null, null, false],
      ['person', null, null, false],
    ])
    expect(await call(people.admin, 'DELETE', `${thing.shares}/${items[1].id}`)).toMatchObject({
      status: 403,
    })
    expect(await call(people.admin, 'DELETE', `${thing.shares}/${items[0].id}`)).toMatchObject({
      status: 200,
    })
    expect(await statusFor(people.mate, thing)).toBe(403)
  })

  it('shows in the access settings of the company it reaches, through its groups and people too', async () => {
    await letMembersShare(true)
    const [assistant, tool] = [
      await aThing(people.member, 'assistant', { name: 'Grouped desk' }),
      await aThing(people.member, 'tools', { ui_name: 'Named score' }),
    ]
    await share(people.member, assistant, { who: 'group', id: groups.own })
    await share(people.member, tool, { who: 'person', id: people.mate.id })
    const listed = async (kind: string) =>
      JSON.stringify((await call(people.admin, 'GET', `/admin/grants?kind=${kind}&limit=100`)).body)
    expect(await listed('assistant')).toContain('Grouped desk')
    expect(await listed('tool')).toContain('Named score')
  })

  it('of tools that run without asking takes an administrator', async () => {
    await letMembersShare(true)
    const ofMember = await aThing(people.member, 'tools', { policy: 'auto' })
    const to = { who: 'person', id: people.mate.id }
    expect(await share(people.member, ofMember, to)).toMatchObject({ status: 409 })
    expect(
      await share(people.admin, await aThing(people.admin, 'tools', { policy: 'auto' }), to),
    ).toMatchObject({ status: 200 })
    await call(people.member, 'PUT', ofMember.path, { policy: 'ask' })
    expect(await share(people.member, ofMember, to)).toMatchObject({ status: 200 })
    expect(await call(people.member, 'PUT', ofMember.path, { policy: 'auto' })).toMatchObject({ status: 403 })
  })

  it('ends with the switch of an assistant for everyone it reaches', async () => {
    const thing = await aThing(people.root, 'assistant')
    await share(people.root, thing, { who: 'person', id: people.stranger.id })
    expect(await call(people.root, 'PUT', thing.path, { shared: true })).toMatchObject({
      body: { shares: [], shared: true },
    })
    expect(await call(people.root, 'PUT', thing.path, { shared: false })).toMatchObject({
      body: { shared: false },
    })
    expect(await statusFor(people.stranger, thing)).toBe(403)
  })
})
