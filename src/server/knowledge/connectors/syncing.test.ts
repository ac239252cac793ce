import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { closeToAll, openToAll } from '#tests/grants.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import { addSources } from './connectors.ts'
import { ItemRefused, SignedOut, SourceBusy } from './define-connector.ts'

const scripted = aScriptedSource()
const other = aScriptedSource('other')
let app: TestApp
let ada: Reader
let bob: Reader
let carl: Reader
let company: string
beforeAll(async () => {
  addSources([scripted.source, other.source])
  app = await startApp({ config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
  carl = await aReader(app, base, await aUser(app, { role: 'member', companyId: company, verified: false }))
})
afterAll(async () => {
  addSources([])
  await app.close()
})
beforeEach(() => {
  for (const one of [scripted, other]) {
    one.items.clear()
    one.reads.clear()
    one.members = []
    one.before = () => undefined
  }
})

const settings = { password: 'sesame' }
const connectScripted = (more = {}) => connect(ada, company, { source: 'scripted', settings, ...more })
const keyOf = ({ user }: Reader) => `user:${user.email}`
const idOf = async (connector: string, path: string) =>
  (await documentsOf(app, connector)).find((one) => one.path === path)?.id ?? ''
const statusOf = async (who: Reader, id: string) => (await who.call('GET', `/documents/${id}`)).status

describe('mirrored rights', () => {
  const aMirrored = async () => {
    scripted.items.set('both.txt', {
      text: 'The pumps are green.',
      readers: [keyOf(bob), keyOf(ada), keyOf(carl)],
    })
    scripted.items.set('board.txt', { text: 'The board meets in secret.', readers: ['group:board'] })
    scripted.items.set('open.txt', { text: 'A file without readers.' })
    const { id } = await connectScripted({ rights: 'mirrored' })
    await synced(ada, id)
    return id
  }

  it('give items to people with a verified address and to members of groups, and to no one else', async () => {
    const id = await aMirrored()
    const [both, board, open] = [
      await idOf(id, 'both.txt'),
      await idOf(id, 'board.txt'),
      await idOf(id, 'open.txt'),
    ]
    const seen = async (who: Reader) => [
      await statusOf(who, both),
      await statusOf(who, board),
      await statusOf(who, open),
    ]
    expect(await seen(bob)).toEqual([200, 403, 403])
    expect(await seen(ada)).toEqual([200, 403, 403])
    expect(await seen(carl)).toEqual([403, 403, 403])
    scripted.members = [{ group_key: 'group:board', address: bob.user.email.toUpperCase() }]
    await syncNow(ada, id)
    expect(await seen(bob)).toEqual([200, 200, 403])
    scripted.members = []
    scripted.items.set('both.txt', { text: 'The pumps are green.', readers: [keyOf(ada)] })
    await syncNow(ada, id)
    expect(await seen(bob)).toEqual([403, 403, 403])
  })

  it('hold in lists, searches and searches in words', async () => {
    const id = await aMirrored()
    const board = await idOf(id, 'board.txt')
    await expect
      .poll(
        async () => {
          const { rows } =
            await sql`select from documents where connector_id = ${id} and status <> 'completed'`.execute(
              app.deps.db,
            )
          return rows.length
        },
        { timeout: 30_000 },
      )
      .toBe(0)
    const find = async (who: Reader) => {
      const found = await who.call('POST', '/search_and_rerank/search_and_rerank', {
        query: 'board meets in secret',
      })
      const list = await who.call('GET', '/documents?q=board')
      const state = await who.call('GET', '/documents/state')
      return JSON.stringify([found.body, list.body, state.body]).includes(board)
    }
    expect(await find(bob)).toBe(false)
    expect(await find(ada)).toBe(false)
    scripted.members = [{ group_key: 'group:board', address: bob.user.email }]
    await syncNow(ada, id)
    expect(await find(bob)).toBe(true)
    expect(await find(ada)).toBe(false)
  })

  it('count for 24 hours when the source cannot be asked, then items are hidden from everyone', async () => {
    const id = await aMirrored()
    const both = await idOf(id, 'both.txt')
    scripted.before = () => {
      throw new AppError('unavailable', 'The source is away.')
    }
    await syncNow(ada, id)
    const setAge = (hours: number) =>
      sql`update connectors set rights_read_at = now() - make_interval(mins => ${hours * 60}) where id = ${id}`.execute(
        app.deps.db,
      )
    await setAge(23.9)
    expect(await statusOf(bob, both)).toBe(200)
    await setAge(24.1)
    expect([await statusOf(bob, both), await statusOf(ada, both)]).toEqual([403, 403])
    scripted.before = () => undefined
    await syncNow(ada, id)
    expect(await statusOf(bob, both)).toBe(200)
  })

  it('cannot be bypassed by keeping the documents of a removed connector', async () => {
    const id = await aMirrored()
    const { status } = await ada.call('POST', `/connectors/${id}/remove`, { documents: 'keep' })
    expect(status).toBe(409)
  })
})

describe('a source with limits', () => {
  it('is left alone as long as it asks, by all connectors of its host [CN-11]', async () => {
    for (let at = 0; at < 6; at += 1) scripted.items.set(`n${at}.txt`, { text: `Number ${at}` })
    other.items.set('o.txt', { text: 'Other' })
    const host = { ...settings, host: 'files.example' }
    const neighbour = await connect(ada, company, { source: 'other', settings: host })
    await synced(ada, neighbour.id)
    let until = 0
    const asked: number[] = []
    scripted.before = ({ kind }) => {
      if (kind === 'check') return
      asked.push(Date.now())
      if (until > 0 || kind !== 'read') return
      until = Date.now() + 2_000
      throw new SourceBusy(2)
    }
    other.before = () => void asked.push(Date.now())
    const { id } = await connectScripted({ settings: host })
    const isWaiting = async () => {
      const { rows } =
        await sql`select from connectors where host = 'files.example' and wait_until > now()`.execute(
          app.deps.db,
        )
      return rows.length
    }
    await expect.poll(isWaiting).toBe(2)
    const begun = asked.length
    await ada.call('POST', `/connectors/${neighbour.id}/sync`)
    await sleep(1_000)
    expect([asked.length, Date.now() < until]).toEqual([begun, true])
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 6, refused: 0 })
    await syncNow(ada, neighbour.id)
    expect(asked.length).toBeGreaterThan(begun)
  })

  it('does not delay others when it is slow [CN-11]', async () => {
    scripted.items.set('slow.txt', { text: 'Slow' })
    other.items.set('fast.txt', { text: 'Fast' })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    scripted.before = ({ kind }) => (kind === 'read' ? held : undefined)
    const slow = await connectScripted()
    const fast = await connect(ada, company, { source: 'other', settings })
    expect(await synced(ada, fast.id)).toMatchObject({ state: 'ready', read: 1 })
    expect((await ada.call('GET', `/connectors/${slow.id}`)).body.state).toBe('working')
    release()
    expect(await synced(ada, slow.id)).toMatchObject({ state: 'ready', read: 1 })
  })

  it('lists an item that it does not deliver, and reads the others', async () => {
    scripted.items.set('a.txt', { text: 'A' })
    scripted.items.set('bad.txt', { text: 'Bad' })
    scripted.before = ({ kind, id }) => {
      if (kind === 'read' && id === 'bad.txt') throw new AppError('unavailable', 'The source fails.')
    }
    const { id } = await connectScripted()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 1, refused: 1 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([
      { path: 'bad.txt', state: 'refused', reason: 'unavailable', detail: 'The source fails.' },
    ])
    scripted.before = () => undefined
    await ada.call('POST', `/connectors/${id}/items/${body.items[0].id}/retry`)
    expect(await synced(ada, id)).toMatchObject({ read: 2, refused: 0 })
  })
})

