import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany } from '#tests/builders.ts'
import { acceptTerms, someTerms } from '#tests/company-terms.ts'
import { type ConnectedSlack, connectSlack } from '#tests/connected-slack.ts'
import { slackEvent } from '#tests/slack-app-server.ts'

const WAIT = { timeout: 60_000 }
let on: ConnectedSlack
beforeAll(async () => {
  on = await connectSlack()
})
afterAll(() => on.close())
beforeEach(() => on.reset())
const db = () => on.chat.app.deps.db

type Stored = { id: string; state: string; detail: string | null; tries: number }
const eventsOf = async (sender: string): Promise<Stored[]> => {
  const { rows } = await sql<Stored>`select id, state, detail, tries from channel_events
    where sender = ${sender} order by received_at`.execute(db())
  return rows
}
const described = () => on.slack.calls('users.info')

describe('an event whose sender cannot be read', () => {
  it('fails when the service does not know them any more, and others are answered', async () => {
    await on.place(['C1'])
    await on.mention({ user: 'UGONE' })
    await expect.poll(() => eventsOf('UGONE'), WAIT).toMatchObject([{ state: 'failed' }])
    expect((await eventsOf('UGONE'))[0]?.detail).toContain('user_not_found')
    await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
  }, 60_000)

  it('is tried again while others are answered, and given up with the reason', async () => {
    await on.place(['C1'])
    on.slack.fault = ({ path, body }) =>
      path === '/api/users.info' && body.user === 'UODD' ? { json: { ok: true, user: {} } } : null
    await on.mention({ user: 'UODD' })
    await expect.poll(async () => (await eventsOf('UODD'))[0]?.tries, WAIT).toBeGreaterThan(0)
    expect((await eventsOf('UODD'))[0]?.state).toBe('waiting')
    await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    await sql`update channel_events set tries = 99, due_at = now() where sender = 'UODD'`.execute(db())
    await on.mention({})
    await expect.poll(async () => (await eventsOf('UODD'))[0]?.state, WAIT).toBe('failed')
    await expect
      .poll(() => on.slack.posts.map(({ text }) => text), WAIT)
      .toContain('Slack answers users.info in an unknown form.')
    await on.posted(3)
  }, 90_000)
})

describe('a thread', () => {
  const begin = async (user: string) => (await on.mention({ user })).event.ts
  const reply = (user: string, thread_ts: string) =>
    on.send(slackEvent({ channel: 'C1', type: 'message', user, thread_ts, text: 'And on Sundays?' }))
  const payers = async (root: string) => {
    const { rows } = await sql<{ user_id: string }>`select r.user_id from channel_events e
      join channel_threads t on t.id = e.thread_id and t.root = ${root}
      join runs r on r.user_message_id = e.user_message_id and r.parent_run_id is null order by e.received_at`.execute(
      db(),
    )
    return rows.map(({ user_id }) => user_id)
  }
  const leaves: [string, (id: string) => Promise<unknown>][] = [
    ['was deactivated', (id) => sql`update users set deactivated_at = now() where id = ${id}`.execute(db())],
    [
      'left the company',
      async (id) => {
        const elsewhere = await aCompany(on.chat.app)
        await sql`update company_members set company_id = ${elsewhere} where user_id = ${id}`.execute(db())
      },
    ],
    [
      'has not accepted the terms',
      async () => {
        await acceptTerms(on.chat.app, on.chat.user.id, await someTerms(on.chat.app, on.companyId))
      },
    ],
  ]
  it.each(leaves)(
    'is paid for by its next writer when the person who began it %s',
    async (_, leave) => {
      await on.place(['C1'])
      const sender = `U${crypto.randomUUID()}`
      const began = await on.member(sender)
      const root = await begin(sender)
      await on.posted(1)
      await reply('UASKER', root)
      await on.posted(2)
      expect(await payers(root)).toEqual([began.id, began.id])
      await leave(began.id)
      await reply('UASKER', root)
      await on.posted(3)
      expect((await payers(root))[2]).toBe(on.chat.user.id)
      await sql`delete from company_terms`.execute(db())
    },
    60_000,
  )

  it('answers at most a hundred messages of others a day at the expense of the person who began it', async () => {
    await on.place(['C1'])
    await on.member('UPAYS')
    const root = await begin('UPAYS')
    await on.posted(1)
    await reply('UASKER', root)
    await on.posted(2)
    await sql`insert into channel_events (channel_id, thread_id, kind, foreign_id, sender, state, user_message_id)
      select channel_id, thread_id, kind, foreign_id || n, sender, 'done', user_message_id
      from channel_events e, generate_series(1, 98) n where sender = 'UASKER'
        and thread_id = (select id from channel_threads where root = ${root})`.execute(db())
    await reply('UASKER', root)
    expect((await on.posted(3))[2]).toBe('It opens at nine.')
    await reply('UASKER', root)
    expect((await on.posted(4))[3]).toMatch(/^Others have asked as much as is possible in one day/)
    await reply('UPAYS', root)
    expect((await on.posted(5))[4]).toBe('It opens at nine.')
  }, 60_000)
})

