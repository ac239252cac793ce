import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RetentionState } from '#shared/lifecycle/retention/retention.ts'
import { askUntilWaiting, playAgent } from '#tests/asking.ts'
import { aCompany, aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'
import { aMedium } from '#tests/stored-media.ts'
import { findTraces, listDataFiles } from '#tests/traces.ts'
import { beginRetention, nextRetention } from './daily.ts'
import { deleteDue } from './delete-due.ts'

const MARK = 'canaryrt'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const never = new AbortController().signal
let chat: Chat
let ahead = 0
beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  chat = await startChat({ app: { clock, jobs: false } })
})
afterEach(async () => {
  ahead = 0
  await sql`delete from retention_rules`.execute(chat.app.deps.db)
  await sql`delete from retention_runs`.execute(chat.app.deps.db)
  await sql`delete from sessions`.execute(chat.app.deps.db)
})
afterAll(() => chat.close())

const db = () => chat.app.deps.db
const as = (user: TestUser) => (method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
const keep = (kind: string, days: number | null) => ({ kind, days, follows_house: false })
const follow = (kind: string) => ({ kind, days: null, follows_house: true })

/** Runs a day's retention from start to end, an hour later. */
async function aDay(): Promise<void> {
  await beginRetention(chat.app.deps)
  if (await deleteDue(chat.app.deps, never)) {
    ahead += 2 * HOUR
    await deleteDue(chat.app.deps, never)
  }
}

async function anOldChat(user: TestUser, days: number): Promise<string> {
  const { id } = await aSession(chat.app, user, { title: 'x' })
  await aMessage(chat.app, id, { content: 'Hello' })
  const updated_at = new Date(Date.now() - days * DAY)
  await db().updateTable('sessions').set({ updated_at }).where('id', '=', id).execute()
  return id
}

const chatsOf = async ({ id }: TestUser) =>
  (await db().selectFrom('sessions').select('id').where('user_id', '=', id).execute()).map((one) => one.id)

/** Creates a user with a marker in a chat, a document, a file and a tool run. */
async function someoneMarked(companyId: string): Promise<TestUser> {
  const { app } = chat
  const user = await aUser(app, { role: 'member', companyId, workingMemory: true })
  const call = as(user)
  const { id: sessionId } = await aSession(app, user, { title: MARK, modelName: 'compatible/scripted' })
  chat.model.reply([says(`Well, ${MARK}0 it is.`)])
  const talk = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers: user.headers, body: { content: `What of ${MARK}1?` } },
  })
  await talk.ended
  await call('POST', `/sessions/${sessionId}/links`, { days: 90, documents: [], hide_steps: true })
  await call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })
  const { id: run } = await db()
    .selectFrom('runs')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const medium = await aMedium(app, user, run)
  await app.deps.files.write(`media/${medium}/file`, Readable.from([`${MARK}2`]))
  const file_key = `input/${user.id}/a`
  await app.deps.files.write(file_key, Readable.from([`${MARK}3`]))
  const file = { file_key, name: MARK, media_type: 'text/plain', size: 9, run_id: run }
  await db()
    .insertInto('input_files')
    .values({ ...file, user_id: user.id })
    .execute()
  const reader = await aReader(app, chat.url, user)
  const lines = Array.from({ length: 30 }, (_, at) => `# ${MARK}4${at}\n\nThe price of ${MARK}5${at}.\n`)
  const { body } = await reader.upload({ name: `${MARK}.md`, content: lines.join('\n') })
  expect((await reader.processed(body.id)).status).toBe('completed')
  const unplay = playTool(app, async () => ({ doubled: 4, text: `${MARK}6` }))
  const { body: made } = await call('POST', '/tools/probe/execute', { inputs: { n: 2 } })
  const state = async () => (await call('GET', `/tool-executions/${made.tool_execution_id}`)).body.status
  await expect.poll(state, { timeout: 20_000 }).toBe('complete')
  unplay()
  await sql`insert into web_pages (url_hash, url, title, text) values ('\\x02', ${MARK}, ${MARK}, ${MARK})`.execute(
    db(),
  )
  await sql`analyze`.execute(db())
  return user
}

