import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'
import { aReader } from '#tests/documents.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'
import { SIGNING_SECRET, signSlack, slackEvent } from '#tests/slack-app-server.ts'

const LEASE = 'The rent of the warehouse in Lyon is 4 200 euros a month.'
const WAIT = { timeout: 60_000 }
let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(async () => {
  // A channel of one test has other members in the next.
  await sql`update channel_places set members_read_at = null`.execute(db())
  on.slack.posts.length = 0
  on.slack.ephemerals.length = 0
  on.slack.fault = () => null
  on.slack.channels.clear()
  on.chat.model.requests.length = 0
  on.chat.model.forget()
  on.chat.model.always([says('It opens at nine.')])
})

const db = () => on.chat.app.deps.db
const events = async () =>
  (
    await sql<{ state: string; times: number; detail: string | null }>`
      select state, times, detail from channel_events where channel_id = ${on.channelId} order by received_at desc limit 20`.execute(
      db(),
    )
  ).rows
const told = (request: ModelRequest | undefined) => JSON.stringify(request?.messages)
const asked = () => told(on.chat.model.requests.at(-1))
const chatsOf = async (user = on.chat.user) => (await on.as(user, 'GET', '/sessions')).body.items
const atRest = () =>
  expect
    .poll(async () => (await events()).every(({ state }) => state === 'done' || state === 'failed'), WAIT)
    .toBe(true)

/** Adds a document of the asking person, which the company reads if it is shared. */
async function aLease(isShared: boolean): Promise<string> {
  const reader = await aReader(on.chat.app, on.chat.url, on.chat.user)
  const { body } = await reader.upload({
    name: `lease-${isShared}.txt`,
    content: `${LEASE} Number ${crypto.randomUUID()}.`,
  })
  await reader.processed(body.id)
  if (isShared)
    await sql`update documents set company_id = ${on.companyId} where id = ${body.id}`.execute(db())
  return body.id
}

/** Answers with the number of the lease in the prompt, if it is there. */
function citesLease() {
  on.chat.model.always((request) => {
    const [before = '', behind] = told(request).split(LEASE)
    const number = before.match(/\[\d+\] /g)?.at(-1)
    return behind === undefined || !number
      ? [says('I do not know the rent.')]
      : [says(`The rent is 4 200 euros ${number.trim()}.`)]
  })
}

describe('a mention in a channel of Slack', () => {
  it('is answered in its thread, which is a chat of the person who asked [CH-01]', async () => {
    await on.place(['C1'])
    const { event } = await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    expect(on.slack.posts[0]).toMatchObject({ channel: 'C1', thread_ts: event.ts })
    expect(asked()).toContain('You are the reception.')
    expect(asked()).toContain('When do you open?')
    const before = await chatsOf()
    expect(before).toHaveLength(1)
    const ts = '1800000000.1'
    await on.send(slackEvent({ ...event, type: 'message', ts, thread_ts: event.ts, text: 'And on Sundays?' }))
    await on.posted(2)
    expect(on.slack.posts[1]).toMatchObject({ channel: 'C1', thread_ts: event.ts })
    expect(asked()).toContain('And on Sundays?')
    expect(asked()).toContain('When do you open?')
    expect(await chatsOf()).toHaveLength(1)
    // Elsewhere in the channel, people talk among themselves.
    await on.send(slackEvent({ channel: 'C1', user: 'UASKER', type: 'message', text: 'Lunch?' }))
    await on.mention({ user: 'UBOT' })
    expect(await events()).toHaveLength(2)
  }, 60_000)

  it('is answered with citations as links to the viewer [CH-01]', async () => {
    const lease = await aLease(true)
    await on.place(['C1'], { documents: [lease] })
    citesLease()
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    const [text = ''] = await on.posted(1)
    const link = new RegExp(
      `The rent is 4 200 euros ?<(http://[^|]+/documents/${lease}\\?chunk=[0-9a-f-]{36})\\|\\[1\\]>`,
    )
    const [, url = ''] = link.exec(text) ?? []
    expect(url, text).not.toBe('')
    expect(text).toContain(`Sources:\n[1] <${url}|lease-true.txt>`)
  }, 60_000)

  it('says in one sentence when no assistant answers there', async () => {
    await on.place([])
    await on.mention({ channel: 'C9' })
    expect(await on.posted(1)).toEqual([
      'No assistant answers in this channel. An administrator of Atrium can choose one.',
    ])
    expect(on.chat.model.requests).toHaveLength(0)
  }, 60_000)

  it('is answered once, however often and in whatever form the event comes [CH-04]', async () => {
    await on.place(['C1'])
    const mention = await on.mention({})
    const again = { ...mention, event: { ...mention.event, type: 'message' }, event_id: 'EvOther' }
    await Promise.all([on.send(mention), on.send(mention), on.send(again)])
    await on.posted(1)
    await on.send(mention)
    await atRest()
    expect(on.slack.posts).toHaveLength(1)
    expect((await events())[0]).toMatchObject({ state: 'done', times: 5 })
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
    expect(JSON.stringify(await events())).not.toContain('hello')
    expect((await on.send(event, { secret: SIGNING_SECRET, at: at(-4 * minute) })).status).toBe(200)
    await on.posted(1)
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
    expect(await chatsOf(colleague)).toHaveLength(1)
  }, 60_000)

  it('gets what visitors of the assistant get when it is embedded [CH-02]', async () => {
    const [shared, own] = [await aLease(true), await aLease(false)]
    const assistant = await on.place(['C1'], { documents: [shared] })
    citesLease()
    const wish = { name: 'Site', origins: ['https://a.example'], days: 30, messages_a_day: 1 }
    expect((await on.chat.call('POST', `/assistants/${assistant}/embeds`, wish)).status).toBe(201)
    on.slack.people.push({ id: 'UGUEST', email: 'guest@other.example' })
    on.slack.channels.get('C1')?.members.push('UGUEST')
    const { event } = await on.mention({ user: 'UGUEST', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(1))[0]).toContain('The rent is 4 200 euros')
    expect(asked()).not.toContain(own)
    const { rows } = await sql<{ visitor_id: string | null }>`select s.visitor_id from channel_threads t
      join sessions s on s.id = t.session_id where t.root = ${event.ts}`.execute(db())
    expect(rows).toEqual([{ visitor_id: expect.any(String) }])
    await on.mention({ user: 'UGUEST' })
    expect((await on.posted(2))[1]).toBe('You have sent as many messages as are possible here in one day.')
  }, 60_000)
})

