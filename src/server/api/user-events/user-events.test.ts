import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { UserEvent, UserStreamInit } from '#shared/api/user-events/user-events.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { removeOldUserEvents } from './store.ts'

let chat: Chat
let other: TestApp
let otherUrl: string
const leaving: (() => void)[] = []
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } }, user: { balance: 10 } })
  const config = { ATRIUM_COMPATIBLE_URL: chat.model.url, ATRIUM_BILLING: 'on' }
  other = await startApp({ address: chat.app.address, config })
  otherUrl = `${await other.listen()}/api/v1`
})
afterEach(() => {
  for (const leave of leaving.splice(0)) leave()
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

/** Opens a user's event stream, by default on the process that does not handle their requests. */
async function follow(user: TestUser, { url = otherUrl, lastId = '' } = {}) {
  const stream = await openStream(`${url}/users/me/events`, {
    headers: { ...user.headers, ...(lastId && { 'last-event-id': lastId }) },
  })
  leaving.push(stream.leave)
  const init = UserStreamInit.parse(JSON.parse((await stream.until('user_stream_init')).data))
  const told = () =>
    stream.wire
      .filter(({ event }) => !['user_stream_init', 'ping', 'unauthorized'].includes(event))
      .map(({ event, data }) => UserEvent.parse({ event, ...JSON.parse(data) }))
  const names = () => told().map(({ event }) => event)
  const lastIdNow = () => stream.wire.findLast(({ id }) => id !== null)?.id ?? init.last_event_id
  return { ...stream, init, told, names, lastId: lastIdNow }
}

describe('user events', () => {
  it('report chats on every process: created, named, working, at rest, deleted', async () => {
    const [here, there] = [await follow(chat.user, { url: chat.url }), await follow(chat.user)]
    const { body: session } = await chat.call('POST', '/sessions', { model_name: 'compatible/scripted' })
    chat.model.reply([says('Hello')])
    await (await chat.ask(session.id, 'Hi')).ended
    const renamed = performance.now()
    await chat.call('PATCH', `/sessions/${session.id}/rename`, { title: 'Minutes' })
    const isNamed = expect.objectContaining({ event: 'session_changed', title: 'Minutes' })
    await vi.waitFor(() => expect(there.told()).toContainEqual(isNamed), 5_000)
    expect(performance.now() - renamed).toBeLessThan(2_000)
    await chat.call('DELETE', `/sessions/${session.id}`)
    for (const { told } of [here, there]) {
      await vi.waitFor(() => expect(told().at(-1)?.event).toBe('session_deleted'), 5_000)
      const mine = told().filter((event) => 'session_id' in event && event.session_id === session.id)
      expect(mine[0]).toMatchObject({ event: 'session_created', status: 'NEW' })
      const states = mine.flatMap((event) => ('status' in event ? [event.status] : []))
      expect(states).toEqual(expect.arrayContaining(['GENERATING', 'COMPLETED']))
    }
    expect(there.told()).toEqual(here.told())
  })

  it('report input requests on the other process when they are opened and answered', async () => {
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    const there = await follow(chat.user)
    chat.model.reply([calls('calculator', { a: 21, b: 2, operation: 'multiply' })], [says('It is 42.')])
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    await vi.waitFor(() => expect(there.names()).toContain('request_opened'), 5_000)
    const request = stream.view()?.blocks.find(({ type }) => type === 'input_required')
    if (request?.type !== 'input_required') throw new Error('nothing was asked')
    const path = `/tool-executions/${request.tool?.tool_execution_id}/provide-input`
    await chat.call('POST', path, { input: { approved: true }, input_type: 'json' })
    await vi.waitFor(() => expect(there.names()).toContain('request_answered'), 5_000)
    expect(there.told()).toContainEqual(
      expect.objectContaining({ event: 'request_answered', session_id: id }),
    )
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'auto' })
  })

  it('report runs paused for lack of funds, and their resumption', async () => {
    const { db } = chat.app.deps
    const stream = await chat.ask(await chat.aSession(), 'Hi')
    await stream.ended
    const there = await follow(chat.user)
    const runId = stream.view()?.run_id ?? ''
    const ofRun = () => there.names().filter((name) => name.startsWith('run_'))
    const set = (paused_for: 'request' | 'balance') =>
      db.updateTable('runs').set({ state: 'paused', paused_for }).where('id', '=', runId).execute()
    await set('request')
    await set('balance')
    await vi.waitFor(() => expect(ofRun()).toEqual(['run_unpaid']), 5_000)
    await db
      .updateTable('runs')
      .set({ state: 'completed', paused_for: null })
      .where('id', '=', runId)
      .execute()
    await vi.waitFor(() => expect(ofRun()).toEqual(['run_unpaid', 'run_paid']), 5_000)
  })

  it('report the new balance', async () => {
    const user = await aUser(chat.app)
    const there = await follow(user)
    const entry = { user_id: user.id, kind: 'top_up' as const, amount: 2.5 }
    await chat.app.deps.db.insertInto('ledger_entries').values(entry).execute()
    await vi.waitFor(() => expect(there.names()).toContain('balance_changed'), 5_000)
    expect(there.told().at(-1)).toMatchObject({ balance: expect.any(Number) })
  })

  it('never reach another user', async () => {
    const stranger = await aUser(chat.app)
    const [mine, theirs] = [await follow(chat.user), await follow(stranger)]
    await chat.aSession()
    await vi.waitFor(() => expect(mine.names()).toContain('session_created'), 5_000)
    await aSession(chat.app, stranger)
    await vi.waitFor(() => expect(theirs.names()).toEqual(['session_created']), 5_000)
  })
})