describe('items that cannot be read', () => {
  it('are listed with the reason and read again one by one [CN-12]', async () => {
    scripted.items.set('broken.pdf', { text: '%PDF-1.7 broken' })
    scripted.items.set('good.txt', { text: 'Good' })
    scripted.items.set('large.txt', { text: 'Large', size: 10 ** 12 })
    scripted.items.set('locked.txt', { text: 'Locked' })
    scripted.before = ({ kind, id }) => {
      if (kind === 'read' && id === 'locked.txt') throw new ItemRefused('refused', 'It is locked.')
    }
    const { id } = await connectScripted()
    await synced(ada, id)
    const listed = async () => {
      const { body } = await ada.call('GET', `/connectors/${id}/items`)
      return body.items as {
        id: string
        path: string
        state: string
        reason: string
        detail: string | null
      }[]
    }
    const reasons = async () =>
      (await listed()).map(({ path, state, reason }) => `${path}: ${state}, ${reason}`)
    const all = [
      'broken.pdf: failed, unreadable',
      'large.txt: refused, too_large',
      'locked.txt: refused, refused',
    ]
    await expect.poll(reasons, { timeout: 30_000 }).toEqual(all)
    expect((await listed())[2]?.detail).toBe('It is locked.')
    scripted.before = () => undefined
    const retry = async (path: string) => {
      const item = (await listed()).find((one) => one.path === path)
      await ada.call('POST', `/connectors/${id}/items/${item?.id}/retry`)
      await synced(ada, id)
    }
    await retry('locked.txt')
    await expect.poll(reasons, { timeout: 30_000 }).toEqual(all.slice(0, 2))
    await retry('large.txt')
    await expect.poll(reasons, { timeout: 30_000 }).toEqual(all.slice(0, 1))
    scripted.items.set('broken.pdf', { text: 'It is a text now.' })
    await retry('broken.pdf')
    await expect.poll(reasons, { timeout: 30_000 }).toEqual([])
  }, 60_000)
})

