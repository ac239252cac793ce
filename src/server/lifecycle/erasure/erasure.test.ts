import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Receipt } from '#shared/lifecycle/erasure/erasure.ts'
import { PASSWORD } from '#tests/account.ts'
import { aCompany, aMessage, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { aMedium } from '#tests/stored-media.ts'
import { findTraces, listDataFiles } from '#tests/traces.ts'
import { hashPassword } from '../../identity/accounts/accounts.ts'
import { createLog } from '../../platform/log.ts'
import { createMailer } from '../../platform/mail/mail.ts'
import { closeAccount } from './close-store.ts'
import { erase } from './erase.ts'

const MARK = 'canaryzq'
const HOUR = 3_600_000
let chat: Chat
let ahead = 0
const log: string[] = []
beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  const kept = createLog('trace', { write: (line: string) => void log.push(line.toLowerCase()) })
  chat = await startChat({ app: { clock, log: kept, config: { ATRIUM_BILLING: 'on' } } })
})
afterAll(() => chat.close())

const traces = (mark: string) => findTraces(chat.app, mark)
const listFiles = () => listDataFiles(chat.app)

/** Creates an account with a marker in everything a user can write: at least 1,000 texts. */
async function aFullAccount(mark: string): Promise<TestUser> {
  const { app } = chat
  const { db, files } = app.deps
  let n = 0
  const words = () => `${mark}${String(n++).padStart(4, '0')}`
  const many = (count: number) => Array.from({ length: count }, words).join(' ')
  const user = await aUser(app, { role: 'member', balance: 50, workingMemory: true })
  await db
    .updateTable('users')
    .set({ password_hash: await hashPassword(PASSWORD), bio: words() })
    .where('id', '=', user.id)
    .execute()
  await db.insertInto('former_passwords').values({ user_id: user.id, password_hash: words() }).execute()
  // Chats, including one with a real run.
  for (let at = 0; at < 20; at++) {
    const { id } = await aSession(app, user, { title: words(), modelName: 'compatible/scripted' })
    for (let turn = 0; turn < 20; turn++) await aMessage(app, id, { content: `${words()} and ${words()}` })
  }
  chat.model.reply([says(`Well, ${many(30)}`)])
  const sessionId = (await aSession(app, user, { title: 'x', modelName: 'compatible/scripted' })).id
  const call = (method: string, path: string, body?: unknown) => chat.call(method, path, body, user.headers)
  const talk = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers: user.headers, body: { content: many(30) } },
  })
  await talk.ended
  await call('GET', `/sessions?q=${words()}`)
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  // Documents with passages and vectors, a reading in progress, and files.
  const reader = await aReader(app, chat.url, user)
  for (const name of [`${words()}.md`, `${words()}.txt`]) {
    const content = Array.from(
      { length: 40 },
      () => `# ${words()}\n\n${words()} stands here, and it is about the price of ${words()}.\n`,
    ).join('\n')
    const { body } = await reader.upload({ name, content })
    expect((await reader.processed(body.id)).status).toBe('completed')
  }
  const medium = await aMedium(app, user, run.id)
  await files.write(`media/${medium}/file`, Readable.from([many(10)]))
  await files.write(`input/${user.id}/a`, Readable.from([many(10)]))
  await db
    .insertInto('facts')
    .values({ user_id: user.id, text: words(), words: words(), origin: 'manual' })
    .execute()
  await db
    .insertInto('input_files')
    .values({
      user_id: user.id,
      file_key: `input/${user.id}/a`,
      name: words(),
      media_type: 'text/plain',
      size: 9,
    })
    .execute()
  // Created things and ways in.
  await call('POST', '/assistants', { name: words(), description: words(), system_prompt: many(5) })
  await call('POST', '/users/me/api-keys', {
    name: words(),
    scopes: ['chats'],
    days: 30,
    monthly_budget: null,
  })
  await call('POST', `/sessions/${sessionId}/links`, { days: 30, documents: [], hide_steps: true })
  await call('POST', '/exports', { documents: true, language: 'en', time_zone: 'UTC' })
  await call('POST', `/sessions/${sessionId}/exports`, { format: 'md' })
  await app.deps.mail.send({ to: user.email, subject: words(), text: words(), html: '' })
  // Cached web results of their question.
  await sql`insert into web_pages (url_hash, url, title, text) values ('\\x01', ${words()}, ${words()}, ${words()})`.execute(
    db,
  )
  await sql`insert into link_previews (url_hash, url, preview, read_at) values ('\\x01', ${words()}, '{}', now())`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  await expect
    .poll(async () => (await call('GET', '/exports?kind=account')).body.items[0]?.state, { timeout: 20_000 })
    .toBe('ready')
  expect(n).toBeGreaterThan(1_000)
  return user
}

const eraseOwn = (user: TestUser, body: object = { email: user.email, current_password: PASSWORD }) =>
  chat.call('POST', '/users/me/erasure', body, user.headers)
