import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
let owner: TestUser
let companyId: string
beforeAll(async () => {
  chat = await startChat()
  companyId = await aCompany(chat.app)
  owner = await aUser(chat.app, { role: 'company_admin', companyId })
})
afterAll(() => chat.close())

const aMember = () => aUser(chat.app, { role: 'member', companyId })
const aPrompt = async () =>
  (
    await chat.call(
      'POST',
      '/prompts',
      { name: 'Reminder', command: `r-${crypto.randomUUID()}`, text: 'Dear {{who}}' },
      owner.headers,
    )
  ).body.id as string
const share = (id: string, recipient: object, access = 'use', who = owner) =>
  chat.call('POST', `/prompts/${id}/shares`, { recipient, access }, who.headers)
const read = (id: string, { headers }: TestUser) => chat.call('GET', `/prompts/${id}`, undefined, headers)
const write = (id: string, { headers }: TestUser) =>
  chat.call('PUT', `/prompts/${id}`, { name: 'Changed' }, headers)
const lists = async ({ headers }: TestUser) =>
  (await chat.call('GET', '/prompts', undefined, headers)).body.items.map(({ id }: { id: string }) => id)

async function aGroupOf(person: TestUser): Promise<string> {
  const { db } = chat.app.deps
  const row = { company_id: companyId, name: crypto.randomUUID() }
  const { id } = await db.insertInto('groups').values(row).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('group_members')
    .values({ group_id: id, company_id: companyId, user_id: person.id })
    .execute()
  return id
}

describe('a shared prompt', () => {
  it.each(['person', 'group', 'company'])(
    'opens for use, and for editing only if the %s may edit',
    async (who) => {
      const [member, outsider] = [await aMember(), await aUser(chat.app)]
      const id = await aPrompt()
      expect((await read(id, member)).status).toBe(403)
      const ids = { person: member.id, group: await aGroupOf(member), company: companyId }
      const recipient = { who, id: ids[who as keyof typeof ids] }
      expect((await share(id, recipient)).status).toBe(200)
      expect((await read(id, member)).body).toMatchObject({
        own: false,
        can_edit: false,
        shared_by: owner.username,
      })
      expect((await write(id, member)).status).toBe(403)
      expect(await lists(member)).toContain(id)
      await share(id, recipient, 'edit')
      expect((await write(id, member)).body).toMatchObject({
        name: 'Changed',
        can_edit: true,
        can_share: false,
      })
      expect(
        (await chat.call('GET', `/prompts/${id}/versions`, undefined, member.headers)).body.items,
      ).toHaveLength(2)
      expect((await chat.call('DELETE', `/prompts/${id}`, undefined, member.headers)).status).toBe(403)
      expect((await read(id, outsider)).status).toBe(403)
      expect(await lists(outsider)).not.toContain(id)
    },
  )

  it('closes as soon as the share ends or the person leaves', async () => {
    const [member, leaver] = [await aMember(), await aMember()]
    const id = await aPrompt()
    const { items } = (await share(id, { who: 'person', id: member.id })).body
    await share(id, { who: 'group', id: await aGroupOf(leaver) }, 'edit')
    expect((await read(id, leaver)).status).toBe(200)
    await chat.app.deps.db.deleteFrom('company_members').where('user_id', '=', leaver.id).execute()
    expect((await read(id, leaver)).status).toBe(403)
    await chat.call('DELETE', `/prompts/${id}/shares/${items[0].id}`, undefined, owner.headers)
    expect((await read(id, member)).status).toBe(403)
    expect(await lists(member)).not.toContain(id)
  })

  it('is never opened for editing to everybody, nor shared by a member without the right to', async () => {
    const [member, boss] = [await aMember(), await aUser(chat.app, { role: 'super_admin' })]
    const id = await aPrompt()
    expect((await share(id, { who: 'everybody' })).status).toBe(403)
    await share(id, { who: 'person', id: member.id }, 'edit')
    expect((await share(id, { who: 'company', id: companyId }, 'use', member)).status).toBe(403)
    const own = (await chat.call('POST', '/prompts', { name: 'A', command: 'a', text: 'A' }, boss.headers))
      .body.id
    expect((await share(own, { who: 'everybody' }, 'edit', boss)).status).toBe(422)
    expect((await share(own, { who: 'everybody' }, 'use', boss)).status).toBe(200)
    expect((await read(own, member)).status).toBe(200)
  })

  it('is copied as a private prompt of the reader', async () => {
    const member = await aMember()
    const id = await aPrompt()
    await share(id, { who: 'person', id: member.id })
    const copy = await chat.call('POST', `/prompts/${id}/duplicate`, undefined, member.headers)
    expect(copy).toMatchObject({ status: 201, body: { own: true, shared: false } })
    expect((await read(copy.body.id, owner)).status).toBe(403)
  })
})
