import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { lastAudited } from '#tests/audit-log.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { openStream } from '#tests/event-stream.ts'
import { aVisitor } from '#tests/visitor.ts'

let now = new Date('2026-11-24T10:00:00Z')
let app: TestApp
let url: string
let root: TestUser
let other: TestUser
let admin: TestUser
let member: TestUser
beforeAll(async () => {
  app = await startApp({ clock: { now: () => now } })
  url = await app.listen()
  const companyId = await aCompany(app)
  root = await aUser(app, { role: 'super_admin' })
  other = await aUser(app, { role: 'super_admin' })
  admin = await aUser(app, { role: 'company_admin', companyId })
  member = await aUser(app, { role: 'member', companyId })
})
afterAll(() => app.close())

const call = async (who: TestUser, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: who.headers },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}
const reason = 'She asked why her chat stands still.'
const open = (who: TestUser, more: object = {}) =>
  call(who, 'POST', `/admin/users/${member.id}/chat-access`, { reason, hours: 2, ...more })

describe("a user's chats", () => {
  it('cannot be read by administrators of any level [AD-16]', async () => {
    const { id, messageIds } = await aSession(app, member, { turns: 1, title: 'Mine' })
    for (const who of [root, admin]) {
      for (const path of ['', '/active-branch', '/tree', '/library', '/feedback'])
        expect((await call(who, 'GET', `/sessions/${id}${path}`)).status, path).toBe(403)
      expect((await call(who, 'POST', `/sessions/${id}/exports`, { format: 'md' })).status).toBe(403)
      expect(JSON.stringify((await call(who, 'GET', '/sessions')).body)).not.toContain(messageIds[0])
    }
    expect((await open(admin)).status).toBe(403)
  })

  it('can be opened with a reason for a limited time; the user is informed and each read is audited [AD-16, AD-10]', async () => {
    const { id } = await aSession(app, member, { turns: 1, title: 'Opened' })
    const stream = await openStream(`${url}/api/v1/users/me/events`, { headers: member.headers })
    await stream.until('user_stream_init')
    expect((await open(root, { reason: 'short' })).status).toBe(422)
    expect((await open(root, { hours: 73 })).status).toBe(422)
    const opened = await open(root)
    expect(opened).toMatchObject({ status: 201, body: { reason, is_open: true, chats_read: 0 } })
    await stream.until('chats_opened')
    stream.leave()
    expect(await lastAudited(app, 'chats.opened')).toMatchObject({
      ...{ actor_id: root.id, subject_id: member.id, changes: [{ after: reason }, { what: 'until' }] },
    })
    const email = `${member.username}@example.com`
    await expect
      .poll(() => aVisitor(app).mails(email).join(), { timeout: 10_000 })
      .toContain('/user/security')
    const path = `/admin/chat-accesses/${opened.body.id}/chats`
    const listed = await call(root, 'GET', path)
    expect(listed.body.items.map((one: { id: string }) => one.id)).toContain(id)
    const read = await call(root, 'GET', `${path}/${id}`)
    expect(read.body).toMatchObject({ title: 'Opened', has_more: false })
    expect(read.body.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
    expect(await lastAudited(app, 'chat.read')).toMatchObject({ actor_id: root.id, subject: id })
    const told = await call(member, 'GET', '/users/me/chat-accesses')
    expect(told.body).toMatchObject({ total: 1, unseen: 1, items: [{ reason, chats_read: 1 }] })
    expect((await call(member, 'GET', '/users/me')).body.unseen_chat_accesses).toBe(1)
    expect((await call(member, 'POST', '/users/me/chat-accesses/seen')).status).toBe(204)
    expect((await call(member, 'GET', '/users/me')).body.unseen_chat_accesses).toBe(0)
    expect((await open(root)).status).toBe(409)
  })

  it('are open only to the admin who opened them, only for that user, and only until expiry [AD-16]', async () => {
    const { id: foreign } = await aSession(app, admin, { turns: 1 })
    const { body: accesses } = await call(root, 'GET', '/admin/chat-accesses')
    const path = `/admin/chat-accesses/${accesses.items[0].id}/chats`
    expect((await call(other, 'GET', path)).status).toBe(403)
    expect((await call(admin, 'GET', path)).status).toBe(403)
    expect((await call(root, 'GET', `${path}/${foreign}`)).status).toBe(404)
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect((await call(root, 'GET', path)).status).toBe(403)
    const again = await open(root)
    expect(again.status).toBe(201)
    expect((await call(root, 'DELETE', `/admin/chat-accesses/${again.body.id}`)).status).toBe(204)
    expect((await call(root, 'GET', `/admin/chat-accesses/${again.body.id}/chats`)).status).toBe(403)
    expect(await lastAudited(app, 'chats.closed')).toMatchObject({ subject_id: member.id })
    expect(
      (await call(root, 'POST', `/admin/users/${root.id}/chat-access`, { reason, hours: 1 })).status,
    ).toBe(409)
  })
})