describe('retention', () => {
  it('removes everything due from tables and files, keeps the rest, and counts by kind and company [AD-11]', async () => {
    await chat.app.deps.jobs.start()
    const root = await aUser(chat.app, { role: 'super_admin' })
    const company = await aCompany(chat.app, 'Orsane')
    const user = await someoneMarked(company)
    const other = await aUser(chat.app)
    const kept = await anOldChat(other, 400)
    const theirs = await aReader(chat.app, chat.url, other)
    const { body: mine } = await theirs.upload({ name: 'mine.txt', content: 'A pelican of my own.' })
    await theirs.processed(mine.id)
    await chat.app.deps.jobs.stop()
    const before = await findTraces(chat.app, MARK)
    expect(before.tables.length).toBeGreaterThan(12)
    expect(before.files.length).toBeGreaterThan(4)
    const rules = ['chats', 'tool_runs', 'files', 'documents'].map((kind) => keep(kind, 30))
    const set = await as(root)('PUT', `/admin/companies/${company}/retention`, { rules })
    expect(set.status).toBe(200)
    await aDay()
    expect((await findTraces(chat.app, MARK)).tables).toEqual(before.tables)
    await sql`delete from retention_runs`.execute(db())

    ahead = 31 * DAY
    await aDay()
    // User events expire after a day anyway.
    await sql`delete from user_events where created_at < now()`.execute(db())
    const after = await findTraces(chat.app, MARK)
    expect(after).toMatchObject({ tables: [], files: [], samples: [] })
    const held = (name: string) => /\.lance\/(data|_indices)\//.test(name)
    expect(listDataFiles(chat.app).filter((name) => held(name) && before.all.includes(name))).toEqual([])
    expect(await chatsOf(other)).toEqual([kept])
    ahead = 0
    expect((await theirs.call('GET', `/documents/${mine.id}`)).status).toBe(200)
    expect(await chatsOf(user)).toEqual([])
    const { body } = await as(root)('GET', '/admin/retention/runs')
    expect(body.items).toMatchObject([{ state: 'done', finished_at: expect.any(String) }])
    const counts = body.items[0].counts.map(({ kind, company: of, items }: Record<string, unknown>) => [
      kind,
      of,
      items,
    ])
    expect(counts.sort()).toEqual([
      ['chats', 'Orsane', 1],
      ['documents', 'Orsane', 1],
      ['tool_runs', 'Orsane', 1],
    ])
  }, 120_000)

  it('resumes after any number of interruptions and counts nothing twice [AD-11]', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const user = await aUser(chat.app)
    for (let at = 0; at < 45; at++) await anOldChat(user, 60)
    const run = await db()
      .insertInto('runs')
      .values({ user_id: user.id, kind: 'tool', agent_type: 'tool', agent_version: 1, state: 'completed' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const medium = await aMedium(chat.app, user, run.id)
    await db()
      .updateTable('media')
      .set({ created_at: new Date(0) } as never)
      .where('id', '=', medium)
      .execute()
    await as(root)('PUT', '/admin/retention', { rules: [keep('chats', 30), keep('files', 30)] })
    await beginRetention(chat.app.deps)
    // Stops each call after one part, like a dying process.
    const anInterruption = () => {
      let looks = 0
      return { throwIfAborted: () => expect(looks++, 'interrupted').toBe(0) } as unknown as AbortSignal
    }
    let calls = 0
    const isOver = async () => (await as(root)('GET', '/admin/retention/runs')).body.items[0].state === 'done'
    while (!(await isOver())) {
      await deleteDue(chat.app.deps, anInterruption()).catch((error) =>
        expect(error.message).toContain('interrupted'),
      )
      expect(calls++).toBeLessThan(30)
    }
    expect(calls).toBeGreaterThan(8)
    const { body } = await as(root)('GET', '/admin/retention/runs')
    expect(body.items[0].counts).toEqual([
      { kind: 'chats', company: null, items: 45, files: 0, file_bytes: 0 },
      { kind: 'files', company: null, items: 1, files: 1, file_bytes: 1 },
    ])
    expect(listDataFiles(chat.app).filter((name) => name.includes(medium))).toEqual([])
  }, 60_000)

  it("uses a user's first company's rule before the installation's [AD-11]", async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const [first, second] = [await aCompany(chat.app, 'First'), await aCompany(chat.app, 'Second')]
    const short = await aUser(chat.app, { role: 'member', companyId: second })
    const both = await aUser(chat.app, { role: 'member', companyId: first })
    await db()
      .insertInto('company_members')
      .values({ company_id: second, user_id: both.id, role: 'member' })
      .execute()
    const nobodys = await aUser(chat.app)
    for (const user of [short, both, nobodys]) await anOldChat(user, 60)
    await as(root)('PUT', '/admin/retention', { rules: [keep('chats', 30)] })
    await as(root)('PUT', `/admin/companies/${second}/retention`, { rules: [keep('chats', 7)] })
    await as(root)('PUT', `/admin/companies/${first}/retention`, { rules: [keep('chats', null)] })
    await aDay()
    expect(await Promise.all([short, both, nobodys].map(async (one) => (await chatsOf(one)).length))).toEqual(
      [0, 1, 0],
    )
    await as(root)('PUT', `/admin/companies/${first}/retention`, { rules: [follow('chats')] })
    await aDay()
    expect(await chatsOf(both)).toEqual([])
  })

  it('is off by default and previews the next run [AD-11]', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const company = await aCompany(chat.app, 'Kessler')
    const user = await aUser(chat.app, { role: 'member', companyId: company })
    for (const days of [10, 40, 100]) await anOldChat(user, days)
    await aDay()
    expect((await as(root)('GET', '/admin/retention/runs')).body.items).toEqual([])
    expect(await chatsOf(user)).toHaveLength(3)
    const { body } = await as(root)('GET', `/admin/companies/${company}/retention`)
    const chats = body.rules.find(({ kind }: RetentionState) => kind === 'chats') as RetentionState
    expect(chats).toMatchObject({ days: null, follows_house: true, house_days: null })
    const itemsOf = (wanted: number) => chats.older.find(({ days }) => days === wanted)?.items
    expect([7, 30, 90, 180].map(itemsOf)).toEqual([3, 2, 1, 0])
    expect(body.next_at).toMatch(/T04:10:00.000Z$/)
    expect(nextRetention(new Date('2026-11-24T04:10:00Z'))).toEqual(new Date('2026-11-25T04:10:00Z'))
    await as(root)('PUT', `/admin/companies/${company}/retention`, { rules: [keep('chats', 30)] })
    await aDay()
    expect(await chatsOf(user)).toHaveLength(1)
  })

  it('ends what waits in a due chat, and keeps a chat with a new message [AD-11]', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    playAgent([chat.app], async (run) => {
      await run.ask('waiting_for_input', { prompt: '?', input_types: ['text'] })
    })
    const waiting = await askUntilWaiting(chat)
    const updated_at = new Date(Date.now() - 60 * DAY)
    await db().updateTable('sessions').set({ updated_at }).where('id', '=', waiting).execute()
    const fresh = await anOldChat(chat.user, 1)
    expect(await chatsOf(chat.user)).toHaveLength(2)
    await as(root)('PUT', '/admin/retention', { rules: [keep('chats', 30)] })
    await aDay()
    expect(await chatsOf(chat.user)).toEqual([fresh])
  })

  it('lets company admins manage only their companies and counts, with audit entries [AD-11]', async () => {
    const [mine, others] = [await aCompany(chat.app, 'Mine'), await aCompany(chat.app, 'Others')]
    const admin = await aUser(chat.app, { role: 'company_admin', companyId: mine })
    const root = await aUser(chat.app, { role: 'super_admin' })
    const call = as(admin)
    expect((await call('GET', '/admin/retention')).status).toBe(403)
    expect((await call('PUT', '/admin/retention', { rules: [keep('chats', 1)] })).status).toBe(403)
    const path = (company: string) => `/admin/companies/${company}/retention`
    expect((await call('PUT', path(others), { rules: [keep('chats', 1)] })).status).toBe(403)
    expect((await call('GET', path(others))).status).toBe(403)
    expect((await call('PUT', path(mine), { rules: [keep('audit', 900)] })).body.detail).toContain(
      'super admin',
    )
    expect((await call('PUT', path(mine), { rules: [keep('chats', 0)] })).status).toBe(422)
    expect((await call('PUT', path(mine), { rules: [keep('chats', 30), keep('files', 7)] })).status).toBe(200)
    for (const company of [mine, others])
      await anOldChat(await aUser(chat.app, { role: 'member', companyId: company }), 60)
    await as(root)('PUT', '/admin/retention', { rules: [keep('chats', 30)] })
    await aDay()
    const namesOf = async (user: TestUser) =>
      (await as(user)('GET', '/admin/retention/runs')).body.items[0].counts.map(
        (one: { company: string }) => one.company,
      )
    expect(await namesOf(admin)).toEqual(['Mine'])
    expect((await namesOf(root)).sort()).toEqual(['Mine', 'Others'])
    const { body } = await call('GET', '/admin/audit?did=retention.changed')
    expect(body.items).toMatchObject([
      {
        actor: { id: admin.id },
        company: 'Mine',
        changes: [
          { what: 'chats', before: null, after: '30 d' },
          { what: 'files', before: null, after: '7 d' },
        ],
      },
    ])
  })

  it('removes the oldest audit entries after at least a year and keeps the chain valid [AD-11]', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const entries = async () =>
      (await sql<{ id: number }>`select id from audit_entries order by id`.execute(db())).rows.map(({ id }) =>
        Number(id),
      )
    const refused = await as(root)('PUT', '/admin/retention', { rules: [keep('audit', 364)] })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('365')])
    await as(root)('PUT', '/admin/retention', { rules: [keep('audit', 365)] })
    await as(root)('PUT', '/admin/retention', { rules: [keep('audit', 400)] })
    const before = await entries()
    ahead = 500 * DAY
    await aDay()
    // By the database clock, which must agree, the entries are from today.
    expect(await entries()).toEqual(before)
    await sql`alter table audit_entries disable trigger keep`.execute(db())
    await sql`update audit_entries set at = at - interval '2 years' where id <= ${before[1]}`.execute(db())
    await sql`alter table audit_entries enable trigger keep`.execute(db())
    await sql`delete from retention_runs`.execute(db())
    await aDay()
    expect(await entries()).toEqual(before.slice(2))
    await expect(sql`delete from audit_entries`.execute(db())).rejects.toThrow('never changed')
    ahead = 0
    const { body } = await as(root)('GET', '/admin/audit/check')
    expect(body.broken_at).toBeNull()
  })

  it('reports a failure and continues', async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const user = await aUser(chat.app)
    await anOldChat(user, 60)
    await as(root)('PUT', '/admin/retention', { rules: [keep('chats', 30)] })
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(
      db(),
    )
    await sql`create trigger refuse before delete on sessions for each row execute function refuse()`.execute(
      db(),
    )
    await beginRetention(chat.app.deps)
    await chat.app.deps.jobs.start()
    const state = async () => (await as(root)('GET', '/admin/retention/runs')).body.items[0]?.state
    await expect.poll(state, { timeout: 20_000 }).toBe('failed')
    await sql`drop trigger refuse on sessions`.execute(db())
    await expect.poll(state, { timeout: 30_000, interval: 500 }).toBe('done')
    await chat.app.deps.jobs.stop()
    expect(await chatsOf(user)).toEqual([])
  }, 60_000)
})
