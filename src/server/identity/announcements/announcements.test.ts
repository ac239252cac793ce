import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnnouncementWish } from '#shared/identity/announcements/announcements.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'

const HOUR = 3_600_000
let chat: Chat
let root: TestUser
let ahead = 0
beforeAll(async () => {
  chat = await startChat({ app: { clock: { now: () => new Date(Date.now() + ahead) } } })
  root = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(() => chat.close())

const nobodyElse = { company_ids: [], group_ids: [], roles: [] }
const aWish = (more: Partial<AnnouncementWish> = {}): AnnouncementWish => ({
  ...{ tone: 'news', text_en: 'Closed on Sunday.', text_fr: 'Fermé dimanche.', link: null, by_mail: false },
  ...{ audience: nobodyElse, starts_at: null, ends_at: inHours(24), ...more },
})
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

async function call(user: TestUser, method: string, path: string, body?: unknown) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(chat.url + path, {
    ...{ method, headers: { ...user.headers, ...type }, body: JSON.stringify(body) },
  })
  // biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
  return { status: answer.status, body: (answer.status === 204 ? null : await answer.json()) as any }
}
const announce = async (more: Partial<AnnouncementWish> = {}, by = root) =>
  (await call(by, 'POST', '/admin/announcements', aWish(more))).body
const end = (id: string) => call(root, 'POST', `/admin/announcements/${id}/end`)
const shownTo = async (user: TestUser) => (await call(user, 'GET', '/users/me/announcements')).body.items
const textsOf = async (user: TestUser) => (await shownTo(user)).map(({ text }: { text: string }) => text)
const countFor = async (user: TestUser) => (await call(user, 'GET', '/users/me')).body.announcements
const dismiss = (user: TestUser, id: string) => call(user, 'POST', `/users/me/announcements/${id}/dismissal`)

describe('an announcement', () => {
  it('is visible to everyone between its dates only [AD-12]', async () => {
    const ada = await aUser(chat.app)
    const { id, state } = await announce({ starts_at: inHours(2), ends_at: inHours(4) })
    expect(state).toBe('planned')
    expect([await shownTo(ada), await countFor(ada)]).toEqual([[], 0])
    ahead = 3 * HOUR
    expect(await shownTo(ada)).toMatchObject([{ id, text: 'Closed on Sunday.', language: 'en' }])
    expect(await countFor(ada)).toBe(1)
    ahead = 5 * HOUR
    expect(await shownTo(ada)).toEqual([])
    const { body } = await call(root, 'GET', '/admin/announcements')
    expect(body.items[0]).toMatchObject({ id, state: 'ended' })
    ahead = 0
    await end(id)
  })

  it("appears in the reader's language, else in the other one [AD-12]", async () => {
    const [ada, zoe] = [await aUser(chat.app), await aUser(chat.app)]
    await chat.app.deps.db.updateTable('users').set({ language: 'fr' }).where('id', '=', zoe.id).execute()
    const both = await announce()
    expect(await textsOf(zoe)).toEqual(['Fermé dimanche.'])
    await end(both.id)
    const one = await announce({ text_fr: null })
    expect(await shownTo(zoe)).toMatchObject([{ text: 'Closed on Sunday.', language: 'en' }])
    expect(await shownTo(ada)).toMatchObject([{ language: 'en' }])
    await end(one.id)
    const none = await call(root, 'POST', '/admin/announcements', aWish({ text_en: null, text_fr: null }))
    expect([none.status, none.body.errors[0].path]).toEqual([422, 'text_en'])
  })

  it('targets companies, groups and roles, and readers who match all of them [AD-12]', async () => {
    const [first, second] = [await aCompany(chat.app, 'First'), await aCompany(chat.app, 'Second')]
    const member = await aUser(chat.app, { role: 'member', companyId: first })
    const boss = await aUser(chat.app, { role: 'company_admin', companyId: first })
    const other = await aUser(chat.app, { role: 'member', companyId: second })
    const group = await call(root, 'POST', '/admin/groups', { company_id: first, name: 'Night' })
    await call(root, 'PUT', `/admin/groups/${group.body.id}/people/${member.id}`)
    const seenBy = async (audience: Partial<AnnouncementWish['audience']>) => {
      const { id, names } = await announce({ audience: { ...nobodyElse, ...audience } })
      const seen = await Promise.all([member, boss, other].map(async (one) => (await shownTo(one)).length))
      await end(id)
      return [seen, names]
    }
    expect(await seenBy({})).toEqual([[1, 1, 1], []])
    expect(await seenBy({ company_ids: [first] })).toEqual([[1, 1, 0], ['First']])
    expect(await seenBy({ group_ids: [group.body.id] })).toEqual([[1, 0, 0], ['Night']])
    expect(await seenBy({ roles: ['company_admin', 'super_admin'] })).toEqual([[0, 1, 0], []])
    expect(await seenBy({ company_ids: [first], roles: ['member'] })).toEqual([[1, 0, 0], ['First']])
    // An announcement for a deleted company has no readers.
    const { id } = await announce({ audience: { ...nobodyElse, company_ids: [second] } })
    await chat.app.deps.db.deleteFrom('companies').where('id', '=', second).execute()
    expect(await Promise.all([member, boss, other].map(shownTo))).toEqual([[], [], []])
    await end(id)
  })

  it('can be dismissed by each reader unless it is a warning, and only a few appear together [AD-12]', async () => {
    const [ada, zoe] = [await aUser(chat.app), await aUser(chat.app)]
    const news = await announce()
    const warning = await announce({ tone: 'warning', text_en: 'OCR is slow.' })
    expect(await textsOf(ada)).toEqual(['OCR is slow.', 'Closed on Sunday.'])
    expect((await dismiss(ada, news.id)).status).toBe(204)
    expect((await dismiss(ada, warning.id)).status).toBe(409)
    expect((await dismiss(ada, root.id)).status).toBe(404)
    expect([await textsOf(ada), await countFor(ada)]).toEqual([['OCR is slow.'], 1])
    expect(await countFor(zoe)).toBe(2)
    const page = await call(root, 'GET', '/admin/announcements?limit=2')
    expect(page.body.items.find(({ id }: { id: string }) => id === news.id).dismissed).toBe(1)
    const more = [await announce(), await announce(), await announce()]
    expect([(await shownTo(zoe)).length, await countFor(zoe)]).toEqual([3, 3])
    // A changed text makes it new again.
    const path = `/admin/announcements/${news.id}`
    await call(root, 'PUT', path, aWish({ ends_at: inHours(48) }))
    expect(await textsOf(ada)).toHaveLength(3)
    for (const { id } of more) await end(id)
    expect(await textsOf(ada)).toEqual(['OCR is slow.'])
    await call(root, 'PUT', path, aWish({ text_en: 'Closed on Monday.' }))
    expect(await textsOf(ada)).toEqual(['OCR is slow.', 'Closed on Monday.'])
    for (const { id } of [news, warning]) await end(id)
    expect((await call(root, 'PUT', path, aWish())).status).toBe(409)
    expect((await end(news.id)).status).toBe(409)
  })

  it('notifies its readers by user events when it starts, changes and ends [AD-12]', async () => {
    const company = await aCompany(chat.app)
    const ada = await aUser(chat.app, { role: 'member', companyId: company })
    const zoe = await aUser(chat.app)
    const streams = await Promise.all(
      [ada, zoe].map(({ headers }) => openStream(`${chat.url}/users/me/events`, { headers })),
    )
    const told = (at: number) =>
      streams[at]?.wire.filter(({ event }) => event === 'announcements_changed').length
    const { id } = await announce({ audience: { ...nobodyElse, company_ids: [company] } })
    await expect.poll(() => told(0), { timeout: 10_000 }).toBe(1)
    await end(id)
    await expect.poll(() => told(0), { timeout: 10_000 }).toBe(2)
    expect(told(1)).toBe(0)
    for (const stream of streams) stream.leave()
  })

  it('notifies its readers at its planned start and end [AD-12]', async () => {
    const ada = await aUser(chat.app)
    const stream = await openStream(`${chat.url}/users/me/events`, { headers: ada.headers })
    const told = () => stream.wire.filter(({ event }) => event === 'announcements_changed').length
    const { id } = await announce({ starts_at: inHours(3 / 3600), ends_at: inHours(8 / 3600) })
    // Once when it is planned, then at its start and end.
    await expect.poll(told, { timeout: 10_000 }).toBe(1)
    await expect.poll(told, { timeout: 20_000 }).toBe(2)
    expect((await shownTo(ada)).map((one: { id: string }) => one.id)).toContain(id)
    await expect.poll(told, { timeout: 20_000 }).toBe(3)
    expect(await shownTo(ada)).toEqual([])
    stream.leave()
  })

  it('by a company admin reaches only their companies and is audited [AD-12]', async () => {
    const [mine, others] = [await aCompany(chat.app, 'Mine'), await aCompany(chat.app, 'Others')]
    const admin = await aUser(chat.app, { role: 'company_admin', companyId: mine })
    const group = await call(root, 'POST', '/admin/groups', { company_id: others, name: 'Theirs' })
    const by = (audience: Partial<AnnouncementWish['audience']>) =>
      call(admin, 'POST', '/admin/announcements', aWish({ audience: { ...nobodyElse, ...audience } }))
    expect((await by({})).body.detail).toContain('Only a super admin tells everybody')
    expect((await by({ roles: ['member'] })).status).toBe(403)
    expect((await by({ company_ids: [mine, others] })).status).toBe(403)
    expect((await by({ group_ids: [group.body.id] })).status).toBe(403)
    const { status, body } = await by({ company_ids: [mine] })
    expect(status).toBe(201)
    expect(await lastAudited(chat.app, 'announcement.created')).toMatchObject({
      ...{ subject_id: body.id, subject: 'Closed on Sunday.', actor_id: admin.id },
    })
    const all = await announce()
    const path = `/admin/announcements/${all.id}`
    expect((await call(admin, 'PUT', path, aWish())).status).toBe(403)
    expect((await call(admin, 'POST', `${path}/end`)).status).toBe(403)
    const listed = await call(admin, 'GET', '/admin/announcements')
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: body.id, names: ['Mine'] }] })
    await call(admin, 'PUT', `/admin/announcements/${body.id}`, {
      ...aWish({ tone: 'warning', audience: { ...nobodyElse, company_ids: [mine] }, ends_at: body.ends_at }),
    })
    expect(await lastAudited(chat.app, 'announcement.changed')).toMatchObject({
      changes: [{ what: 'tone', before: 'news', after: 'warning' }],
    })
    for (const { id } of [all, body]) await end(id)
  })

  it.each([
    ['ends before it begins', { starts_at: inHours(4), ends_at: inHours(2) }, 'ends_at'],
    ['has ended already', { ends_at: inHours(-1) }, 'ends_at'],
    ['is shown for years', { ends_at: inHours(24 * 500) }, 'ends_at'],
    ['leads to a script', { link: 'javascript:alert(1)' }, 'link'],
    ['is too long', { text_en: 'x'.repeat(241) }, 'text_en'],
  ])('is refused where it %s', async (_, more, path) => {
    const { status, body } = await call(root, 'POST', '/admin/announcements', aWish(more))
    expect([status, body.errors?.[0]?.path]).toEqual([422, path])
  })
})