const idOf = async (userId: string) =>
  (
    await chat.app.deps.db
      .selectFrom('erasures')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).id

describe('deleting an account', () => {
  it('ends the schedules of the account in the same commit', async () => {
    const { db } = chat.app.deps
    const user = await aUser(chat.app)
    const rule = { kind: 'days', count: 1, time: '08:00' }
    const body = { name: 'Watch', text: 'What is new?', rule, time_zone: 'UTC' }
    expect((await chat.call('POST', '/schedules', body, user.headers)).status).toBe(201)
    await db.transaction().execute((trx) => closeAccount(trx, user.id))
    const { rows } = await sql`select from schedules where user_id = ${user.id} limit 1`.execute(db)
    expect(rows).toEqual([])
  })

  it('leaves none of 1,000 texts in any table, file or log in time; the receipt lists the counts [XE-06]', async () => {
    const other = await aUser(chat.app, { balance: 1 })
    const kept = await aReader(chat.app, chat.url, other)
    const { body: mine } = await kept.upload({ name: 'mine.txt', content: 'A pelican of my own.' })
    expect(mine).toMatchObject({ id: expect.any(String) })
    await kept.processed(mine.id)
    // The planner keeps old statistics of an empty table.
    const theirs = (await aSession(chat.app, other, { title: 'Mine' })).id
    await aMessage(chat.app, theirs, { content: 'Mine' })
    await chat.call('POST', `/sessions/${theirs}/exports`, { format: 'md' }, other.headers)
    await chat.call('POST', '/assistants', { name: 'Mine' }, other.headers)
    const user = await aFullAccount(MARK)
    const before = await traces(MARK)
    expect(before.tables.length).toBeGreaterThan(15)
    expect(before.files.length).toBeGreaterThan(8)
    const spent = await sums()
    const { status, body } = await eraseOwn(user)
    expect(status).toBe(202)
    expect((await chat.call('GET', '/sessions', undefined, user.headers)).status).toBe(401)
    const id = await idOf(user.id)
    const step = () =>
      chat.app.deps.db.selectFrom('erasures').select('step').where('id', '=', id).executeTakeFirst()
    await expect.poll(step, { timeout: 30_000 }).toMatchObject({ step: 'versions' })
    ahead = 2 * HOUR
    await erase(chat.app.deps, id, new AbortController().signal)
    const after = await traces(MARK)
    // The audit log is immutable: it keeps the names of an assistant and a key.
    expect(after).toMatchObject({ tables: ['public.audit_entries 2'], files: [] })
    expect(after.samples.filter(({ tablename }) => tablename !== 'audit_entries')).toEqual([])
    expect(log.filter((line) => line.includes(MARK))).toEqual([])
    const { rows: noted } = await sql`select from indexed_readings i
      where not exists (select from readings r where r.id = i.reading_id) limit 10`.execute(chat.app.deps.db)
    expect(noted).toEqual([])
    // The search files with passages were replaced, including indexes.
    const held = (name: string) => /\.lance\/(data|_indices)\//.test(name)
    expect(listFiles().filter((name) => held(name) && before.all.includes(name))).toEqual([])
    expect(await sums()).toEqual(spent)
    const receipt = await fetch(`${chat.url}/receipts/${body.token}`)
    expect(await receipt.json()).toMatchObject({
      asked_by: 'person',
      finished_at: expect.any(String),
      counts: { chats: 21, documents: 2, exports: 2, api_keys: 1, links: 1, assistants: 1, mails: 1 },
    })
    const text = await (await fetch(`${chat.url}/receipts/${body.token}/file?language=fr`)).text()
    expect(text).toContain('Conversations\u00a0: 21')
    expect(text).not.toContain(MARK)
    expect(
      (await kept.call('POST', '/search_and_rerank/search_and_rerank', { query: 'pelican' })).body.objects
        .length,
    ).toBeGreaterThan(0)
  }, 120_000)

  it('resumes after any number of interruptions and counts nothing twice [XE-06]', async () => {
    const user = await aPerson()
    const [first = ''] = [await aChat(user), await aChat(user)]
    const reader = await aReader(chat.app, chat.url, user)
    const { body: document } = await reader.upload({ name: 'a.txt', content: 'A heron.' })
    await reader.processed(document.id)
    await chat.call('POST', `/sessions/${first}/exports`, { format: 'md' }, user.headers)
    await chat.app.deps.jobs.stop()
    const { body } = await eraseOwn(user)
    const id = await idOf(user.id)
    ahead += 2 * HOUR
    // Stops each call after one part, like a dying process.
    const anInterruption = () => {
      let looks = 0
      return { throwIfAborted: () => expect(looks++, 'interrupted').toBe(0) } as unknown as AbortSignal
    }
    let calls = 0
    while ((await receiptOf(body.token)).finished_at === null) {
      if (calls === 8) ahead += 2 * HOUR
      await erase(chat.app.deps, id, anInterruption()).catch((error) =>
        expect(error.message).toContain('interrupted'),
      )
      expect(calls++).toBeLessThan(20)
    }
    expect(calls).toBeGreaterThan(6)
    expect((await receiptOf(body.token)).counts).toMatchObject({
      chats: 2,
      messages: 2,
      documents: 1,
      exports: 1,
    })
    expect(listFiles().filter((name) => name.includes(user.id))).toEqual([])
    await chat.app.deps.jobs.start()
  }, 60_000)

  it('requires password and address, or an administrator with their own [XE-06]', async () => {
    const user = await aPerson()
    const right = { email: user.email, current_password: PASSWORD }
    const wrong = await eraseOwn(user, { ...right, current_password: 'something else' })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'current_password' }] } })
    const other = await eraseOwn(user, { ...right, email: 'else@example.com' })
    expect(other).toMatchObject({ status: 422, body: { errors: [{ path: 'email' }] } })
    const mine = await aCompany(chat.app)
    const admin = await aPerson({ role: 'company_admin', companyId: mine })
    const by = (who: TestUser, whom: TestUser) =>
      chat.call(
        'POST',
        `/admin/users/${whom.id}/erasure`,
        { email: whom.email, current_password: PASSWORD },
        who.headers,
      )
    expect((await by(admin, user)).status).toBe(403)
    const colleague = await aPerson({ role: 'member', companyId: mine })
    const abroad = { company_id: await aCompany(chat.app), user_id: colleague.id, role: 'member' }
    await chat.app.deps.db.insertInto('company_members').values(abroad).execute()
    expect((await by(admin, colleague)).body.detail).toContain('in other companies too')
    await chat.app.deps.db.deleteFrom('company_members').where('company_id', '=', abroad.company_id).execute()
    expect((await by(admin, admin)).status).toBe(409)
    const { status, body } = await by(admin, colleague)
    expect(status).toBe(202)
    expect(await receiptOf(body.token)).toMatchObject({ asked_by: 'administrator' })
    const { rows } = await sql<{ actor_id: string }>`select actor_id from audit_entries
      where did = 'account.deleted' and subject_id = ${colleague.id}`.execute(chat.app.deps.db)
    expect(rows).toEqual([{ actor_id: admin.id }])
    expect((await by(admin, colleague)).status).toBe(403)
  })

  it('mails the receipt when mail is configured, then forgets the address [XE-06]', async () => {
    const smtp = await startSmtpServer()
    const mail = createMailer(
      { ...chat.app.deps.config, SMTP_URL: smtp.url },
      { read: async () => null, host: async () => null },
    )
    const deps = { ...chat.app.deps, mail }
    const user = await aPerson()
    await chat.app.deps.jobs.stop()
    const { body } = await eraseOwn(user)
    const id = await idOf(user.id)
    const signal = new AbortController().signal
    await erase(deps, id, signal)
    expect(smtp.said()).toBe('')
    await erase({ ...deps, clock: { now: () => new Date(Date.now() + ahead + 4 * HOUR) } }, id, signal)
    expect(smtp.said()).toContain(`RCPT TO:<${user.email}>`)
    expect(smtp.said()).toContain('Receipt of a deleted account')
    const row = await chat.app.deps.db
      .selectFrom('erasures')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toMatchObject({ step: 'done', user_id: null, email: null, company_id: null })
    expect((await receiptOf(body.token)).finished_at).not.toBeNull()
    await chat.app.deps.jobs.start()
    smtp.close()
  })

  it('is refused for the last super admin, and frees name and address immediately [XE-06]', async () => {
    const root = await aPerson({ role: 'super_admin' })
    expect((await eraseOwn(root)).body.detail).toBe('This is the only super admin. Name another one first.')
    const user = await aPerson()
    expect((await eraseOwn(user)).status).toBe(202)
    expect((await eraseOwn(user)).status).toBe(401)
    const again = await aUser(chat.app, { username: user.username })
    expect(again.id).not.toBe(user.id)
    expect((await fetch(`${chat.url}/receipts/none`)).status).toBe(404)
  })
})

async function aPerson(options: Parameters<typeof aUser>[1] = {}): Promise<TestUser> {
  const user = await aUser(chat.app, { balance: 1, ...options })
  const password_hash = await hashPassword(PASSWORD)
  await chat.app.deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
  return user
}

async function aChat(user: TestUser): Promise<string> {
  const { id } = await aSession(chat.app, user, { title: 'x' })
  await aMessage(chat.app, id, { content: 'Hello' })
  return id
}

const receiptOf = async (token: string): Promise<Receipt> =>
  (await (await fetch(`${chat.url}/receipts/${token}`)).json()) as Receipt

/** Returns the usage totals of existing and deleted accounts. */
async function sums() {
  const { rows } = await sql<{ amount: string }>`select sum(amount)::text as amount from (
    select amount from ledger_entries union all select amount from departed_usage) all_of_it`.execute(
    chat.app.deps.db,
  )
  return rows[0]?.amount
}
