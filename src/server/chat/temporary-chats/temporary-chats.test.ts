import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import { calls, hangs, says } from '#tests/model-server.ts'
import { aMedium } from '#tests/stored-media.ts'
import { findTraces, listDataFiles } from '#tests/traces.ts'

const MARK = 'canarytc'
let chat: Chat
beforeAll(async () => {
  chat = await startChat({
    app: { config: { ATRIUM_BILLING: 'on' } },
    user: { balance: 50, workingMemory: true },
  })
})
afterAll(() => chat.close())

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Body = any

const db = () => chat.app.deps.db
const aTemporaryChat = async (): Promise<string> => {
  const { status, body } = await chat.call('POST', '/sessions', {
    ...{ is_temporary: true, model_name: 'compatible/scripted' },
  })
  expect(status).toBe(201)
  expect(body.is_temporary).toBe(true)
  return body.id
}
const rowOf = (id: string) => db().selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
/** Returns the tables and files that contain a text. */
const tracesOf = async (text: string) => {
  const { tables, files } = await findTraces(chat.app, text)
  return [...tables, ...files]
}
const statusOf = async (id: string) => (await chat.call('GET', `/sessions/${id}`)).status
const expire = (id: string) => sql`update sessions set lease_until = now() where id = ${id}`.execute(db())