describe('what is read for a reply', () => {
  it('is only what all members of the channel may read, in a direct message what the person may read [CH-05]', async () => {
    const own = await aLease(false)
    await on.place(['C1', 'C2'], { documents: [own] })
    await on.member('UCOLLEAGUE')
    citesLease()
    // Alone in the channel.
    await on.mention({ channel: 'C1', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(1))[0]).toContain('The rent is 4 200 euros')
    // The colleague is on a later page of the members.
    on.slack.channels.get('C2')?.members.push('UBOT', 'UBOT', 'UBOT', 'UCOLLEAGUE')
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(2))[1]).toBe('I do not know the rent.')
    expect(asked()).not.toContain('4 200')
    await sql`update documents set company_id = ${on.companyId} where id = ${own}`.execute(db())
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(3))[2]).toContain('The rent is 4 200 euros')
    // A member without an account reads what visitors may read: nothing.
    on.slack.people.push({ id: 'UOTHER', email: 'other@other.example' })
    on.slack.channels.get('C2')?.members.push('UOTHER')
    await sql`update channel_places set members_read_at = now() - interval '61 seconds'`.execute(db())
    await on.mention({ channel: 'C2', text: '<@UBOT> What is the rent in Lyon?' })
    expect((await on.posted(4))[3]).toBe('I do not know the rent.')
  }, 120_000)

  it('counts in the product too, where the thread goes on [CH-05]', async () => {
    const own = await aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UREADER')
    on.slack.channels.get('C1')?.members.push('UREADER')
    citesLease()
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    await on.posted(1)
    const [{ id }] = await chatsOf()
    const askAgain = async () => {
      const stream = await on.chat.ask(id, 'What is the rent in Lyon?')
      await stream.ended
      return asked()
    }
    expect(await askAgain()).not.toContain('4 200')
    on.slack.people.push({ id: 'UGUEST2', email: 'guest2@other.example' })
    on.slack.channels.get('C1')?.members.push('UGUEST2')
    await sql`update channel_places set members_read_at = null`.execute(db())
    expect(await askAgain()).not.toContain('4 200')
    on.slack.channels.set('C1', { name: 'C1', members: ['UBOT', 'UASKER'] })
    await sql`update channel_places set members_read_at = null`.execute(db())
    expect(await askAgain()).toContain('4 200')
  }, 60_000)

  it('is checked again when the answer is made: who joins meanwhile and may not read it does not see it [CH-05]', async () => {
    const own = await aLease(false)
    await on.place(['C1'], { documents: [own] })
    await on.member('UJOINED')
    citesLease()
    const script = on.chat.model
    on.slack.fault = ({ path, body }) => {
      // The colleague joins while the model writes.
      if (path === '/api/conversations.members' && script.requests.length > 0 && body)
        on.slack.channels.get('C1')!.members = ['UBOT', 'UASKER', 'UJOINED']
      return null
    }
    await on.mention({ text: '<@UBOT> What is the rent in Lyon?' })
    const [text = ''] = await on.posted(1)
    expect(asked()).toContain('4 200')
    expect(text).toMatch(
      /^I cannot show this answer here: not everyone in this channel may read its sources\./,
    )
    expect(text).not.toContain('4 200')
  }, 60_000)

  it('is answered in a direct message with what the person may read', async () => {
    const own = await aLease(false)
    await on.place(['C1'])
    citesLease()
    on.slack.posts.length = 0
    const chats = await chatsOf()
    await on.mention({ channel: 'D1', channel_type: 'im', type: 'message', text: 'Say hello.' } as never)
    await on.posted(1)
    const [{ id }] = (await chatsOf()).filter(
      (one: { id: string }) => !chats.some((old: { id: string }) => old.id === one.id),
    )
    await on.chat.call('POST', `/sessions/${id}/documents/${own}`)
    const [first] = on.slack.posts
    const thread_ts = first!.thread_ts
    await on.mention({
      channel: 'D1',
      channel_type: 'im',
      type: 'message',
      thread_ts,
      text: 'What is the rent in Lyon?',
    } as never)
    expect((await on.posted(2))[1]).toContain('The rent is 4 200 euros')
  }, 60_000)
})

