import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aReader } from '#tests/documents.ts'
import { type HoldHouse, startHoldHouse } from '#tests/hold-house.ts'
import { purgeTrash } from '../../chat/trash/purge.ts'
import { beginRetention } from '../retention/daily.ts'
import { deleteDue } from '../retention/delete-due.ts'

const DAY = 86_400_000
const never = new AbortController().signal
const HELD = { status: 409, body: { code: 'held' } }
let house: HoldHouse
let chat: HoldHouse['chat']
beforeAll(async () => {
  house = await startHoldHouse()
  chat = house.chat
})
afterEach(() => house.reset())
afterAll(() => chat.close())

const db = () => chat.app.deps.db
const as = (user: TestUser) => house.as(user)
const place: HoldHouse['place'] = (...hold) => house.place(...hold)
const aProject = async (owner: TestUser): Promise<string> =>
  (await as(owner)('POST', '/workspaces', { name: 'Kessler' })).body.id
const aFact = (author: TestUser, workspaceId: string) =>
  sql`insert into facts (user_id, workspace_id, text, words, origin)
    values (${author.id}, ${workspaceId}, 'The notice is six months.', 'notice', 'manual')`.execute(db())

describe('an erasure that would delete facts under a legal hold', () => {
  it('is refused before it begins when a held person wrote one in a project of the account', async () => {
    const [owner, member] = [await aUser(chat.app), await aUser(chat.app)]
    await aFact(member, await aProject(owner))
    await place('user', member.id)
    expect(await as(owner)('POST', '/users/me/erasure', { email: owner.email })).toMatchObject(HELD)
  })

  it('is refused before it begins when the account wrote one in a held project', async () => {
    const [owner, member] = [await aUser(chat.app), await aUser(chat.app)]
    const project = await aProject(owner)
    await aFact(member, project)
    await place('project', project)
    expect(await as(member)('POST', '/users/me/erasure', { email: member.email })).toMatchObject(HELD)
  })
})

it('refuses an erasure that would delete chats of visitors of a held person before it begins', async () => {
  const [author, held] = [await aUser(chat.app), await aUser(chat.app)]
  const assistant = (await as(author)('POST', '/assistants', { name: 'Leases', instructions: 'Answer.' }))
    .body.id
  await sql`
    with key as (insert into access_keys (user_id, kind, name, secret_hash, hint)
        values (${held.id}, 'embed', 'Site', ${randomUUID()}, 'a') returning id),
      embed as (insert into embeds (key_id, assistant_id, origins, messages_a_day, days_kept)
        select id, ${assistant}, '{}', 10, 10 from key returning key_id)
    insert into embed_visitors (key_id, secret_hash, language, last_seen_at, day)
      select key_id, ${randomUUID()}, 'en', now(), current_date from embed`.execute(db())
  await sql`insert into sessions (user_id, title, origin, visitor_id)
    select ${held.id}, 'Kessler', 'embed', v.id from embed_visitors v join embeds e on e.key_id = v.key_id
    where e.assistant_id = ${assistant}`.execute(db())
  await place('user', held.id)
  expect(await as(author)('POST', '/users/me/erasure', { email: author.email })).toMatchObject(HELD)
})

describe('a legal hold on a user', () => {
  it.each(['assistants', 'workspaces'] as const)('keeps %s from being handed over', async (table) => {
    const [held, heir] = [await aUser(chat.app), await aUser(chat.app)]
    const id =
      table === 'workspaces'
        ? await aProject(held)
        : (await as(held)('POST', '/assistants', { name: 'Leases', instructions: 'Answer.' })).body.id
    expect(id).toEqual(expect.any(String))
    const give = () => sql`update ${sql.table(table)} set user_id = ${heir.id} where id = ${id}`.execute(db())
    await place('user', held.id)
    await expect(give()).rejects.toMatchObject({ code: 'ATHLD' })
    await sql`delete from legal_holds`.execute(db())
    await give()
  })
})

describe('a document inside of another one in a held project', () => {
  /** A document that contains another one, which is in a held project. */
  async function aHeldPart() {
    const user = await aUser(chat.app)
    const reader = await aReader(chat.app, chat.url, user)
    const upload = async (name: string): Promise<string> => {
      const { body } = await reader.upload({ name, content: `A pelican of ${name} ${randomUUID()}.` })
      await reader.processed(body.id)
      return body.id
    }
    const [outer, inner, other] = [
      await upload('outer.txt'),
      await upload('inner.txt'),
      await upload('other.txt'),
    ]
    await sql`update documents set parent_id = ${outer} where id = ${inner}`.execute(db())
    const project = await aProject(user)
    const added = await as(user)('POST', `/documents/workspace/${project}/documents`, {
      document_ids: [inner],
    })
    expect(added.status, JSON.stringify(added.body)).toBe(200)
    return { reader, outer, inner, other, project }
  }
  const stored = ({ outer, inner, other }: { outer: string; inner: string; other: string }) =>
    Promise.all([outer, inner, other].map((id) => house.isStored('documents', id)))

  it('keeps the outer one, and the trash deletes the others', async () => {
    const things = await aHeldPart()
    for (const id of [things.outer, things.other])
      expect((await things.reader.call('DELETE', `/documents/${id}`)).status).toBe(204)
    await place('project', things.project)
    house.setAhead(100 * DAY)
    await purgeTrash(chat.app.deps, never)
    expect(await stored(things)).toEqual([true, true, false])
  })

  it('keeps the outer one, and retention deletes the others', async () => {
    const things = await aHeldPart()
    await place('project', things.project)
    await sql`insert into retention_rules (kind, days) values ('documents', 30)`.execute(db())
    house.setAhead(100 * DAY)
    await beginRetention(chat.app.deps)
    await deleteDue(chat.app.deps, never)
    expect(await stored(things)).toEqual([true, true, false])
  })
})

it('places a hold while a transaction that wrote to the audit log adds a chat of the user', async () => {
  const user = await aUser(chat.app)
  const placing = await db()
    .transaction()
    .execute(async (trx) => {
      await sql`insert into audit_entries (at, actor_name, did, subject) values (now(), 'Ada', 'chat.read', 'x')`.execute(
        trx,
      )
      const placing = place('user', user.id)
      const waits = sql`select from pg_locks where locktype = 'advisory' and not granted`
      await expect.poll(async () => (await waits.execute(db())).rows.length).toBeGreaterThan(0)
      await sql`insert into sessions (user_id, title) values (${user.id}, 'Kessler')`.execute(trx)
      return { placing }
    })
  await placing.placing
})