describe('the members of a channel', () => {
  it('are waited for when the service asks to wait, and the mention is answered then', async () => {
    await on.place(['C1'])
    await on.member('UMANY')
    on.slack.channels.get('C1')?.members.push('UMANY')
    const refused = new Set<string>()
    on.slack.fault = ({ path, body }) => {
      const what = path === '/api/users.info' ? `${path} ${body.user}` : path
      if (!['/api/conversations.members', '/api/users.info UMANY'].includes(what) || refused.has(what))
        return null
      refused.add(what)
      return { status: 429, json: {}, headers: { 'retry-after': '1' } }
    }
    await on.mention({})
    expect(await on.posted(1)).toEqual(['It opens at nine.'])
    expect(refused.size).toBe(2)
  }, 60_000)

  it('are described only until the first without an account, and none of more than 200', async () => {
    await on.place(['C1', 'C2'])
    const ids = Array.from({ length: 60 }, (_, n) => `USTRANGE${n}`)
    on.slack.people.push(...ids.map((id) => ({ id, email: `${id}@other.example` })))
    on.slack.channels.get('C1')?.members.push(...ids)
    const many = Array.from({ length: 200 }, (_, n) => `UFAR${n}`)
    on.slack.channels.get('C2')?.members.push(...many)
    await on.mention({ channel: 'C1' })
    await on.posted(1)
    const before = described()
    expect(await eventsOf('USTRANGE0')).toEqual([])
    const { rows } = await sql<{ foreign_id: string; address: string | null; name: string }>`
      select foreign_id, address, name from channel_people where foreign_id like 'USTRANGE%'`.execute(db())
    expect(rows).toEqual([{ foreign_id: 'USTRANGE0', address: null, name: '' }])
    await on.mention({ channel: 'C2' })
    await on.posted(2)
    // The person who asks.
    expect(described() - before).toBe(1)
  }, 60_000)
})

it('leaves no empty chats of a stranger whose messages are refused', async () => {
  const assistant = await on.place(['C1'])
  const wish = { name: 'Site', origins: ['https://a.example'], days: 30, messages_a_day: 1 }
  expect((await on.chat.call('POST', `/assistants/${assistant}/embeds`, wish)).status).toBe(201)
  on.slack.people.push({ id: 'UGUEST', email: 'guest@other.example' })
  for (let n = 1; n <= 3; n += 1) {
    await on.mention({ user: 'UGUEST' })
    await on.posted(n)
  }
  const { rows } = await sql`select s.id from sessions s join channel_people p on p.visitor_id = s.visitor_id
    where p.foreign_id = 'UGUEST'`.execute(db())
  expect(rows).toHaveLength(1)
}, 60_000)

it('forgets a person with their account, also when the members are listed again', async () => {
  await on.place(['C1'])
  const person = await on.member('UERASED')
  on.slack.channels.get('C1')?.members.push('UERASED')
  const stored = async () => {
    const { rows } = await sql<{ address: string | null; user_id: string | null }>`
      select address, user_id from channel_people where foreign_id = 'UERASED'`.execute(db())
    return rows
  }
  await on.mention({})
  await on.posted(1)
  expect(await stored()).toEqual([{ address: person.email.toLowerCase(), user_id: person.id }])
  const erased = await on.as(person, 'POST', '/users/me/erasure', { email: person.email })
  expect(erased.status, JSON.stringify(erased.body)).toBe(202)
  expect(await stored()).toEqual([])
  await sql`update channel_places set members_read_at = null`.execute(db())
  await on.mention({})
  await on.posted(2)
  expect(await stored()).toEqual([{ address: null, user_id: null }])
}, 60_000)
