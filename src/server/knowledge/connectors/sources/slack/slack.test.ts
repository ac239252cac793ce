import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentsOf, synced, syncNow } from '#tests/connecting.ts'
import type { Reader } from '#tests/documents.ts'
import { type SlackMessage, type SlackServer, startSlackServer } from '#tests/sources/slack-server.ts'
import { itSyncs, type RecordedSource, startConnecting } from '#tests/sources/source-cases.ts'
import { firstPage } from '../../count-items.ts'
import { openSource } from '../../engine/open-source.ts'

describe('Slack', () => {
  let slack: SlackServer
  beforeAll(async () => {
    slack = await startSlackServer()
  })
  afterAll(() => slack.close())
  const recorded = (): RecordedSource => ({
    ...{ source: 'slack', server: slack },
    settings: () => ({ token: 'xoxb-1', address: slack.url }),
    fill: (items) => fill(slack, items),
    change: () => change(slack),
    isRead: (request) => /conversations\.history\?.*oldest=/.test(request),
    setSignedIn: (isSignedIn) => {
      slack.error = isSignedIn ? null : 'token_revoked'
    },
  })
  const connecting = startConnecting(recorded)
  itSyncs(recorded, connecting)

  it('gives a day of a channel with authors, times, threads, links and mentions, but no markup of others', async () => {
    const said = at('2026-10-01', 1)
    said.text =
      'Hi <@U2>, see <https://example.com/a?b=1&amp;c=2|the plan> in <#C2|board> &lt;b&gt; <javascript:alert(1)|x>'
    said.replies = [{ ...at('2026-10-02', 5), text: '<!here> Done\0\nand tested.', user: 'U2' }]
    slack.messages.set('C1', [said, { ...at('2026-10-01', 2), subtype: 'channel_join' }])
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const { text, source } = await connecting.document(id, 'general/general 2026-10-01.html')
    expect(text).toContain('<strong>Ada</strong> 2026-10-01 00:01 UTC')
    expect(text).toContain(
      'Hi @Bob, see <a href="https://example.com/a?b=1&amp;c=2">the plan</a> in #board &lt;b&gt; x</p>',
    )
    expect(text).toContain(
      '<blockquote><p><strong>Bob</strong> 2026-10-02 00:05 UTC<br>@here Done<br>and tested.</p>',
    )
    expect(text.match(/<p>/g)).toHaveLength(2)
    expect(source).toMatchObject({
      url: `https://acme.slack.com/archives/C1/p${said.ts.replace('.', '')}`,
      changed_at: expect.stringContaining('2026-10-02T00:05'),
    })
  })

  it('reads a day again when a reply is added or changed', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const said = { ...at(today, 0), replies: [{ ...at(today, 0), ts: `${at(today, 0).ts.slice(0, -1)}5` }] }
    slack.messages.set('C1', [said])
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const reads = async () => {
      slack.requests.length = 0
      await syncNow(connecting.ada, id)
      return slack.requests.filter(recorded().isRead).length
    }
    expect(await reads()).toBe(0)
    said.replies[0]!.text = 'Changed reply'
    said.replies[0]!.edited = { ts: at(today, 0).ts }
    expect(await reads()).toBe(1)
    expect((await connecting.document(id, `general/general ${today}.html`)).text).toContain('Changed reply')
    said.replies.push({ ...at(today, 0), ts: `${at(today, 0).ts.slice(0, -1)}6` })
    expect(await reads()).toBe(1)
    expect(await reads()).toBe(0)
  })

  it('reads a day with more threads than Slack allows requests, and waits in between', async () => {
    const threads = Array.from({ length: 12 }, (_, count) => {
      const said = { ...at('2026-10-01', count), text: `Thread ${count}` }
      return { ...said, replies: [{ ...at('2026-10-02', count), text: `Reply ${count}` }] }
    })
    slack.messages.set('C1', threads)
    slack.messages.set('C2', [])
    const counts = { answered: 0, waits: 0 }
    let until = 0
    slack.fault = () => {
      const isEarly = Date.now() < until
      counts.answered += 1
      if (!isEarly && counts.answered <= 6) return null
      if (!isEarly) Object.assign(counts, { answered: 0, waits: counts.waits + 1 })
      if (!isEarly) until = Date.now() + 900
      return { status: 429, json: {}, headers: { 'retry-after': '1' } }
    }
    const id = await connecting.connect({ start: true })
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', read: 1, error: null })
    slack.fault = () => null
    expect(counts.waits).toBeGreaterThan(1)
    const { text } = await connecting.document(id, 'general/general 2026-10-01.html')
    for (let count = 0; count < 12; count += 1) expect(text).toContain(`Reply ${count}`)
  }, 60_000)

  it('reads the replies of the first 60 threads of a day, and says that it leaves out others', async () => {
    const replies = [at('2026-10-02', 1), at('2026-10-02', 2)]
    slack.messages.set(
      'C1',
      Array.from({ length: 62 }, (_, count) => ({ ...at('2026-10-01', count), replies })),
    )
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    const { text } = await connecting.document(id, 'general/general 2026-10-01.html')
    expect(text.match(/Said on 2026-10-01/g)).toHaveLength(62)
    expect(text.match(/Said on 2026-10-02/g)).toHaveLength(120)
    expect(text.match(/\(2 replies are left out\.\)/g)).toHaveLength(2)
  })

  describe('with mirrored rights', () => {
    it('shows private channels to their members, public ones to the workspace, and nothing to others', async () => {
      const readers: Record<string, Reader> = {}
      for (const name of ['bob', 'gus', 'una', 'del', 'zoe']) readers[name] = await connecting.aMember()
      const email = (name: string) => readers[name]?.user.email ?? ''
      slack.people = [
        { id: 'U1', name: 'Ada' },
        { id: 'U2', name: 'Bob', email: email('bob').toUpperCase() },
        { id: 'U3', name: 'Gus', email: email('gus'), guest: true },
        { id: 'U4', name: 'Una', email: email('una'), unconfirmed: true },
        { id: 'U5', name: 'Del', email: email('del'), deleted: true },
      ]
      slack.channels.get('C1')!.members = ['U1', 'U4']
      slack.channels.get('C2')!.members = ['U1', 'U3', 'U5']
      const id = await connecting.connect({ rights: 'mirrored' })
      await synced(connecting.ada, id)
      const all = await documentsOf(connecting.app, id)
      const first = (folder: string) => all.find(({ path }) => path.startsWith(folder))?.id
      const seen = async () => {
        const found: string[] = []
        for (const [name, { call }] of Object.entries(readers))
          for (const folder of ['general', 'board'])
            if ((await call('GET', `/documents/${first(`${folder}/`)}`)).status === 200)
              found.push(`${name} ${folder}`)
        return found
      }
      expect(await seen()).toEqual(['bob general', 'gus board'])
      slack.channels.get('C2')!.members = ['U2']
      slack.channels.get('C1')!.members = ['U3']
      await syncNow(connecting.ada, id)
      expect(await seen()).toEqual(['bob general', 'bob board', 'gus general'])
      Object.assign(slack.channels.get('C1')!, { isPrivate: true, members: ['U1', 'U3'] })
      slack.channels.get('C2')!.members = ['U1']
      await syncNow(connecting.ada, id)
      expect(await seen()).toEqual(['gus general'])
    })

    it('reads the members of more channels than Slack allows requests', async () => {
      const bob = await connecting.aMember()
      slack.people.push({ id: 'U9', name: 'Bob', email: bob.user.email })
      for (let count = 0; count < 12; count += 1)
        slack.channels.set(`D${count}`, {
          name: `d${count}`,
          isPrivate: true,
          isMember: true,
          members: ['U9'],
        })
      let answered = 0
      slack.fault = ({ path }) => {
        if (!path.endsWith('conversations.members')) return null
        answered = (answered + 1) % 6
        return answered === 0 ? { status: 429, json: {}, headers: { 'retry-after': '1' } } : null
      }
      const id = await connecting.connect({ rights: 'mirrored' })
      expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', read: 22 })
      slack.fault = () => null
      const asked = slack.requests.filter((one) => one.includes('conversations.members')).length
      expect(asked).toBeLessThan(20)
    })
  })

  it.each([
    ['ratelimited', 'asks to wait'],
    ['invalid_auth', 'refuses the token'],
    ['missing_scope', 'lacks the scope users:read'],
    ['fatal_error', 'fails now'],
    ['strange_error', 'refuses it (strange_error)'],
  ])('reports the error %s of an answer with the status 200', async (error, text) => {
    slack.error = error
    const trial = { source: 'slack', settings: recorded().settings(), company_id: connecting.company }
    const { body } = await connecting.ada.call('POST', '/connector-sources/try', trial)
    expect([body.ok, body.error]).toEqual([false, expect.stringContaining(text)])
  })

  it('asks before the messages of a channel that it left disappear', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    // It leaves after the list of channels was answered.
    slack.before = (method) => {
      if (method === 'conversations.history') slack.channels.get('C2')!.isMember = false
    }
    const connector = await syncNow(connecting.ada, id)
    slack.before = () => undefined
    expect(connector).toMatchObject({ state: 'asking', removal: { missing: 8, of: 22 } })
    expect(await documentsOf(connecting.app, id)).toHaveLength(22)
  })

  it('keeps the days of a channel when a thread is deleted while it is listed', async () => {
    const today = new Date().toISOString().slice(0, 10)
    slack.messages.get('C1')!.push({ ...at(today, 0), replies: [at(today, 0)] })
    const id = await connecting.connect()
    expect(await synced(connecting.ada, id)).toMatchObject({ state: 'ready', read: 23 })
    slack.fault = ({ path }) =>
      path.endsWith('conversations.replies') ? { json: { ok: false, error: 'thread_not_found' } } : null
    expect(await syncNow(connecting.ada, id)).toMatchObject({ state: 'ready', removal: null, read: 23 })
  })

  it.each([
    ['a proxy that does not find it', { status: 404, json: {} }],
    ['Slack although it is still a member', { json: { ok: false, error: 'channel_not_found' } }],
    ['a missing scope', { json: { ok: false, error: 'missing_scope', needed: 'groups:history' } }],
    ['an error of the server', { status: 502, bytes: '<html>' }],
  ])('keeps the last days of a channel when a page is refused by %s', async (_, refusal) => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    slack.fault = ({ path, query }) => {
      const isLast = Number(query.get('latest') ?? 1e12) < Number(at('2026-09-04', 0).ts)
      return path.endsWith('conversations.history') && isLast ? refusal : null
    }
    const connector = await syncNow(connecting.ada, id)
    slack.fault = () => null
    expect(connector).toMatchObject({ removal: null, read: 22, error: expect.any(String) })
    expect(await documentsOf(connecting.app, id)).toHaveLength(22)
  })

  it('keeps all days when a page says that there are more but names no cursor', async () => {
    const id = await connecting.connect()
    await synced(connecting.ada, id)
    slack.fault = ({ path, query }) => {
      const isNewest = query.get('channel') === 'C1' && !query.has('latest')
      if (!path.endsWith('conversations.history') || !isNewest) return null
      const messages = [13, 12].map((day) => at(dayAt(day), 0))
      return { json: { ok: true, messages, has_more: true } }
    }
    expect(await syncNow(connecting.ada, id)).toMatchObject({
      state: 'ready',
      listed: 22,
      read: 22,
      removal: null,
    })
  })

  it('continues behind the days that it listed before a long refusal', async () => {
    const days = [0, 1, 2].map((count) =>
      new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10),
    )
    const said = days.map((day) => ({ ...at(day, 0), replies: [at(day, 0)] }))
    slack.messages.set('C1', said)
    const open = () =>
      openSource(connecting.app.deps, 'slack', recorded().settings(), {
        ...{ connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) },
      })
    const selection = { folders: ['general'], include: [], exclude: [] }
    let replies = 0
    slack.fault = ({ path }) => {
      if (path.endsWith('conversations.replies')) replies += 1
      return replies === 2 ? { status: 429, json: {}, headers: { 'retry-after': '90' } } : null
    }
    const first = await firstPage(await open(), selection, null)
    slack.fault = () => null
    const second = await firstPage(await open(), selection, first.cursor)
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(days.map((day) => `C1/${day}`))
    expect([first.items.length, second.cursor]).toEqual([1, null])
  })

  it('lists folders of channels and reads only chosen ones', async () => {
    const trial = { source: 'slack', settings: recorded().settings(), company_id: connecting.company }
    const { body } = await connecting.ada.call('POST', '/connector-sources/browse', trial)
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['board', 'general'])
    const id = await connecting.connect({ selection: { folders: ['board'], include: [], exclude: [] } })
    expect(await synced(connecting.ada, id)).toMatchObject({ listed: 8, read: 8 })
  })

  it('stores a day with very many messages, a name of 1 MB and times that cannot be', async () => {
    const many = Array.from({ length: 900 }, (_, count) => ({
      ...at('2026-10-01', 1),
      ts: `${Math.floor(Number(at('2026-10-01', 1).ts)) + count}.000100`,
    }))
    slack.messages.set('C1', [
      ...many,
      { ...at('2026-10-01', 1), ts: '9'.repeat(300) },
      { ...at('2026-10-01', 1), ts: 'x' },
    ])
    slack.channels.get('C1')!.name = `${'x'.repeat(1_000_000)}\0`
    slack.pageSize = 200
    const id = await connecting.connect()
    const connector = await synced(connecting.ada, id)
    slack.pageSize = 4
    expect(connector).toMatchObject({ state: 'ready', error: null, read: 9 })
  })
})

