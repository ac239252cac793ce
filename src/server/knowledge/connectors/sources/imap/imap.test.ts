import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, synced, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aMail } from '#tests/imap-server.ts'
import { type MailFoldersServer, startMailFoldersServer } from '#tests/mail-folders-server.ts'
import { firstPage } from '../../count-items.ts'
import { CursorExpired } from '../../define-connector.ts'
import { openSource } from '../../engine/open-source.ts'

let app: TestApp
let ada: Reader
let bob: Reader
let company: string
let mail: MailFoldersServer
beforeAll(async () => {
  mail = await startMailFoldersServer()
  app = await startApp({
    config: {
      ATRIUM_EMBEDDING_MODEL: 'atrium/lexical',
      ATRIUM_MAX_UPLOAD_MB: '3',
      ATRIUM_TOOLS_PRIVATE: `http://127.0.0.1:${mail.port},http://localhost:${mail.port}`,
    },
  })
  const base = `${await app.listen()}/api/v1`
  ada = await aReader(app, base, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
  bob = await aReader(app, base, await aUser(app, { role: 'member', companyId: company }))
})
afterAll(async () => {
  await app.close()
  await mail.close()
})

const rawOf = (subject: string, id = subject) =>
  aMail({ to: 'ada@example.com', subject, id: `${encodeURIComponent(id)}@x`, text: `About ${subject}.` })
beforeEach(() => {
  mail.folders.clear()
  mail.said.length = 0
  Object.assign(mail, { fault: () => null, goodbye: null })
  for (let at = 0; at < 20; at += 1) mail.add('INBOX', rawOf(`Offer ${at}`))
  mail.add('INBOX/Lots', rawOf('=?utf-8?q?Lot_3=3A_devis_=C3=A9t=C3=A9?=', 'lot'), {
    flags: ['\\Flagged', '\\Seen', 'urgent', '$MDNSent', 'NonJunk'],
  })
  mail.addFolder('Trash', '\\Trash')
  mail.add('Trash', rawOf('Thrown away'))
})

const settingsOf = () => ({
  ...{ host: '127.0.0.1', port: String(mail.port), security: 'starttls' },
  ...{ username: 'ada@example.com', password: mail.password },
})
const connectMail = (more = {}) => connect(ada, company, { source: 'imap', settings: settingsOf(), ...more })
const trial = (settings = {}) => ({
  ...{ source: 'imap', company_id: company },
  settings: { ...settingsOf(), ...settings },
})
const countsOf = async (id: string) => (await ada.call('GET', `/connectors/${id}/syncs`)).body.items[0].counts
const find = async (id: string, path: string) => (await documentsOf(app, id)).find((one) => one.path === path)

describe('a mailbox', () => {
  it('is read with its folders, and later only what changed, moved or disappeared', async () => {
    const { id } = await connectMail()
    expect(await synced(ada, id)).toMatchObject({
      state: 'ready',
      listed: 21,
      read: 21,
      refused: 0,
      error: null,
    })
    const path = 'INBOX/Lots/Lot 3: devis été.eml'
    const before = await find(id, path)
    expect(before?.tags.sort()).toEqual(['Flagged', 'INBOX', 'Lots', 'urgent'])
    const { body: document } = await ada.call('GET', `/documents/${before?.id}`)
    expect(document.source).toMatchObject({
      ...{ path, owner: 'ada@example.com', labels: ['Flagged', 'urgent'] },
      changed_at: expect.stringContaining('2026-11-02T10:00'),
    })
    mail.said.length = 0
    mail.remove('INBOX/Lots', 1)
    mail.add('Archive', rawOf('=?utf-8?q?Lot_3=3A_devis_=C3=A9t=C3=A9?=', 'lot'))
    mail.remove('INBOX', 2)
    mail.add('INBOX', rawOf('New offer'))
    await syncNow(ada, id)
    expect(await countsOf(id)).toEqual({ added: 1, changed: 0, moved: 1, removed: 1, refused: 0 })
    expect(await find(id, 'Archive/Lot 3: devis été.eml')).toMatchObject({ id: before?.id, version: 1 })
    expect(mail.said.filter((line) => line.includes('BODY')).length).toBe(1)
  })

  it('keeps its documents when the UIDVALIDITY of a folder changes', async () => {
    const { id } = await connectMail()
    await synced(ada, id)
    const before = (await documentsOf(app, id)).map((one) => one.id).sort()
    const inbox = mail.folders.get('INBOX')
    Object.assign(inbox ?? {}, {
      uidValidity: 2,
      mails: inbox?.mails.map((one) => ({ ...one, uid: one.uid + 100 })),
    })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', removal: null, read: 21 })
    expect(await countsOf(id)).toEqual({ added: 0, changed: 0, moved: 20, removed: 0, refused: 0 })
    expect((await documentsOf(app, id)).map((one) => one.id).sort()).toEqual(before)
  })

  it('is browsed and counted, and the trash is read only when it is chosen', async () => {
    mail.addFolder('Projects/2026', '\\HasNoChildren')
    const { body } = await ada.call('POST', '/connector-sources/browse', trial())
    expect(body.items).toEqual([
      { path: 'INBOX', name: 'INBOX', has_folders: true },
      { path: 'Projects', name: 'Projects', has_folders: true },
      { path: 'Trash', name: 'Trash', has_folders: false },
    ])
    const below = await ada.call('POST', '/connector-sources/browse', { ...trial(), path: 'INBOX' })
    expect(below.body.items).toEqual([{ path: 'INBOX/Lots', name: 'Lots', has_folders: false }])
    const count = async (folders: string[]) => {
      const selection = { folders, include: [], exclude: [] }
      return (await ada.call('POST', '/connector-sources/count', { ...trial(), selection })).body.items
    }
    expect([await count([]), await count(['Trash']), await count(['INBOX'])]).toEqual([21, 1, 21])
  })

  it('is listed in pages, and a new connection continues although mails were deleted meanwhile', async () => {
    mail.folders.clear()
    for (let at = 0; at < 1_203; at += 1) mail.add('INBOX', rawOf(`Offer ${at}`))
    const selection = { folders: [], include: [], exclude: [] }
    const pages: string[][] = []
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
      const use = { connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) }
      const source = await openSource(app.deps, 'imap', settingsOf(), use)
      const page = await firstPage(source, selection, cursor)
      await source.close?.()
      pages.push(page.items.map(({ id }) => id))
      cursor = page.cursor
      if (pages.length === 1) for (const uid of [3, 7, 500, 501, 1_100]) mail.remove('INBOX', uid)
    }
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 201])
    expect(new Set(pages.flat()).size).toBe(1_201)
    expect(pages[1]?.[0]).toBe('1:502:INBOX')
  })

  it('waits when the server has too many connections, and keeps the documents when the password changed', async () => {
    const { id } = await connectMail()
    await synced(ada, id)
    const isWaiting = async () => {
      const { rows } = await sql`select from connectors where id = ${id} and wait_until > now()`.execute(
        app.deps.db,
      )
      return rows.length
    }
    for (const refuse of [
      () => Object.assign(mail, { goodbye: '[ALERT] Maximum number of connections from user exceeded' }),
      () =>
        Object.assign(mail, {
          fault: (line: string) => (line.startsWith('LOGIN') ? '{tag} NO [LIMIT] busy\r\n' : null),
        }),
      () =>
        Object.assign(mail, {
          fault: (line: string) => (line.includes('ENVELOPE') ? '{tag} NO [UNAVAILABLE] later\r\n' : null),
        }),
    ]) {
      refuse()
      await ada.call('POST', `/connectors/${id}/sync`)
      await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
      Object.assign(mail, { fault: () => null, goodbye: null })
      await sql`update connectors set wait_until = null where id = ${id}`.execute(app.deps.db)
      expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 21, error: null })
    }
    mail.password = 'changed'
    const ended = await syncNow(ada, id)
    mail.password = 'sesame'
    expect(ended).toMatchObject({ state: 'signed_out', read: 21, error: '127.0.0.1 refuses the sign-in.' })
    mail.folders.get('INBOX')?.mails.splice(0, 15)
    await ada.call('PATCH', `/connectors/${id}`, { settings: { password: 'sesame' } })
    expect(await synced(ada, id)).toMatchObject({ state: 'asking', read: 21 })
  }, 60_000)

  it('sends a stored password to its own server only', async () => {
    const { id } = await connectMail()
    await synced(ada, id)
    const known = { source: 'imap', company_id: company, connector_id: id }
    const { password: _, ...plain } = settingsOf()
    const same = await ada.call('POST', '/connector-sources/try', { ...known, settings: plain })
    expect(same.body.ok).toBe(true)
    const other = { ...known, settings: { ...plain, host: 'localhost' } }
    expect((await ada.call('POST', '/connector-sources/try', other)).body.ok).toBe(false)
    const entered = { ...other, settings: { ...other.settings, password: 'sesame' } }
    expect((await ada.call('POST', '/connector-sources/try', entered)).body.ok).toBe(true)
  })

  it('is never changed', async () => {
    const { id } = await connectMail()
    await synced(ada, id)
    const commands = new Set(mail.said.map((line) => line.replace(/^UID /, '').split(' ')[0]))
    expect([...commands].sort()).toEqual(['EXAMINE', 'FETCH', 'LIST', 'LOGIN', 'LOGOUT', 'LSUB'])
    expect(mail.said.filter((line) => /BODY(?!\.PEEK)\b/.test(line))).toEqual([])
  })

  it('of a person is read by that person only', async () => {
    const { id } = await connect(bob, null, { source: 'imap', settings: settingsOf() })
    expect(await synced(bob, id)).toMatchObject({ state: 'ready', read: 21 })
    const [document] = await documentsOf(app, id)
    const statusOf = async (who: Reader) => (await who.call('GET', `/documents/${document?.id}`)).status
    expect([await statusOf(bob), await statusOf(ada)]).toEqual([200, 403])
  })

  it('cannot be on a private address that the installation does not allow', async () => {
    const { body } = await ada.call('POST', '/connector-sources/try', trial({ port: '9' }))
    expect([body.ok, body.error]).toEqual([
      false,
      expect.stringContaining('not an address of the public internet'),
    ])
  })

  it('is read when names of it are hostile, and fails when it does not list in order', async () => {
    mail.folders.clear()
    mail.add('INBOX', rawOf('../../etc/passwd'))
    mail.add('INBOX', rawOf('x'.repeat(1_000_000)))
    mail.add('INBOX', 'Hello')
    mail.add('../up', rawOf('Up'))
    const { id } = await connectMail()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 4, read: 4, error: null })
    const names = (await documentsOf(app, id)).map(({ name }) => name)
    expect(names.every((name) => name.length < 200 && !name.includes('/'))).toBe(true)
    mail.fault = (line) =>
      line.includes('ENVELOPE') ? '* 1 FETCH (UID 5)\r\n* 2 FETCH (UID 5)\r\n{tag} OK\r\n' : null
    expect(await syncNow(ada, id)).toMatchObject({
      ...{ state: 'failing', read: 4 },
      error: 'The mail server does not list its mails in order.',
    })
  }, 60_000)

  it('is read when mails have impossible times, or no time or size', async () => {
    mail.folders.clear()
    const dates = ['Sat, 1 Jan 0000 00:00:00 +0000', 'Fri, 1 Jan 99999 00:00:00 +0000', 'yesterday', '']
    const times = ['01-Jan-0000 00:00:00 +0000', '01-Jan-99999 00:00:00 +0000', '99-Foo-2026 10:00:00 +0000']
    for (const [at, date] of dates.entries())
      for (const [other, time] of times.entries())
        mail.add('INBOX', `Date: ${date}\r\n${rawOf(`Offer ${at} ${other}`)}`, { date: time })
    mail.add('INBOX', `Date: Mon, 2 Nov 2026 10:00:00 +0000\r\n${rawOf('Sent')}`, { omits: 'time' })
    mail.add('INBOX', rawOf('No size'), { omits: 'size' })
    const { id } = await connectMail()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', error: null, read: 14, refused: 0 })
    const sourceOf = async (path: string) =>
      (await ada.call('GET', `/documents/${(await find(id, path))?.id}`)).body.source
    expect(await sourceOf('INBOX/Offer 1 1.eml')).toMatchObject({ changed_at: null })
    expect(await sourceOf('INBOX/Sent.eml')).toMatchObject({
      changed_at: expect.stringContaining('2026-11-02'),
    })
    expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', read: 14 })
    expect(await countsOf(id)).toEqual({ added: 0, changed: 0, moved: 0, removed: 0, refused: 0 })
  })

  it('reads mails that the server does not describe, and lists those it does not give with the reason', async () => {
    mail.folders.clear()
    for (let at = 0; at < 5; at += 1)
      mail.add('INBOX', rawOf(`Offer ${at}`), { omits: at === 1 || at === 4 ? 'description' : undefined })
    mail.fault = (line) => (/^UID FETCH 5 /.test(line) ? '{tag} OK done\r\n' : null)
    const { id } = await connectMail()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', listed: 5, read: 4, refused: 1 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([
      { path: 'INBOX/Mail 5.eml', reason: 'not_found', detail: 'The mail is no longer in its folder.' },
    ])
  })

  it('is listed again from the start when the UIDs of a folder change in the middle', async () => {
    mail.folders.clear()
    for (let at = 0; at < 600; at += 1) mail.add('INBOX', rawOf(`Offer ${at}`))
    const use = { connectorId: null, mirrors: false, signal: AbortSignal.timeout(30_000) }
    const selection = { folders: [], include: [], exclude: [] }
    const next = async (cursor: string | null) => {
      const source = await openSource(app.deps, 'imap', settingsOf(), use)
      return firstPage(source, selection, cursor).finally(() => source.close?.())
    }
    const { cursor } = await next(null)
    Object.assign(mail.folders.get('INBOX') ?? {}, { uidValidity: 2 })
    await expect(next(cursor)).rejects.toThrow(CursorExpired)
  })

  it('refuses a mail that becomes larger than the limit while it is read', async () => {
    mail.folders.clear()
    mail.add('INBOX', rawOf('Endless'))
    const chunk = 'x'.repeat(1024 * 1024)
    mail.fault = (line) => {
      const [, start] = /BODY\.PEEK\[\]<(\d+)/.exec(line) ?? []
      if (start === undefined) return null
      return `* 1 FETCH (UID 1 BODY[]<${start}> {${chunk.length}}\r\n${chunk})\r\n{tag} OK\r\n`
    }
    const { id } = await connectMail()
    expect(await synced(ada, id)).toMatchObject({ state: 'ready', read: 0, refused: 1 })
    const { body } = await ada.call('GET', `/connectors/${id}/items`)
    expect(body.items).toMatchObject([{ state: 'refused', reason: 'too_large' }])
  }, 60_000)
})
