import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lastAudited } from '#tests/audit-log.ts'
import { aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { aReader } from '#tests/documents.ts'
import { type HoldHouse, startHoldHouse } from '#tests/hold-house.ts'
import { aMedium } from '#tests/stored-media.ts'
import { removeOldCalls } from '../../api/openai/store.ts'
import { removeOldTries } from '../../chat/assistant-tries/store.ts'
import { purgeTrash } from '../../chat/trash/purge.ts'
import { erase } from '../erasure/erase.ts'
import { beginRetention } from '../retention/daily.ts'
import { deleteDue } from '../retention/delete-due.ts'

const DAY = 86_400_000
const never = new AbortController().signal
const HELD = { status: 409, body: { code: 'held' } }
let house: HoldHouse
let chat: HoldHouse['chat']
let root: TestUser
beforeAll(async () => {
  house = await startHoldHouse()
  chat = house.chat
  root = house.root
})
afterEach(() => house.reset())
afterAll(() => chat.close())

const db = () => chat.app.deps.db
const as = (user: TestUser) => house.as(user)
const place: HoldHouse['place'] = (...hold) => house.place(...hold)
const lift = (hold_id: string, reason = 'The claim is settled') =>
  as(root)('POST', '/admin/legal-holds/lift', { hold_id, reason })
const isStored: HoldHouse['isStored'] = (...row) => house.isStored(...row)

/** Deletes what is past its retention, in the trash, or over, for everyone. */
async function everyJob(): Promise<void> {
  await sql`insert into retention_rules (kind, days) values ('chats', 30), ('tool_runs', 30), ('files', 30), ('documents', 30)`.execute(
    db(),
  )
  house.setAhead(100 * DAY)
  await sql`delete from retention_runs`.execute(db())
  await beginRetention(chat.app.deps)
  await deleteDue(chat.app.deps, never)
  await purgeTrash(chat.app.deps, never)
  await removeOldCalls(chat.app.deps)
  await removeOldTries(chat.app.deps)
  await sql`update sessions set lease_until = now() where origin = 'temporary'`.execute(db())
  await chat.app.deps.jobs.add('end-temporary-chats', {}, { key: 'ending' })
  await expect.poll(() => chat.app.deps.jobs.has('ending'), { timeout: 10_000 }).toBe(false)
  house.setAhead(0)
  await sql`delete from retention_rules`.execute(db())
}

async function aChat(user: TestUser, workspaceId: string | null = null, origin = 'chat'): Promise<string> {
  const { id } = await aSession(chat.app, user, { title: 'Kessler' })
  await aMessage(chat.app, id, { content: 'Hello' })
  await sql`update sessions set workspace_id = ${workspaceId}, origin = ${origin},
    active_leaf = (select id from messages where session_id = ${id} limit 1) where id = ${id}`.execute(db())
  return id
}

/** A person with one thing of each kind that is deleted. */
async function someone() {
  const user = await aUser(chat.app)
  const reader = await aReader(chat.app, chat.url, user)
  const project: string = (await as(user)('POST', '/workspaces', { name: 'Kessler' })).body.id
  const upload = async (name: string, workspace_id?: string): Promise<string> => {
    const fields: Record<string, string> = workspace_id ? { workspace_id } : {}
    const { body } = await reader.upload({ name, content: `A pelican of ${name}.`, fields })
    await reader.processed(body.id)
    return body.id
  }
  const temporary = await aChat(user)
  await sql`update sessions set origin = 'temporary', lease_until = now() + interval '1 day'
    where id = ${temporary}`.execute(db())
  const chats = {
    ...{ plain: await aChat(user), ofProject: await aChat(user, project), temporary },
    program: await aChat(user, null, 'program'),
  }
  const documents = { plain: await upload('plain.txt'), ofProject: await upload('project.txt', project) }
  const run = await db()
    .insertInto('runs')
    .values({
      user_id: user.id,
      kind: 'tool',
      agent_type: 'tool',
      agent_version: 1,
      state: 'completed',
      finished_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const medium = await aMedium(chat.app, user, run.id)
  return { user, project, chats, documents, run: run.id, medium }
}

describe('a legal hold on a user', () => {
  it('stops retention, erasure, the trash and every deletion until it is lifted, and both are logged [GV-04]', {
    timeout: 120_000,
  }, async () => {
    const { user, project, chats, documents, run, medium } = await someone()
    const trashed = await aChat(user)
    expect((await as(user)('DELETE', `/sessions/${trashed}`)).status).toBe(200)
    const other = await aChat(await aUser(chat.app))
    const hold = await place('user', user.id)
    expect(await lastAudited(chat.app, 'legal_hold.placed')).toMatchObject({
      ...{
        actor_id: root.id,
        subject_id: user.id,
        changes: [{ what: 'reason', before: null, after: 'Claim 2026' }],
      },
    })
    const everything = async () => ({
      chats: await Promise.all([...Object.values(chats), trashed].map((id) => isStored('sessions', id))),
      documents: await Promise.all(Object.values(documents).map((id) => isStored('documents', id))),
      other: [
        await isStored('workspaces', project),
        await isStored('runs', run),
        await isStored('media', medium),
        await isStored('users', user.id),
      ],
    })
    const all = {
      chats: [true, true, true, true, true],
      documents: [true, true],
      other: [true, true, true, true],
    }
    const own = as(user)
    expect(await own('DELETE', `/sessions/${chats.plain}`)).toMatchObject(HELD)
    expect(await own('DELETE', `/documents/${documents.plain}`)).toMatchObject(HELD)
    expect(await own('DELETE', `/workspaces/${project}`)).toMatchObject({ status: 409 })
    expect(await own('DELETE', '/trash')).toMatchObject(HELD)
    expect(await own('POST', '/users/me/erasure', { email: user.email })).toMatchObject(HELD)
    expect((await own('GET', '/users/me/erasure')).body.is_held).toBe(true)
    const erasure = { email: user.email }
    expect(await as(root)('POST', `/admin/users/${user.id}/erasure`, erasure)).toMatchObject(HELD)
    expect((await as(root)('GET', `/admin/users/${user.id}/erasure`)).body.is_held).toBe(true)
    await everyJob()
    expect(await everything()).toEqual(all)
    expect(await isStored('sessions', other)).toBe(false)
    for (const table of ['sessions', 'documents', 'workspaces', 'runs', 'messages', 'users'])
      await expect(
        sql`delete from ${sql.table(table)} t where ${table === 'users' ? sql`t.id` : table === 'messages' ? sql`(select user_id from sessions s where s.id = t.session_id)` : sql`t.user_id`} = ${user.id}`.execute(
          db(),
        ),
      ).rejects.toMatchObject({ code: 'ATHLD' })
    expect(await everything()).toEqual(all)

    expect((await lift(hold.id)).body).toMatchObject({
      id: hold.id,
      lifted: { reason: 'The claim is settled' },
    })
    expect(await lastAudited(chat.app, 'legal_hold.lifted')).toMatchObject({
      ...{ actor_id: root.id, subject_id: user.id },
      changes: [{ what: 'reason', before: 'Claim 2026', after: 'The claim is settled' }],
    })
    await everyJob()
    const after = await everything()
    expect(after.chats).toEqual([false, false, false, false, false])
    expect(after.documents).toEqual([false, false])
    expect((await as(root)('POST', `/admin/users/${user.id}/erasure`, erasure)).status).toBe(202)
    await expect.poll(() => isStored('users', user.id), { timeout: 20_000 }).toBe(false)
  })

  it('pauses an erasure that has begun', async () => {
    const { user, chats } = await someone()
    const { db: stored } = chat.app.deps
    const { id } = await stored
      .insertInto('erasures')
      .values({
        user_id: user.id,
        token_hash: Buffer.from(user.id),
        asked_by: 'person',
        requested_at: new Date(),
        language: 'en',
        email: 'x',
        company_id: null,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const hold = await place('user', user.id)
    await erase(chat.app.deps, id, never)
    expect(await isStored('sessions', chats.plain)).toBe(true)
    await lift(hold.id)
    await erase(chat.app.deps, id, never).catch(() => undefined)
    expect(await isStored('sessions', chats.plain)).toBe(false)
  })
})

describe('a legal hold on a project', () => {
  it('keeps the project with its chats and documents, and nothing else', { timeout: 60_000 }, async () => {
    const { user, project, chats, documents } = await someone()
    const own = as(user)
    const hold = await place('project', project)
    expect(await own('DELETE', `/sessions/${chats.ofProject}`)).toMatchObject(HELD)
    expect(await own('DELETE', `/documents/${documents.ofProject}`)).toMatchObject(HELD)
    expect(await own('DELETE', `/documents/${documents.ofProject}?workspace_id=${project}`)).toMatchObject({
      status: 409,
    })
    await expect(
      sql`update sessions set workspace_id = null where id = ${chats.ofProject}`.execute(db()),
    ).rejects.toMatchObject({ code: 'ATHLD' })
    const erasure = { email: user.email }
    expect(await as(root)('POST', `/admin/users/${user.id}/erasure`, erasure)).toMatchObject(HELD)
    await everyJob()
    expect([
      await isStored('workspaces', project),
      await isStored('sessions', chats.ofProject),
      await isStored('documents', documents.ofProject),
    ]).toEqual([true, true, true])
    expect([await isStored('sessions', chats.plain), await isStored('documents', documents.plain)]).toEqual([
      false,
      false,
    ])
    await lift(hold.id)
    expect((await own('DELETE', `/sessions/${chats.ofProject}`)).status).toBe(200)
  })
})

describe('the list of legal holds', () => {
  it('shows active ones first, and is for super admins', async () => {
    const [ada, bob] = [await aUser(chat.app), await aUser(chat.app)]
    const first = await place('user', ada.id)
    await place('user', bob.id)
    expect(
      (await as(root)('POST', '/admin/legal-holds', { kind: 'user', subject_id: bob.id, reason: 'Again' }))
        .status,
    ).toBe(409)
    await lift(first.id)
    expect((await lift(first.id)).status).toBe(409)
    const { body } = await as(root)('GET', '/admin/legal-holds?limit=1')
    expect(body).toMatchObject({
      items: [{ subject_id: bob.id, reason: 'Claim 2026', lifted: null }],
      total: 2,
      has_more: true,
    })
    const found = await as(root)(
      'GET',
      `/admin/legal-holds/subjects?kind=user&q=${encodeURIComponent(bob.email)}`,
    )
    expect(found.body.items).toMatchObject([{ id: bob.id, is_held: true }])
    for (const path of ['/admin/legal-holds', '/admin/legal-holds/subjects?kind=user'])
      expect((await as(ada)('GET', path)).status).toBe(403)
    const hold = { kind: 'user', subject_id: ada.id, reason: 'Own' }
    expect((await as(ada)('POST', '/admin/legal-holds', hold)).status).toBe(403)
  })
})
