import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser } from '#tests/builders.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { aProjectHouse } from '#tests/project-people.ts'

let app: TestApp
let house: Awaited<ReturnType<typeof aProjectHouse>>
let admin: Reader
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  house = await aProjectHouse(app)
  const person = await aUser(app, { role: 'company_admin', companyId: house.companyId })
  admin = await aReader(app, house.base, person)
})
afterAll(() => app.close())

const statusOf = async (as: Reader, id: string) => (await as.call('GET', `/projects/${id}`)).status
const roleOf = async (as: Reader, id: string) => (await as.call('GET', `/projects/${id}`)).body
const unmanaged = async (as: Reader) =>
  (await as.call('GET', '/admin/unmanaged-projects?limit=100')).body.items
const name = (as: Reader, id: string, user_id: string) =>
  as.call('PUT', `/admin/unmanaged-projects/${id}/manager`, { user_id })

/** Creates a project without a manager: its owner left, and a reader remains. */
async function anUnmanagedProject() {
  const [owner, reader] = [await house.aColleague(), await house.aColleague()]
  const id = await house.aProject(owner)
  await house.add(owner, id, 'reader', reader.user.id)
  const chat = await house.aChat(reader, id, false)
  const shared = await house.aChat(reader, id)
  await house.leaveCompany(owner)
  return { id, owner, reader, chat, shared }
}

