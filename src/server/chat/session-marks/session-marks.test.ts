import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'

let chat: Chat
const leaving: (() => void)[] = []
beforeAll(async () => {
  chat = await startChat()
})
afterAll(async () => {
  for (const leave of leaving) leave()
  await chat.close()
})

type Marked = {
  session_id: string
  pin_position: number | null
  is_archived: boolean
  is_unread: boolean
  tags: string[]
}

/** Returns a person with calls of their own. */
async function aPerson() {
  const user = await aUser(chat.app)
  const call = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) => {
    const asked = { method, url: `/api/v1${path}`, headers: user.headers, ...(payload && { payload }) }
    const answer = await chat.app.http.inject(asked)
    return { status: answer.statusCode, body: answer.json() }
  }
  const mark = (...items: object[]) => call('PUT', '/session-marks', { items })
  const titles = async (query = '') =>
    (await call('GET', `/sessions${query}`)).body.items.map(({ title }: { title: string }) => title)
  const pins = async () => (await call('GET', '/sessions')).body.pinned.map(({ id }: { id: string }) => id)
  const chats = async (...names: string[]) => {
    const ids: string[] = []
    for (const title of names) ids.push((await aSession(chat.app, user, { title })).id)
    return ids
  }
  return { ...user, user, call, mark, titles, pins, chats }
}

/** Opens the stream of a person's events, as another browser does. */
async function follow(user: Pick<TestUser, 'headers'>) {
  const stream = await openStream(`${chat.url}/users/me/events`, { headers: user.headers })
  leaving.push(stream.leave)
  await stream.until('user_stream_init')
  return (event: string) =>
    stream.wire.filter((one) => one.event === event).map(({ data }) => JSON.parse(data) as Marked)
}

