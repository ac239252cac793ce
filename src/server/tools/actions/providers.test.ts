import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, askToAct, decide, runAlone } from '#tests/actions/acting.ts'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { emptyState, type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { keepAccount } from './accounts/personal-account-store.ts'

let world: ServiceWorld
let chat: Chat
beforeAll(async () => {
  world = await startServiceWorld()
  chat = await startChat({ app: { config: { ...serviceConfig(world), ATRIUM_TOOLS_PRIVATE: world.url } } })
})
afterAll(async () => {
  await chat.close()
  await world.close()
})
beforeEach(async () => {
  world.asked.length = 0
  world.state = emptyState()
  world.invites = true
  world.calendar = '/dav/ada/all/work/'
  await sql`delete from personal_accounts`.execute(chat.app.deps.db)
})

const connect = (kind: 'google' | 'microsoft' | 'jira' | 'caldav') =>
  keepTestAccount(chat.app, chat.user.id, kind, { services: world })
const resultOf = async (tool: string, inputs: object) => {
  const { result, error } = await runAlone(chat, tool, inputs)
  expect(error).toBeNull()
  return result
}
const act = async (tool: string, input: object) => {
  const drafted = await askToAct(chat, tool, input)
  const done = await approve(chat, drafted.execution)
  return { draft: drafted.request?.tool?.input, ...done }
}
const EVENT = {
  ...{ title: 'Review; of, lots', starts: '2026-12-01T10:00:00+01:00', ends: '2026-12-01T11:00:00+01:00' },
  ...{ place: 'Room 4', guests: ['bob@example.org'], body: 'Line one\nLine two' },
}
const RANGE = { from: '2026-12-01T00:00:00Z', to: '2026-12-02T00:00:00Z' }

describe.each(['google', 'microsoft'] as const)('the account of %s', (kind) => {
  beforeEach(() => connect(kind))

  it('finds, reads, answers and files mails [AC-01]', async () => {
    const { mails } = await resultOf('search_mail', { from: 'bob', subject: 'offer', since: '2026-11-01' })
    expect(mails).toMatchObject([{ id: 'm1', from: 'Bob <bob@example.org>', subject: 'Offer' }])
    const asked = decodeURIComponent(world.asked[0]?.call ?? '')
    expect(asked).toContain('from:')
    expect(asked).toMatch(kind === 'google' ? /after:2026\/11\/01/ : /received>=2026-11-01/)
    expect((await resultOf('read_mail', { id: 'm1' })).text).toBe('The offer is here.')
    const answered = await act('send_mail', { body: 'Yes.', reply_to: 'm1' })
    expect(answered.draft).toMatchObject({
      to: ['bob@example.org'],
      subject: 'Re: Offer',
      from: 'ada@example.com',
    })
    expect(world.state.sent).toMatchObject([{ to: ['bob@example.org'], subject: 'Re: Offer' }])
    expect((await act('file_mail', { mail: 'm1', folder: 'archive' })).error).toBeNull()
    expect(world.state.folders).toEqual([['m1', kind === 'google' ? 'Label_1' : 'f2']])
    expect((await act('file_mail', { mail: 'm1', folder: 'Nowhere' })).error).toContain('There is no')
  })

  it('creates events with invitations, and lists them [AC-01]', async () => {
    const { result } = await act('create_event', EVENT)
    expect(result).toMatchObject({ title: EVENT.title, guests: ['bob@example.org'], already: false })
    expect(world.state.events.map(([, { guests }]) => guests)).toEqual([['bob@example.org']])
    const { events } = await resultOf('list_events', RANGE)
    expect(events).toHaveLength(1)
    expect(Date.parse(kind === 'google' ? events[0].starts : `${events[0].starts}`)).toBe(
      Date.parse(EVENT.starts),
    )
  })

  it('sends once when the answer of the service is lost [AC-02]', async () => {
    const drafted = await askToAct(chat, 'send_mail', {
      to: ['bob@example.org'],
      subject: 'Hello',
      body: 'Hello',
    })
    let cuts = 0
    world.cuts = (point, call) => point === 'after' && /send$/.test(call) && cuts++ === 0
    const { result } = await approve(chat, drafted.execution)
    world.cuts = () => false
    expect([cuts, result.already, world.state.sent.length]).toEqual([1, true, 1])
  })
})

describe('an account that is replaced while a call is on its way', () => {
  it('asks the person what happened, instead of looking in the new one [AC-02]', async () => {
    await connect('google')
    const drafted = await askToAct(chat, 'create_event', EVENT)
    let isReplaced = false
    world.cuts = async (point, call) => {
      if (isReplaced || point !== 'after' || !/^POST .*\/events/.test(call)) return false
      isReplaced = true
      await sql`delete from personal_accounts`.execute(chat.app.deps.db)
      await connect('caldav')
      return true
    }
    expect((await decide(chat, drafted.execution, { approved: true })).status).toBe(200)
    const waiting = async () =>
      (await chat.call('GET', '/input-requests')).body.items.map(
        (one: { request: { kind: string } }) => one.request.kind,
      )
    await expect.poll(waiting, { timeout: 20_000 }).toContain('interrupted')
    world.cuts = () => false
    expect([isReplaced, world.state.events.length]).toEqual([true, 1])
    await decide(chat, drafted.execution, 'skip', 'text')
  })

  it('sends again when the person repeats the call, whatever the old one had prepared [AC-02]', async () => {
    await connect('google')
    const mail = { to: ['bob@example.org'], subject: 'Hello', body: 'Hello' }
    const drafted = await askToAct(chat, 'send_mail', mail)
    await sql`insert into outside_actions (execution_id, user_id, kind, handle, written_at)
      values (${drafted.execution}, ${chat.user.id}, 'imap', 'sending', now())`.execute(chat.app.deps.db)
    expect((await approve(chat, drafted.execution)).result).toMatchObject({ already: false })
    expect(world.state.sent).toHaveLength(1)
  })
})

describe('a calendar on a CalDAV server', () => {
  it('is found from the address of the server, and connected for its person [AC-01]', async () => {
    const settings = {
      address: 'ada@example.com',
      url: `${world.url}/dav/`,
      username: 'ada',
      password: 'sesame',
    }
    const made = await chat.call('PUT', '/personal-accounts/caldav', settings)
    expect([made.status, made.body.connected?.address]).toEqual([200, 'ada@example.com'])
    const wrong = await chat.call('PUT', '/personal-accounts/caldav', { ...settings, password: 'wrong' })
    expect([wrong.status, wrong.body.detail]).toEqual([422, expect.stringContaining('refuses the sign-in')])
    expect((await act('create_event', EVENT)).error).toBeNull()
    expect(world.asked.map(({ call }) => call).at(-1)).toMatch(
      /^PUT \/dav\/ada\/all\/work\/[0-9a-f-]{36}\.ics$/,
    )
  })

  it('is not connected when the server names one at another origin, or its address is not encrypted [AC-01]', async () => {
    const settings = { address: 'ada@example.com', username: 'ada', password: 'sesame' }
    const connectAt = (url: string) => chat.call('PUT', '/personal-accounts/caldav', { ...settings, url })
    const other = await startServiceWorld()
    world.calendar = `${other.url}/dav/ada/all/work/`
    const elsewhere = await connectAt(`${world.url}/dav/`)
    const named = `The calendar is at another address: ${other.url}. Enter its own.`
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([422, named])
    const plain = await connectAt('http://calendar.example.org/dav/')
    expect([plain.status, plain.body.detail]).toEqual([422, expect.stringContaining('address with https')])
    expect((await chat.call('GET', '/personal-accounts')).body.items[1].connected).toBeNull()
    expect(other.asked).toEqual([])
    await other.close()
  })

  it('does not get the password when its stored address is not encrypted', async () => {
    const url = 'http://calendar.example.org/dav/ada/all/work/'
    const stored = { address: 'ada@example.com', url, username: 'ada', password: 'sesame' }
    const sealed = chat.app.deps.secrets.seal(JSON.stringify(stored))
    const who = { userId: chat.user.id, kind: 'caldav' as const }
    await keepAccount(chat.app.deps.db, who, { address: stored.address, sealed, now: new Date() })
    expect((await runAlone(chat, 'list_events', RANGE)).error).toContain('address with https')
  })

  it('creates events with invitations, and lists what it stored [AC-01]', async () => {
    await connect('caldav')
    expect((await act('create_event', EVENT)).error).toBeNull()
    const [[, stored] = []] = world.state.events
    expect(stored?.guests).toEqual(['bob@example.org'])
    expect(stored?.text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const { events } = await resultOf('list_events', RANGE)
    expect(events).toMatchObject([
      {
        title: EVENT.title,
        starts: '2026-12-01T09:00:00Z',
        place: 'Room 4',
        text: EVENT.body,
        guests: ['bob@example.org'],
      },
    ])
  })

  it('refuses guests when its server invites no one', async () => {
    await connect('caldav')
    world.invites = false
    expect((await act('create_event', EVENT)).error).toContain('invites no one')
    expect((await act('create_event', { ...EVENT, guests: [] })).error).toBeNull()
    expect(world.state.events).toHaveLength(1)
  })
})

describe('a Jira account', () => {
  it('creates the ticket of the draft, and says why Jira refuses one [AC-01]', async () => {
    await connect('jira')
    const { result, draft } = await act('create_ticket', {
      project: 'HR',
      title: 'New laptop',
      body: 'One\nTwo',
    })
    expect(draft).toMatchObject({ account: 'ada@example.com', project: 'HR' })
    expect(result).toMatchObject({ id: 'HR-1', url: 'https://acme.atlassian.test/browse/HR-1' })
    expect((await act('create_ticket', { project: 'NONE', title: 'x' })).error).toContain(
      'valid project is required',
    )
    expect((await act('create_ticket', { project: 'A" OR 1', title: 'x' })).error).toContain(
      'is not the key of a project',
    )
    expect(world.state.tickets).toHaveLength(1)
  })
})
