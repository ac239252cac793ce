import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'
import { SIGNING_SECRET, signSlack, slackEvent } from '#tests/slack-app-server.ts'

const WAIT = { timeout: 60_000 }
let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(() => on.reset())
const db = () => on.chat.app.deps.db

describe('a mention in a channel of Slack', () => {
  it('is answered in its thread, which is a chat of the person who asked [CH-01]', async () => {
    await on.place(['C1'])
    const { event } = await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    expect(on.slack.posts[0]).toMatchObject({ channel: 'C1', thread_ts: event.ts, fetchesMedia: false })
    expect(on.asked()).toContain('You are the reception.')
    expect(on.asked()).toContain('When do you open?')
    const before = await on.chatsOf()
    expect(before).toHaveLength(1)
    const ts = '1800000000.1'
    await on.send(slackEvent({ ...event, type: 'message', ts, thread_ts: event.ts, text: 'And on Sundays?' }))
    await on.posted(2)
    expect(on.slack.posts[1]).toMatchObject({ channel: 'C1', thread_ts: event.ts })
    expect(on.asked()).toContain('And on Sundays?')
    expect(on.asked()).toContain('When do you open?')
    expect(await on.chatsOf()).toHaveLength(1)
    // Elsewhere in the channel, people talk among themselves.
    await on.send(slackEvent({ channel: 'C1', user: 'UASKER', type: 'message', text: 'Lunch?' }))
    await on.mention({ user: 'UBOT' })
    expect(await on.events()).toHaveLength(2)
  }, 60_000)

  it('is answered with citations as links to the viewer [CH-01]', async () => {
    const lease = await on.aLease(true)
    await on.place(['C1'], { documents: [lease] })
    on.citesLease()
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    const [text = ''] = await on.posted(1)
    const link = new RegExp(
      `The rent is 4 200 euros ?<(http://[^|]+/documents/${lease}\\?chunk=[0-9a-f-]{36})\\|\\[1\\]>`,
    )
    const [, url = ''] = link.exec(text) ?? []
    expect(url, text).not.toBe('')
    expect(text).toContain(`Sources:\n[1] <${url}|lease-true.txt>`)
  }, 60_000)

  it('says in one sentence when no assistant answers there, and lets people talk on', async () => {
    await on.place([])
    const { event } = await on.mention({ channel: 'C9' })
    expect(await on.posted(1)).toEqual([
      'No assistant answers in this channel. An administrator of Atrium can choose one.',
    ])
    expect(on.chat.model.requests).toHaveLength(0)
    const talk = { channel: 'C9', type: 'message', user: 'UASKER', thread_ts: event.ts }
    await on.send(slackEvent({ ...talk, text: 'Then we ask Ada.' }))
    await on.mention({ channel: 'C9', thread_ts: event.ts })
    await on.posted(2)
    await on.atRest()
    expect(on.slack.posts).toHaveLength(2)
  }, 60_000)

  it('is silent in its thread while no assistant answers there, and continues it afterwards', async () => {
    await on.place(['C1'])
    const { event } = await on.mention({})
    await on.posted(1)
    const talk = { channel: 'C1', type: 'message', user: 'UASKER', thread_ts: event.ts }
    await on.place([])
    await on.send(slackEvent({ ...talk, text: 'Thank you.' }))
    await on.place(['C1'])
    await on.send(slackEvent({ ...talk, text: 'And on Sundays?' }))
    expect(await on.posted(2)).toEqual(['It opens at nine.', 'It opens at nine.'])
    expect(on.asked()).not.toContain('Thank you.')
    await on.atRest()
    expect(on.slack.posts).toHaveLength(2)
  }, 60_000)

  it('is answered once, however often and in whatever form the event comes [CH-04]', async () => {
    await on.place(['C1'])
    const mention = await on.mention({})
    const again = { ...mention, event: { ...mention.event, type: 'message' }, event_id: 'EvOther' }
    await Promise.all([on.send(mention), on.send(mention), on.send(again)])
    await on.posted(1)
    await on.send(mention)
    await on.atRest()
    expect(on.slack.posts).toHaveLength(1)
    expect((await on.events())[0]).toMatchObject({ state: 'done', times: 5 })
    expect(on.chat.model.requests).toHaveLength(1)
  }, 60_000)

  it('finds what was posted when it was interrupted after Slack had it, and posts what was not [CH-04]', async () => {
    await on.place(['C1'])
    let isCut = true
    on.slack.fault = ({ path }) => {
      if (path !== '/api/chat.postMessage' || !isCut) return null
      isCut = false
      return { status: 500, json: {} }
    }
    // The first attempt ends without an answer: Slack has the message in one case, and has not in the other.
    const { event } = await on.mention({})
    await expect.poll(() => isCut, WAIT).toBe(false)
    const started = await sql<{
      id: string
    }>`select id from channel_posts where state = 'started' and channel_id = ${on.channelId}`.execute(db())
    const [{ id } = { id: '' }] = started.rows
    const metadata = { event_payload: { id } }
    const arrived = {
      channel: 'C1',
      ts: '9.9',
      thread_ts: event.ts,
      text: 'It opens at nine.',
      blocks: [],
      metadata,
      edits: 0,
    }
    on.slack.posts.push(arrived)
    await expect
      .poll(
        async () =>
          (await sql<{ state: string }>`select state from channel_posts where id = ${id}`.execute(db()))
            .rows[0]?.state,
        WAIT,
      )
      .toBe('posted')
    expect(on.slack.posts).toEqual([arrived])
    isCut = true
    await on.mention({})
    await expect.poll(() => isCut, WAIT).toBe(false)
    await on.posted(2)
  }, 120_000)

  it('waits as long as Slack asks for', async () => {
    await on.place(['C1'])
    let refusals = 0
    on.slack.fault = ({ path }) =>
      path === '/api/chat.postMessage' && refusals++ === 0
        ? { status: 429, json: {}, headers: { 'retry-after': '3' } }
        : null
    await on.mention({})
    await expect.poll(() => refusals, WAIT).toBe(1)
    const asked = performance.now()
    await on.posted(1)
    expect(performance.now() - asked).toBeGreaterThan(2_000)
    expect(refusals).toBe(2)
  }, 60_000)
})