describe('pins', () => {
  it('keeps up to 32 chats in the order the person gives them, in every browser [OC-01]', async () => {
    const person = await aPerson()
    const ids = await person.chats(...Array.from({ length: 33 }, (_, at) => `Chat ${at}`))
    const told = await follow(person)
    const first = ids.slice(0, 32)
    const { status, body } = await person.mark(
      ...first.map((session_id) => ({ session_id, is_pinned: true })),
    )
    expect(status).toBe(200)
    expect(body.items.map((one: Marked) => one.session_id)).toEqual(first)
    expect(await person.pins()).toEqual(first)
    const more = await person.mark({ session_id: ids[32], is_pinned: true })
    expect(more).toMatchObject({ status: 409, body: { detail: 'You can pin 32 chats. Unpin one first.' } })
    expect(await person.pins()).toEqual(first)
    const moved = [first[31], ...first.slice(0, 31)]
    const ordered = await person.call('PUT', '/session-marks/pins', { session_ids: moved })
    expect(ordered.body.session_ids).toEqual(moved)
    expect(await person.pins()).toEqual(moved)
    const positions = () => new Map(told('session_marked').map((one) => [one.session_id, one.pin_position]))
    await vi.waitFor(() => {
      const seen = positions()
      expect([...first].sort((a, b) => (seen.get(a) ?? 99) - (seen.get(b) ?? 99))).toEqual(moved)
    }, 5_000)
    await person.mark({ session_id: moved[0], is_pinned: false })
    expect((await person.mark({ session_id: ids[32], is_pinned: true })).status).toBe(200)
    expect(await person.pins()).toEqual([...moved.slice(1), ids[32]])
  })

  it('orders named pins first and ignores chats that are not pinned', async () => {
    const person = await aPerson()
    const [a, b, c, other] = await person.chats('A', 'B', 'C', 'Other')
    await person.mark(...[a, b, c].map((session_id) => ({ session_id, is_pinned: true })))
    await person.call('PUT', '/session-marks/pins', { session_ids: [c, other, c] })
    expect(await person.pins()).toEqual([c, a, b])
  })

  it('pins at most 32 chats when several browsers pin at the same time', async () => {
    const person = await aPerson()
    const ids = await person.chats(...Array.from({ length: 40 }, (_, at) => `Chat ${at}`))
    const all = await Promise.all(ids.map((session_id) => person.mark({ session_id, is_pinned: true })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(32)
    expect(await person.pins()).toHaveLength(32)
  })
})

describe('archive', () => {
  it('hides archived chats from the list, finds them by search and restores them [OC-02]', async () => {
    const person = await aPerson()
    const [lease, spend] = await person.chats('Lyon lease', 'Supplier spend')
    await person.mark({ session_id: lease, is_pinned: true })
    await person.mark({ session_id: lease, is_archived: true })
    expect((await person.call('GET', '/sessions')).body).toMatchObject({ total: 1, pinned: [] })
    expect(await person.titles()).toEqual(['Supplier spend'])
    expect(await person.titles('?archived=true')).toEqual(['Lyon lease'])
    const found = (await person.call('GET', '/sessions?q=lease')).body
    expect(found.items).toMatchObject([{ id: lease, is_archived: true, pin_position: null }])
    expect((await person.call('GET', `/sessions/${lease}`)).body.is_archived).toBe(true)
    expect(await person.titles('?q=spend&archived=true')).toEqual([])
    await person.mark({ session_id: lease, is_archived: false })
    expect((await person.titles()).sort()).toEqual(['Lyon lease', 'Supplier spend'])
    expect(await person.titles('?archived=true')).toEqual([])
    expect(spend).toBeTruthy()
  })

  it('never reuses an archived empty chat for a new one', async () => {
    const person = await aPerson()
    const open = async () => (await person.call('POST', '/sessions', { reuse_empty: true })).body.id
    const first = await open()
    expect(await open()).toBe(first)
    await person.mark({ session_id: first, is_archived: true })
    expect(await open()).not.toBe(first)
  })
})

describe('tags', () => {
  it('filters the history by one tag or several, and lists the tags in use [OC-03]', async () => {
    const person = await aPerson()
    const [a, b, c] = await person.chats('A', 'B', 'C')
    await person.mark(
      { session_id: a, add_tags: ['Achats', 'FR', 'Achats', ' FR '] },
      { session_id: b, add_tags: ['Achats'] },
      { session_id: c, add_tags: ['Baux & co'] },
    )
    expect((await person.titles('?tags=Achats')).sort()).toEqual(['A', 'B'])
    expect(await person.titles('?tags=Achats,FR')).toEqual(['A'])
    expect(await person.titles(`?tags=${encodeURIComponent('Baux & co')}`)).toEqual(['C'])
    expect((await person.call('GET', '/sessions?tags=FR')).body).toMatchObject({ total: 1 })
    expect((await person.call('GET', '/session-marks/tags')).body.items).toEqual([
      { tag: 'Achats', count: 2 },
      { tag: 'Baux & co', count: 1 },
      { tag: 'FR', count: 1 },
    ])
    await person.mark({ session_id: c, is_archived: true }, { session_id: b, remove_tags: ['Achats'] })
    const left = (await person.call('GET', '/session-marks/tags')).body.items
    expect(left.map(({ tag }: { tag: string }) => tag)).toEqual(['Achats', 'FR'])
  })

  it.each([[['a,b']], [['']], [['x'.repeat(31)]], [Array.from({ length: 21 }, (_, at) => `t${at}`)]])(
    'refuses tags that are empty, too long, too many or hold a comma',
    async (tags) => {
      const person = await aPerson()
      const [session_id] = await person.chats('A')
      expect((await person.mark({ session_id, add_tags: tags })).status).toBe(422)
    },
  )
})

describe('concurrent tags', () => {
  it('adds and removes tags without replacing those that another browser set', async () => {
    const person = await aPerson()
    const [session_id] = await person.chats('A')
    await Promise.all(['a', 'b', 'c'].map((tag) => person.mark({ session_id, add_tags: [tag] })))
    const { body } = await person.mark(
      { session_id, add_tags: ['d', 'e'], remove_tags: ['a'] },
      { session_id, add_tags: ['a'], remove_tags: ['e', 'b'] },
    )
    expect(body.items[0].tags.sort()).toEqual(['a', 'c', 'd'])
  })

  it('refuses a 21st tag and keeps the others', async () => {
    const person = await aPerson()
    const [session_id] = await person.chats('A')
    const add_tags = Array.from({ length: 20 }, (_, at) => `t${at}`)
    expect((await person.mark({ session_id, add_tags })).status).toBe(200)
    const more = await person.mark({ session_id, add_tags: ['t19', 'more'] })
    expect(more).toMatchObject({
      status: 409,
      body: { detail: 'A chat can have 20 tags. Remove one first.' },
    })
    expect((await person.mark({ session_id, add_tags: ['t3'] })).body.items[0].tags).toEqual(add_tags)
  })
})

describe('unread', () => {
  it('marks a chat unread in every browser after a reply, until it is opened', async () => {
    const told = await follow(chat.user)
    const id = await chat.aSession()
    chat.model.reply([says('Hello')])
    await (await chat.ask(id, 'Hi')).ended
    const isUnread = async () => (await chat.call('GET', `/sessions/${id}`)).body.is_unread
    await vi.waitFor(async () => expect(await isUnread()).toBe(true))
    const said = () => told('session_changed').filter((one) => one.session_id === id)
    await vi.waitFor(() => expect(said().at(-1)?.is_unread).toBe(true), 5_000)
    await chat.call('PUT', '/session-marks', { items: [{ session_id: id, is_unread: false }] })
    expect(await isUnread()).toBe(false)
    const marked = () => told('session_marked').filter((one) => one.session_id === id)
    await vi.waitFor(() => expect(marked().at(-1)?.is_unread).toBe(false), 5_000)
    await chat.call('PATCH', `/sessions/${id}/rename`, { title: 'Minutes' })
    expect(await isUnread()).toBe(false)
    await vi.waitFor(() => expect(said().at(-1)).toMatchObject({ title: 'Minutes', is_unread: false }), 5_000)
    chat.model.reply([says('Again')])
    await (await chat.ask(id, 'Once more')).ended
    await vi.waitFor(async () => expect(await isUnread()).toBe(true))
    await chat.call('PUT', '/session-marks', { items: [{ session_id: id, is_unread: false }] })
    await chat.call('PUT', '/session-marks', { items: [{ session_id: id, is_unread: true }] })
    expect(await isUnread()).toBe(true)
  })

  it('marks a chat unread when its run asks a question', async () => {
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', { a: 21, b: 2, operation: 'multiply' })], [says('It is 42.')])
    await (await chat.ask(id, 'Go')).ended
    const asked = async () => (await chat.call('GET', `/sessions/${id}`)).body
    await vi.waitFor(async () =>
      expect(await asked()).toMatchObject({ agent_status: 'paused', is_unread: true }),
    )
    await chat.call('PUT', '/session-marks', { items: [{ session_id: id, is_unread: false }] })
    expect(await asked()).toMatchObject({ agent_status: 'paused', is_unread: false })
  })

  it('starts as read and can be marked unread without any reply', async () => {
    const person = await aPerson()
    const [session_id] = await person.chats('A')
    const isUnread = async () => (await person.call('GET', '/sessions')).body.items[0].is_unread
    expect(await isUnread()).toBe(false)
    await person.mark({ session_id, is_unread: true })
    expect(await isUnread()).toBe(true)
  })
})

describe('marks', () => {
  it('belong to one person and never reach chats of others', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()]
    const [hers] = await owner.chats('Hers')
    const [his] = await stranger.chats('His')
    expect((await stranger.mark({ session_id: hers, is_archived: true })).status).toBe(404)
    const mixed = await stranger.mark(
      { session_id: hers, is_archived: true },
      { session_id: his, add_tags: ['x'] },
    )
    expect(mixed.body.items.map((one: Marked) => one.session_id)).toEqual([his])
    expect(await owner.titles()).toEqual(['Hers'])
  })

  it('keep the values that a change does not name', async () => {
    const person = await aPerson()
    const [session_id] = await person.chats('A')
    await person.mark({ session_id, is_pinned: true, add_tags: ['x'], is_unread: true })
    const { body } = await person.mark({ session_id, is_unread: false })
    expect(body.items).toEqual([
      { session_id, pin_position: expect.any(Number), is_archived: false, is_unread: false, tags: ['x'] },
    ])
  })
})