describe('an error of a source', () => {
  it('is stored without the characters that a database refuses', async () => {
    scripted.items.set('a.txt', { text: 'A' })
    scripted.items.set('locked.txt', { text: 'Locked' })
    scripted.before = ({ kind, id }) => {
      if (kind === 'read' && id === 'locked.txt') throw new ItemRefused('refused', 'It is\0 locked.')
    }
    const { id } = await connectScripted()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 1, refused: 1 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items[0].detail).toBe('It is locked.')
    scripted.before = () => {
      throw new AppError('not_available', 'The source is\0 away.')
    }
    expect(await syncNow(ada, id)).toMatchObject({ state: 'failing', error: 'The source is away.' })
  })
})

describe('a sign-in', () => {
  it('that ended is reported, and what was read stays', async () => {
    scripted.items.set('a.txt', { text: 'A' })
    const { id } = await connectScripted()
    await synced(ada, id)
    scripted.before = () => {
      throw new SignedOut('The password was changed.')
    }
    const ended = await syncNow(ada, id)
    expect([ended.state, ended.error, ended.next_sync_at, ended.read]).toEqual([
      ...['signed_out', 'The password was changed.', null, 1],
    ])
    expect(await statusOf(bob, await idOf(id, 'a.txt'))).toBe(200)
    scripted.before = () => undefined
    await ada.call('PATCH', `/connectors/${id}`, { settings: { password: 'new' } })
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', error: null })
  })

  it('is sealed and never sent back', async () => {
    const connector = await connectScripted({ settings: { password: 'sesame-open' } })
    expect(connector).toMatchObject({ settings: {}, secrets: ['password'] })
    const { rows } = await sql`select * from connectors where id = ${connector.id}`.execute(app.deps.db)
    expect(JSON.stringify(rows)).not.toContain('sesame')
  })
})

describe('a personal connector', () => {
  it('is made by those who may, and read by its owner only [CN-15]', async () => {
    scripted.items.set('mine.txt', { text: 'Mine' })
    const { id } = await connect(bob, null, { source: 'scripted', settings })
    await synced(bob, id)
    const document = await idOf(id, 'mine.txt')
    expect([await statusOf(bob, document), await statusOf(ada, document)]).toEqual([200, 403])
    await closeToAll(app, 'feature', 'connectors')
    const wish = { source: 'scripted', company_id: null, settings }
    const refused = await bob.call('POST', '/connector-sources/try', wish)
    await openToAll(app, 'feature', 'connectors')
    expect([refused.status, refused.body.code]).toEqual([403, 'not_granted'])
    const foreign = { source: 'scripted', company_id: company, settings }
    expect((await bob.call('POST', '/connector-sources/try', foreign)).status).toBe(403)
  })
})

describe('items with unusual names', () => {
  it('do not stop the sync: those that no index can store are listed as refused', async () => {
    const long = Array.from({ length: 3000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
    )
    scripted.items.set(`${long.join('')}.txt`, { text: 'Long.' })
    scripted.items.set('a.txt', { text: 'Zero.', path: 'a\0/a.txt', move_key: long.join('') })
    scripted.items.set('a\0.txt', { text: 'Zero too.' })
    scripted.items.set('b.txt', {
      text: 'Half.',
      owner: `${'x'.repeat(199)}😀`,
      path: `${long.join('')}/b.txt`,
    })
    const { id } = await connectScripted()
    const connector = await synced(ada, id)
    expect(connector).toMatchObject({ state: 'ready', error: null, refused: 1 })
    expect((await documentsOf(app, id)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a.txt', 'b.txt']),
    )
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([{ state: 'refused', reason: 'unreadable' }])
  })
})

describe('the timeout of an item', () => {
  it('does not include the wait for other connectors of the host', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const shortened = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout(ms === 120_000 ? 1_000 : ms))
    const late: string[] = []
    const ids: string[] = []
    for (const [source, { items }] of [
      ['scripted', scripted],
      ['other', other],
    ] as const) {
      for (let at = 0; at < 8; at += 1) items.set(`${at}.txt`, { text: `${source} ${at}` })
      const { id } = await connectScripted({
        source,
        settings: { ...settings, host: 'busy.test' },
        start: false,
      })
      ids.push(id)
    }
    for (const one of [scripted, other])
      one.before = async ({ kind, id, signal }) => {
        if (kind !== 'read') return
        if (signal?.aborted) late.push(id)
        await sleep(600)
      }
    for (const id of ids) await ada.call('POST', `/connectors/${id}/sync`)
    for (const id of ids) expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 8 })
    shortened.mockRestore()
    expect(late).toEqual([])
  })
})