describe('an event', () => {
  it('is refused without a signature of the last five minutes over its very bytes', async () => {
    await on.place(['C1'])
    const event = slackEvent({ channel: 'C1', user: 'UASKER', text: '<@UBOT> hello' })
    const minute = 60_000
    const at = (ms: number) => new Date(Date.now() + ms)
    for (const signed of [{ secret: 'another' }, { at: at(-6 * minute) }, { at: at(6 * minute) }]) {
      const { status, body } = await on.send(event, signed)
      expect([status, body.code]).toEqual([401, 'wrong_credentials'])
    }
    const body = JSON.stringify(event)
    const url = `${on.chat.url}/channels/${on.channelId}/slack/events`
    const headers = { 'content-type': 'application/json', ...signSlack(body) }
    expect((await fetch(url, { method: 'POST', headers, body: `${body} ` })).status).toBe(401)
    const elsewhere = url.replace(on.channelId, crypto.randomUUID())
    expect((await fetch(elsewhere, { method: 'POST', headers, body })).status).toBe(401)
    expect(JSON.stringify(await on.events())).not.toContain('hello')
    expect((await on.send(event, { secret: SIGNING_SECRET, at: at(-4 * minute) })).status).toBe(200)
    await on.posted(1)
  }, 60_000)

  it('is stored however many forged ones come from the same network', async () => {
    await on.place(['C1'])
    await sql`delete from rate_limits`.execute(db())
    const forged = slackEvent({ channel: 'C1', user: 'UASKER', text: '<@UBOT> forged' })
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1) statuses.push((await on.send(forged, { secret: 'another' })).status)
    expect(statuses).toEqual([...Array(30).fill(401), 429])
    await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    await sql`delete from rate_limits`.execute(db())
  }, 60_000)

  it('of a new address is answered with its challenge', async () => {
    const { body } = await on.send({ type: 'url_verification', challenge: 'abc' })
    expect(body).toEqual({ challenge: 'abc' })
  })
})

describe('the person who asks', () => {
  it('gets nothing but one sentence unless Slack confirmed the address of an account of the company [CH-02]', async () => {
    await on.place(['C1'])
    const elsewhere = await aUser(on.chat.app, { role: 'member' })
    const unproved = await aUser(on.chat.app, { role: 'member', companyId: on.companyId, verified: false })
    const colleague = await on.member('UCONFIRMED')
    on.slack.people.push(
      { id: 'USTRANGER', email: 'stranger@other.example' },
      { id: 'UELSEWHERE', email: elsewhere.email },
      { id: 'UUNPROVED', email: unproved.email },
      { id: 'UCLAIMS', email: colleague.email, isConfirmed: false },
      { id: 'UFOREIGN', email: colleague.email, team: 'T2' },
    )
    const refused = 'I cannot answer you: no account here has your verified address.'
    const strangers = ['USTRANGER', 'UELSEWHERE', 'UUNPROVED', 'UCLAIMS', 'UFOREIGN']
    for (const user of strangers) await on.mention({ user })
    expect(await on.posted(strangers.length)).toEqual(strangers.map(() => refused))
    expect(on.chat.model.requests).toHaveLength(0)
    await on.mention({ user: 'UCONFIRMED' })
    expect((await on.posted(strangers.length + 1)).at(-1)).toBe('It opens at nine.')
    expect(await on.chatsOf(colleague)).toHaveLength(1)
  }, 60_000)

  it('gets what visitors of the assistant get when it is embedded [CH-02]', async () => {
    const [shared, own] = [await on.aLease(true), await on.aLease(false)]
    const assistant = await on.place(['C1'], { documents: [shared] })
    on.citesLease()
    const wish = { name: 'Site', origins: ['https://a.example'], days: 30, messages_a_day: 1 }
    expect((await on.chat.call('POST', `/assistants/${assistant}/embeds`, wish)).status).toBe(201)
    on.slack.people.push({ id: 'UGUEST', email: 'guest@other.example' })
    on.slack.channels.get('C1')?.members.push('UGUEST')
    const { event } = await on.mention({ user: 'UGUEST', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(1))[0]).toContain('The rent is 4 200 euros')
    expect(on.asked()).not.toContain(own)
    const { rows } = await sql<{ visitor_id: string | null }>`select s.visitor_id from channel_threads t
      join sessions s on s.id = t.session_id where t.root = ${event.ts}`.execute(db())
    expect(rows).toEqual([{ visitor_id: expect.any(String) }])
    await on.mention({ user: 'UGUEST' })
    expect((await on.posted(2))[1]).toBe('You have sent as many messages as are possible here in one day.')
  }, 60_000)
})
