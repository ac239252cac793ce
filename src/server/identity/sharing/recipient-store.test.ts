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
    ...{ root: await at(house, 'super_admin'), admin: await at(house, 'company_admin') },
    ...{ member: await at(house, 'member'), mate: await at(house, 'member') },
    stranger: await at(elsewhere, 'member'),
  }
  const aGroup = async (company_id: string) => {
    const row = { company_id, name: 'Sales' }
    return (await chat.app.deps.db.insertInto('groups').values(row).returning('id').executeTakeFirstOrThrow())
      .id
  }
  groups = { own: await aGroup(house), foreign: await aGroup(elsewhere) }
})
afterAll(() => chat.close())

const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
const letMembersShare = (members_share: boolean) =>
  call(people.root, 'PATCH', `/admin/companies/${house}`, { members_share })

describe('recipients', () => {
  const found = async (user: TestUser, q = '') =>
    (await call(user, 'GET', `/share-recipients?limit=50&q=${q}`)).body.items.map(
      ({ id }: { id: string }) => id,
    )

  it('are those the caller may share with', async () => {
    await letMembersShare(false)
    expect(await found(people.member)).toEqual([])
    expect(await found(people.stranger, people.mate.username)).toEqual([])
    const all = await found(people.root)
    expect(all).toEqual(expect.arrayContaining([house, elsewhere, groups.own, groups.foreign]))
    await letMembersShare(true)
    const own = await found(people.member)
    expect(own).toEqual(expect.arrayContaining([house, groups.own, people.mate.id]))
    for (const id of [elsewhere, groups.foreign, people.stranger.id, people.member.id])
      expect(own).not.toContain(id)
  })

  it('show email addresses only to administrators', async () => {
    await letMembersShare(true)
    const path = `/share-recipients?q=${people.mate.username}`
    const detail = async (user: TestUser) => (await call(user, 'GET', path)).body.items[0]?.detail
    expect(await detail(people.member)).toBe(people.mate.username)
    expect(await detail(people.admin)).toBe(people.mate.email)
    expect(await found(people.member, people.mate.email)).toEqual([])
  })

  it('say when there are more', async () => {
    const { body } = await call(people.root, 'GET', '/share-recipients?limit=1')
    expect(body.has_more).toBe(true)
    expect(body.items.filter(({ who }: { who: string }) => who === 'person')).toHaveLength(1)
  })
})