describe('a question of a run', () => {
  const buttons = (at = 0) =>
    on.slack.posts[at]?.blocks
      .find(({ type }) => type === 'actions')
      ?.elements.map((one: { text: { text: string } }) => one.text.text)
  const approvalNeeded = async () => {
    await on.chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('It is 42.')]
        : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
    )
  }

  it('is approved by a button, once, by the person it is for [CH-03]', async () => {
    await on.place(['C1'])
    await on.member('UMEDDLER')
    on.slack.channels.get('C1')?.members.push('UMEDDLER')
    await approvalNeeded()
    await on.mention({ text: '<@UBOT> What is 21 times 2?' })
    const [question = ''] = await on.posted(1)
    expect(question).toContain('"a": 21')
    expect(question).toContain(`For ${on.chat.user.username}.`)
    expect(buttons()).toEqual(['Approve', 'Decline'])
    await on.press('UMEDDLER')
    await expect
      .poll(() => on.slack.ephemerals, WAIT)
      .toMatchObject([{ channel: 'C1', user: 'UMEDDLER', text: 'This question is for someone else.' }])
    expect(on.slack.posts).toHaveLength(1)
    const asked = on.slack.posts[0]!
    const before = structuredClone(asked)
    await on.press('UASKER')
    expect((await on.posted(2))[1]).toBe('It is 42.')
    await expect.poll(() => buttons(), WAIT).toBeUndefined()
    expect(asked.text).toContain('Approved.')
    // A press that was already on its way.
    on.slack.posts[0] = { ...before, ts: before.ts }
    await on.press('UASKER', 1)
    await expect.poll(() => on.slack.ephemerals.map(({ text }) => text), WAIT).toContain('Answered.')
    await atRest()
    expect(on.slack.posts).toHaveLength(2)
  }, 90_000)

  it('that is answered in the product meanwhile loses its buttons [CH-03]', async () => {
    await on.place(['C1'])
    await approvalNeeded()
    await on.mention({ text: '<@UBOT> What is 21 times 2?' })
    await on.posted(1)
    const { body } = await on.chat.call('GET', '/input-requests')
    const [{ request }] = body.items
    const given = await on.chat.call(
      'POST',
      `/tool-executions/${request.tool.tool_execution_id}/provide-input`,
      {
        ...{ input: { approved: false }, input_type: 'json' },
      },
    )
    expect(given.status).toBe(200)
    await on.press('UASKER')
    await on.posted(2)
    await expect.poll(() => on.slack.posts[0]?.text, WAIT).toContain('Declined.')
    expect(buttons()).toBeUndefined()
    expect(on.slack.ephemerals).toMatchObject([{ user: 'UASKER', text: 'Answered.' }])
  }, 90_000)

  it('with an open answer takes the next message of the person as the answer, and of nobody else [CH-03]', async () => {
    await on.place(['C1'])
    await on.member('UTALKER')
    on.slack.channels.get('C1')?.members.push('UTALKER')
    on.chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? [says('Thank you.')]
        : [
            calls('ask_person', {
              prompt: 'Which city?',
              fields: [{ name: 'city', label: 'City', type: 'text' }],
            }),
          ],
    )
    const { event } = await on.mention({ text: '<@UBOT> Book a room.' })
    expect((await on.posted(1))[0]).toContain('Answer in this thread.')
    const reply = (user: string, text: string, ts: string) =>
      on.send(slackEvent({ channel: 'C1', type: 'message', user, text, ts, thread_ts: event.ts }))
    await reply('UTALKER', 'Paris', '1900000000.1')
    await reply('UASKER', 'Lyon', '1900000000.2')
    expect((await on.posted(2))[1]).toBe('Thank you.')
    // The other message is the next one of the chat.
    await on.posted(3)
    const [answered, next] = on.chat.model.requests.slice(-2).map(told)
    expect([answered?.includes('Lyon'), answered?.includes('Paris'), next?.includes('Paris')]).toEqual([
      true,
      false,
      true,
    ])
    await expect.poll(() => on.slack.posts[0]?.text, WAIT).toContain('Answered.')
  }, 90_000)
})
