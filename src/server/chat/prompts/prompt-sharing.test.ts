import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProjectRole } from '#shared/chat/projects/roles.ts'
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

async function aProject({ headers }: TestUser): Promise<string> {
  return (await chat.call('POST', '/workspaces', { name: 'Tender' }, headers)).body.id
}

const addTo = (workspace_id: string, person: TestUser, role: ProjectRole) =>
  chat.app.deps.db
    .insertInto('workspace_members')
    .values({
      workspace_id,
      person_id: person.id,
      group_id: null,
      within: companyId,
      role,
      added_by: owner.id,
    })
    .execute()

describe('a shared prompt', () => {
  it.each(['person', 'group', 'project', 'company'])(
    'opens for use, and for editing only if the %s may edit [PL-06]',
    async (who) => {
      const [member, outsider] = [await aMember(), await aUser(chat.app)]
      const id = await aPrompt()
      expect((await read(id, member)).status).toBe(403)
      const project = await aProject(owner)
      await addTo(project, member, 'writer')
      const ids = { person: member.id, group: await aGroupOf(member), project, company: companyId }
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

  it('is shared with a project: its members use it, and edit it as far as their role and the share allow', async () => {
    const { db } = chat.app.deps
    const [reader, writer, outsider] = [await aMember(), await aMember(), await aMember()]
    const project = await aProject(owner)
    for (const [person, role] of [
      [reader, 'reader'],
      [writer, 'writer'],
    ] as const)
      await addTo(project, person, role)
    const id = await aPrompt()
    const recipient = { who: 'project', id: project }
    const { items } = (await share(id, recipient)).body
    expect(items).toMatchObject([{ who: 'project', recipient_id: project, name: 'Tender', access: 'use' }])
    for (const person of [reader, writer]) {
      expect(await lists(person)).toContain(id)
      expect((await read(id, person)).body).toMatchObject({ can_edit: false, shared_by: owner.username })
      expect((await write(id, person)).status).toBe(403)
    }
    expect((await read(id, outsider)).status).toBe(403)
    await share(id, recipient, 'edit')
    expect((await write(id, writer)).status).toBe(200)
    expect((await write(id, reader)).status).toBe(403)
    const setRole = (role: ProjectRole) =>
      db.updateTable('workspace_members').set({ role }).where('person_id', '=', reader.id).execute()
    await setRole('manager')
    expect((await write(id, reader)).status).toBe(200)
    await setRole('reader')
    expect((await write(id, reader)).status).toBe(403)
    await db.deleteFrom('workspace_members').where('person_id', '=', reader.id).execute()
    expect((await read(id, reader)).status).toBe(403)
    const [one] = (await chat.call('GET', `/prompts/${id}/shares`, undefined, owner.headers)).body.items
    await chat.call('DELETE', `/prompts/${id}/shares/${one.id}`, undefined, owner.headers)
    expect((await read(id, writer)).status).toBe(403)
    expect(await lists(writer)).not.toContain(id)
  })

  it('is shared with projects to which the sharer may add documents, until they leave the project', async () => {
    const [reader, writer, boss] = [await aMember(), await aMember(), await aUser(chat.app)]
    const project = await aProject(boss)
    for (const [person, role] of [
      [reader, 'reader'],
      [writer, 'writer'],
    ] as const)
      await addTo(project, person, role)
    const own = async ({ headers }: TestUser) =>
      (await chat.call('POST', '/prompts', { name: 'A', command: crypto.randomUUID(), text: 'A' }, headers))
        .body.id
    const found = async ({ headers }: TestUser, more = '&projects=true') =>
      (
        await chat.call('GET', `/share-recipients?q=tender&limit=50${more}`, undefined, headers)
      ).body.items.map((item: { id: string }) => item.id)
    expect(await found(writer)).toContain(project)
    expect(await found(writer, '')).not.toContain(project)
    expect(await found(reader)).not.toContain(project)
    const recipient = { who: 'project', id: project }
    expect((await share(await own(reader), recipient, 'use', reader)).status).toBe(404)
    const id = await own(writer)
    expect((await share(id, recipient, 'use', writer)).status).toBe(200)
    expect((await read(id, reader)).status).toBe(200)
    const { db } = chat.app.deps
    await db.deleteFrom('workspace_members').where('person_id', '=', writer.id).execute()
    expect((await read(id, reader)).status).toBe(403)
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