/** Creates a temporary chat with a marker in everything it stores. */
async function aMarkedChat() {
  const id = await aTemporaryChat()
  chat.model.reply(
    [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
    [says(`It is ${MARK}0.`)],
    [says(`Well, ${MARK}1.`)],
  )
  await (await chat.ask(id, `What of ${MARK}2?`)).ended
  await (await chat.ask(id, `And ${MARK}3?`)).ended
  const run = await db()
    .selectFrom('runs')
    .select('id')
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow()
  const medium = await aMedium(chat.app, chat.user, run.id)
  const file_key = `input/${chat.user.id}/${MARK}`
  await chat.app.deps.files.write(file_key, Readable.from(['x']))
  await db()
    .insertInto('input_files')
    .values({
      ...{ user_id: chat.user.id, run_id: run.id, file_key, name: MARK },
      ...{ media_type: 'text/plain', size: 1 },
    })
    .execute()
  await sql`insert into web_pages (url_hash, url, title, text) values ('\\x02', ${MARK}, ${MARK}, ${MARK})`.execute(
    db(),
  )
  return { id, medium }
}

describe('a temporary chat', () => {
  it('stores nothing after it is closed: no row, title, memory, search entry, export or file, and can be forbidden [OC-07]', async () => {
    const files = (await listDataFiles(chat.app)).length
    const { id, medium } = await aMarkedChat()
    const paid = await sql<{
      n: number
    }>`select count(*)::int as n from ledger_entries where kind = 'usage'`.execute(db())
    expect((await tracesOf(MARK)).length).toBeGreaterThan(3)
    expect((await chat.call('DELETE', `/sessions/${id}`)).status).toBe(200)
    expect(await statusOf(id)).toBe(404)
    expect(await rowOf(id)).toBeUndefined()
    expect(await tracesOf(MARK)).toEqual([])
    expect(await tracesOf(id)).toEqual([])
    expect(await tracesOf(medium)).toEqual([])
    expect((await listDataFiles(chat.app)).length).toBe(files)
    const left = await sql<{
      n: number
    }>`select count(*)::int as n from ledger_entries where kind = 'usage'`.execute(db())
    expect(left.rows).toEqual(paid.rows)
    expect((await chat.call('GET', `/sessions?q=${MARK}`)).body.total).toBe(0)
    await closeToAll(chat.app, 'feature', 'temporary_chats')
    const refused = await chat.call('POST', '/sessions', { is_temporary: true })
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_granted' } })
    expect((await chat.call('POST', '/sessions', {})).status).toBe(201)
    await openToAll(chat.app, 'feature', 'temporary_chats')
  })

  it('is in no list, search, event, memory or usage title while it is open', async () => {
    const asked = chat.model.requests.length
    const { id } = await aMarkedChat()
    const events = await openStream(`${chat.url}/users/me/events`, { headers: chat.user.headers })
    const paths = [
      ...['/sessions', `/sessions?q=${MARK}`, '/input-requests', '/trash', '/exports', '/links'],
      ...[
        '/tool-executions?tool_id=calculator',
        '/users/me/billing',
        '/users/me/billing/usage?time_zone=UTC',
      ],
    ]
    for (const path of paths) {
      const { status, body } = await chat.call('GET', path)
      expect([path, status]).toEqual([path, 200])
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${MARK}|What of|"session_id":"${id}"`))
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    // No further call for a memory or a title.
    expect(chat.model.requests.length - asked).toBe(3)
    expect(JSON.stringify(events.wire)).not.toContain(id)
    const told = await sql`select from user_events where data::text like ${`%${id}%`}`.execute(db())
    expect(told.rows).toEqual([])
    events.leave()
    await chat.call('DELETE', `/sessions/${id}`)
  })

  it('ends when its lease is not renewed, and its run stops', async () => {
    const id = await aTemporaryChat()
    chat.model.reply([says('Half'), hangs()])
    const stream = await chat.ask(id, 'Go on')
    await stream.until('task_stream_init')
    const before = (await rowOf(id))?.lease_until as Date
    await sql`update sessions set lease_until = now() + interval '10 seconds' where id = ${id}`.execute(db())
    const { body } = await chat.call('POST', `/sessions/${id}/lease`)
    expect(new Date(body.lease_until).getTime()).toBeGreaterThanOrEqual(before.getTime())
    await expire(id)
    expect(await statusOf(id)).toBe(404)
    expect((await chat.call('POST', `/sessions/${id}/lease`)).status).toBe(404)
    expect((await chat.call('POST', `/sessions/${id}/keep`)).status).toBe(404)
    await chat.app.deps.jobs.add('end-temporary-chats', {})
    await expect.poll(() => rowOf(id), { timeout: 10_000 }).toBeUndefined()
    await stream.ended
  })

  it('can be kept, and then is a chat like others', async () => {
    const user = await aUser(chat.app, { balance: 50 })
    const call = (method: string, path: string, body?: unknown) => chat.call(method, path, body, user.headers)
    const { body } = await call('POST', '/sessions', {
      is_temporary: true,
      model_name: 'compatible/scripted',
    })
    chat.model.reply([says('Fine.')])
    const stream = await openStream(`${chat.url}/sessions/${body.id}/messages`, {
      ...{ method: 'POST', headers: user.headers, body: { content: 'How is it?' } },
    })
    await stream.ended
    const kept = await call('POST', `/sessions/${body.id}/keep`)
    expect(kept.status).toBe(200)
    expect(kept.body.is_temporary).toBeUndefined()
    expect((await call('GET', '/sessions')).body.items.map(({ id }: Body) => id)).toEqual([body.id])
    expect((await call('POST', `/sessions/${body.id}/lease`)).status).toBe(409)
    await chat.app.deps.jobs.add('end-temporary-chats', {})
    expect((await call('GET', `/sessions/${body.id}`)).status).toBe(200)
  })

  it('refuses uploads, feedback, links and exports', async () => {
    const id = await aTemporaryChat()
    chat.model.reply([says('Fine.')])
    await (await chat.ask(id, 'How is it?')).ended
    const [, reply] = (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
    const form = new FormData()
    form.set('chat_session_id', id)
    form.set('file', new Blob(['text']), 'a.txt')
    const upload = { method: 'POST', headers: chat.user.headers, body: form }
    const wishes: [string, string, object][] = [
      ['PUT', `/sessions/${id}/messages/${reply.id}/feedback`, { rating: 'up' }],
      ['POST', `/sessions/${id}/links`, { days: 90, documents: [], hide_steps: true }],
      ['POST', `/sessions/${id}/exports`, { format: 'md' }],
    ]
    expect((await fetch(`${chat.url}/documents/upload`, upload)).status).toBe(409)
    for (const [method, path, body] of wishes) expect((await chat.call(method, path, body)).status).toBe(409)
    await chat.call('DELETE', `/sessions/${id}`)
  })

  it('ends with the sign-in that opened it', async () => {
    const id = await aTemporaryChat()
    const other = await chat.aSession()
    const token = (await rowOf(id))?.lease_token as Buffer
    await db().deleteFrom('access_tokens').where('token_hash', '=', token).execute()
    const row = await rowOf(id)
    expect(row === undefined || (row.lease_until as Date).getTime() === 0).toBe(true)
    expect(await rowOf(other)).toBeTruthy()
  })
})