/** A message at a minute of a day. */
function at(day: string, minute: number): SlackMessage {
  const ts = `${Date.parse(`${day}T00:00:00Z`) / 1000 + minute * 60}.000100`
  return { ts, user: 'U1', text: `Said on ${day}.` }
}

const dayAt = (count: number) => new Date(Date.UTC(2026, 8, 1 + count)).toISOString().slice(0, 10)

/** Fills a private channel with 8 days, and a public one with the other days of two messages each. */
function fill(slack: SlackServer, items: number): void {
  slack.people = [
    { id: 'U1', name: 'Ada' },
    { id: 'U2', name: 'Bob' },
  ]
  slack.channels.clear()
  slack.channels.set('C1', { name: 'general', isPrivate: false, isMember: true, members: ['U1'] })
  slack.channels.set('C2', { name: 'board', isPrivate: true, isMember: true, members: ['U1'] })
  slack.channels.set('C3', { name: 'elsewhere', isPrivate: false, isMember: false, members: [] })
  const days = (count: number, minutes: number[]) =>
    Array.from({ length: count }, (_, day) => minutes.map((minute) => at(dayAt(day), minute))).flat()
  slack.messages.set('C1', days(items - 8, [0, 10]))
  slack.messages.set('C2', days(8, [5]))
}

function change(slack: SlackServer) {
  const general = slack.messages.get('C1')!
  general.push(at('2026-11-01', 3))
  Object.assign(general[0]!, { text: 'Edited.', edited: { ts: general[1]!.ts } })
  general[4]!.replies = [{ ...at(dayAt(9), 1), text: 'A late reply.' }]
  general.splice(6, 2)
  slack.channels.get('C2')!.name = 'directors'
  return { added: 1, changed: 2, moved: 8, removed: 1, refused: 0 }
}