describe('leaving the company', () => {
  it('ends memberships of the person and of their groups, in open streams too [PJ-12]', async () => {
    const [owner, person] = [await house.aColleague(), await house.aColleague()]
    const [own, byGroup] = [await house.aProject(owner), await house.aProject(owner)]
    await house.add(owner, own, 'writer', person.user.id)
    await house.add(owner, byGroup, 'writer', await house.aGroup(person), 'group')
    const chats = [await house.aChat(owner, own), await house.aChat(owner, byGroup)]
    const open = (chat: string) =>
      openStream(`${house.base}/sessions/${chat}/events`, { headers: person.user.headers })
    const streams = await Promise.all(chats.map(open))
    expect([await statusOf(person, own), await statusOf(person, byGroup)]).toEqual([200, 200])
    await house.leaveCompany(person)
    expect([await statusOf(person, own), await statusOf(person, byGroup)]).toEqual([403, 403])
    await Promise.all(streams.map(({ ended }) => ended))
  })

  it('gives the shared projects of an owner to another manager', async () => {
    const [owner, manager, grouped] = [
      await house.aColleague(),
      await house.aColleague(),
      await house.aColleague(),
    ]
    const [own, byGroup, alone] = [
      await house.aProject(owner),
      await house.aProject(owner),
      await house.aProject(owner),
    ]
    await house.add(owner, own, 'manager', manager.user.id)
    await house.add(owner, byGroup, 'manager', await house.aGroup(grouped), 'group')
    const chat = await house.aChat(owner, own)
    await house.leaveCompany(owner)
    expect(await roleOf(manager, own)).toMatchObject({ is_owner: true, role: 'manager', member_count: 1 })
    expect(await roleOf(grouped, byGroup)).toMatchObject({ is_owner: true })
    expect([await statusOf(owner, own), await statusOf(owner, byGroup)]).toEqual([403, 403])
    expect(await statusOf(owner, alone)).toBe(200)
    // The owner keeps the chat, and the project no longer reads it.
    expect((await owner.call('GET', `/sessions/${chat}`)).status).toBe(200)
    expect((await manager.call('GET', `/sessions/${chat}`)).status).toBe(403)
  })

  it('leaves a project without a manager to the administrators, who name one and read none of its chats [PJ-12]', async () => {
    const { id, owner, reader, chat, shared } = await anUnmanagedProject()
    expect(await statusOf(owner, id)).toBe(403)
    expect(await roleOf(reader, id)).toMatchObject({ role: 'reader', is_owner: false, member_count: 1 })
    expect(await unmanaged(admin)).toContainEqual(expect.objectContaining({ id, name: 'Leases', members: 1 }))
    for (const path of [`/projects/${id}`, `/sessions/${chat}`, `/sessions/${shared}`])
      expect((await admin.call('GET', path)).status).toBe(403)
    expect((await name(admin, id, reader.user.id)).status).toBe(200)
    expect(await roleOf(reader, id)).toMatchObject({ role: 'manager', is_owner: true, member_count: 1 })
    expect((await unmanaged(admin)).map((item: { id: string }) => item.id)).not.toContain(id)
    expect((await name(admin, id, admin.user.id)).status).toBe(403)
  })

  it('shows projects without a manager to no one but the administrators of that company', async () => {
    const { id, reader } = await anUnmanagedProject()
    const other = await aUser(app, { role: 'company_admin', companyId: await aCompany(app) })
    const stranger = await aReader(app, house.base, other)
    expect(await unmanaged(stranger)).toEqual([])
    expect((await name(stranger, id, stranger.user.id)).status).toBe(403)
    expect((await name(reader, id, reader.user.id)).status).toBe(403)
    expect((await name(admin, id, stranger.user.id)).status).toBe(422)
  })

  it('keeps the shared projects of an account that is deleted, and deletes the others', async () => {
    const [owner, reader] = [await house.aColleague(), await house.aColleague()]
    const [shared, alone] = [await house.aProject(owner), await house.aProject(owner)]
    await house.add(owner, shared, 'reader', reader.user.id)
    await app.deps.db.deleteFrom('users').where('id', '=', owner.user.id).execute()
    expect(await statusOf(reader, shared)).toBe(200)
    expect(await statusOf(reader, alone)).toBe(404)
    expect((await unmanaged(admin)).map((item: { id: string }) => item.id)).toContain(shared)
  })

  it('keeps the shared projects of a deleted account of two companies', async () => {
    const { db } = app.deps
    const other = await aCompany(app)
    const stranger = await aReader(app, house.base, await aUser(app, { role: 'member', companyId: other }))
    const [owner, colleague] = [await house.aColleague(), await house.aColleague()]
    await db
      .insertInto('company_members')
      .values({ user_id: owner.user.id, company_id: other, role: 'member' })
      .execute()
    const share = async (reader: Reader, within: string) => {
      const id = await house.aProject(owner)
      const member = { workspace_id: id, person_id: reader.user.id, within, role: 'reader' as const }
      await db.insertInto('workspace_members').values(member).execute()
      return id
    }
    const [here, there] = [await share(colleague, house.companyId), await share(stranger, other)]
    await db.deleteFrom('users').where('id', '=', owner.user.id).execute()
    expect([await statusOf(colleague, here), await statusOf(stranger, there)]).toEqual([200, 200])
    const listed = (await unmanaged(admin)).map((item: { id: string }) => item.id)
    expect([listed.includes(here), listed.includes(there)]).toEqual([true, false])
  })

  it('lets administrators replace a deactivated owner unless another manager is active', async () => {
    const { db } = app.deps
    const [owner, manager, reader] = [
      await house.aColleague(),
      await house.aColleague(),
      await house.aColleague(),
    ]
    const [alone, managed, left] = [
      await house.aProject(owner),
      await house.aProject(owner),
      await house.aProject(owner),
    ]
    await house.add(owner, managed, 'manager', manager.user.id)
    await house.add(owner, left, 'reader', reader.user.id)
    const deactivate = (person: Reader) =>
      db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', person.user.id).execute()
    const listed = async () => {
      const ids = (await unmanaged(admin)).map((item: { id: string }) => item.id)
      return [alone, managed, left].map((id) => ids.includes(id))
    }
    expect(await listed()).toEqual([false, false, false])
    await deactivate(owner)
    expect(await listed()).toEqual([false, false, true])
    expect((await name(admin, managed, reader.user.id)).status).toBe(403)
    await deactivate(manager)
    expect(await listed()).toEqual([false, true, true])
    expect((await name(admin, left, owner.user.id)).status).toBe(422)
    expect((await name(admin, left, reader.user.id)).status).toBe(200)
    expect(await roleOf(reader, left)).toMatchObject({ is_owner: true })
    expect(await listed()).toEqual([false, true, false])
  })

  it('leaves projects of a deleted company to super admins', async () => {
    const { db } = app.deps
    const companyId = await aCompany(app)
    const owner = await aReader(app, house.base, await aUser(app, { role: 'member', companyId }))
    const reader = await house.aColleague()
    const id = await house.aProject(owner)
    await db
      .insertInto('workspace_members')
      .values({ workspace_id: id, person_id: reader.user.id, role: 'reader' })
      .execute()
    await db.deleteFrom('company_members').where('user_id', '=', owner.user.id).execute()
    expect(await statusOf(owner, id)).toBe(403)
    await db.deleteFrom('companies').where('id', '=', companyId).execute()
    const root = await aReader(app, house.base, await aUser(app, { role: 'super_admin' }))
    expect((await unmanaged(root)).map((item: { id: string }) => item.id)).toContain(id)
  })
})