describe('a reader that reconnects with its last id', () => {
  it('gets every event exactly once, on another process too', async () => {
    const user = await aUser(chat.app)
    const first = await follow(user, { url: chat.url })
    const ids = []
    for (let n = 0; n < 3; n += 1) ids.push((await aSession(chat.app, user)).id)
    await vi.waitFor(() => expect(first.names()).toHaveLength(3), 5_000)
    first.leave()
    for (let n = 0; n < 3; n += 1) ids.push((await aSession(chat.app, user)).id)
    const back = await follow(user, { lastId: first.lastId() })
    expect(back.init.is_resumed).toBe(true)
    await vi.waitFor(() => expect(back.names()).toHaveLength(3), 5_000)
    const heard = [...first.told(), ...back.told()]
    expect(heard.map((event) => 'session_id' in event && event.session_id)).toEqual(ids)
  })

  it('gets a change that started before its last event and committed after it', async () => {
    const user = await aUser(chat.app)
    const [slow, quick] = [await aSession(chat.app, user), await aSession(chat.app, user)]
    const { db } = chat.app.deps
    const first = await follow(user)
    const trx = await db.startTransaction().execute()
    await trx.updateTable('sessions').set({ title: 'Slow' }).where('id', '=', slow.id).execute()
    await db.updateTable('sessions').set({ title: 'Quick' }).where('id', '=', quick.id).execute()
    await vi.waitFor(() => expect(first.told().at(-1)).toMatchObject({ title: 'Quick' }), 5_000)
    first.leave()
    await trx.commit().execute()
    const back = await follow(user, { lastId: first.lastId() })
    await vi.waitFor(() => expect(back.told()).toMatchObject([{ title: 'Slow' }]), 5_000)
  })

  it('receives a request to reload when the id is too old', async () => {
    const user = await aUser(chat.app)
    await aSession(chat.app, user)
    const first = await follow(user)
    first.leave()
    const { db } = chat.app.deps
    const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })
    await removeOldUserEvents({ db, clock: later(23) })
    const lastId = first.init.last_event_id
    expect((await follow(user, { lastId })).init).toMatchObject({ is_resumed: true })
    await removeOldUserEvents({ db, clock: later(25) })
    expect((await follow(user, { lastId })).init).toMatchObject({ is_resumed: false })
  })

  it('finds at most the newest 2,000 events', async () => {
    const user = await aUser(chat.app)
    const { id } = await aSession(chat.app, user)
    const { db, clock } = chat.app.deps
    const rows = Array.from({ length: 2_100 }, () => ({
      user_id: user.id,
      kind: 'session_deleted',
      data: `{"session_id":"${id}"}`,
    }))
    await db
      .insertInto('user_events')
      .values(rows as never)
      .execute()
    await removeOldUserEvents({ db, clock })
    const { count } = await db
      .selectFrom('user_events')
      .select((row) => row.fn.countAll().as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(2_000)
  })
})

it('a stream ends on every process when its sign-in ends', async () => {
  const user = await aUser(chat.app)
  const there = await follow(user)
  await fetch(`${chat.url}/token`, { method: 'DELETE', headers: user.headers })
  await there.until('unauthorized')
  await there.ended
})
