import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aMail } from '#tests/imap-server.ts'
import { type MailFoldersServer, startMailFoldersServer } from '#tests/mail-folders-server.ts'
import { aScriptedSource } from '#tests/scripted-source.ts'
import type { OpenedSource } from '../define-connector.ts'
import { addSources } from '../known-sources.ts'

const SOON = { timeout: 25_000, interval: 100 }
const scripted = aScriptedSource('followed')
let follow: NonNullable<OpenedSource['follow']>
const root = mkdtempSync(join(tmpdir(), 'atrium-followed-'))
let app: TestApp
let ada: Reader
let company: string
let mail: MailFoldersServer
beforeAll(async () => {
  addSources([
    {
      ...{ ...scripted.source, follows: true },
      open: async (context) => ({
        ...(await scripted.source.open(context)),
        follow: (...given) => follow(...given),
      }),
    },
  ])
  mail = await startMailFoldersServer()
  app = await startApp({
    config: {
      ...{ ATRIUM_EMBEDDING_MODEL: 'atrium/lexical', ATRIUM_CONNECTOR_FOLDERS: root },
      ATRIUM_TOOLS_PRIVATE: `http://127.0.0.1:${mail.port}`,
    },
  })
  ada = await aReader(app, `${await app.listen()}/api/v1`, await aUser(app, { role: 'company_admin' }))
  company = (await ada.call('GET', '/users/me')).body.company_affiliations[0].company.id
})
afterAll(async () => {
  addSources([])
  await app.close()
  await mail.close()
  rmSync(root, { recursive: true })
})

const pathsOf = async (id: string) => (await documentsOf(app, id)).map(({ path }) => path)

/** Connects a source, reads everything and begins to follow it. The last sync was an hour ago. */
async function connectFollowed(source: string, settings: Record<string, string>): Promise<string> {
  const { id } = await connect(ada, company, { source, settings, every_minutes: 1440 })
  expect(await syncNow(ada, id)).toMatchObject({ state: 'ready', notifications: 'on' })
  await age(id)
  await app.deps.jobs.add('look-for-watches', {})
  await expect.poll(() => isFollowed(id), SOON).toBe(true)
  return id
}
const age = (id: string) =>
  sql`update connectors set last_sync_at = last_sync_at - interval '1 hour' where id = ${id}`.execute(
    app.deps.db,
  )
/** Returns whether no sync is under way or due. */
async function isReady(id: string): Promise<boolean> {
  const { rows } = await sql`select from connectors
    where id = ${id} and state = 'ready' and next_sync_at > now() + interval '1 hour'`.execute(app.deps.db)
  return rows.length > 0
}
async function isFollowed(id: string): Promise<boolean> {
  const { rows } = await sql`select from graphile_worker.jobs
    where key = ${`follow-source ${id}`} and locked_at is not null`.execute(app.deps.db)
  return rows.length > 0
}

describe('a server folder that is followed', () => {
  it('shows new, changed and removed files within seconds, in new folders too [CN-06]', async () => {
    for (let at = 0; at < 12; at += 1) writeFileSync(join(root, `n${at}.txt`), `Number ${at}.`)
    const id = await connectFollowed('folder', { path: root })
    await new Promise((resolve) => setTimeout(resolve, 500))
    writeFileSync(join(root, 'second.txt'), 'The second file.')
    await expect.poll(() => pathsOf(id), SOON).toContain('second.txt')
    await age(id)
    writeFileSync(join(root, 'second.txt'), 'The second file is longer.')
    rmSync(join(root, 'n0.txt'))
    await expect.poll(() => pathsOf(id), SOON).not.toContain('n0.txt')
    const versionOf = async (name: string) =>
      (await documentsOf(app, id)).find((one) => one.name === name)?.version
    await expect.poll(() => versionOf('second.txt'), SOON).toBe(2)
    await age(id)
    mkdirSync(join(root, 'inner'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    writeFileSync(join(root, 'inner', 'third.txt'), 'The third file.')
    await expect.poll(() => pathsOf(id), SOON).toContain('inner/third.txt')
  })
})

describe('a followed source', () => {
  it('is left when its connector is paused [CN-06]', async () => {
    const inner = join(root, 'paused')
    mkdirSync(inner)
    for (let at = 0; at < 3; at += 1) writeFileSync(join(inner, `n${at}.txt`), `Paused number ${at}.`)
    const id = await connectFollowed('folder', { path: inner })
    await ada.call('POST', `/connectors/${id}/pause`)
    await expect.poll(() => isFollowed(id), SOON).toBe(false)
    writeFileSync(join(inner, 'later.txt'), 'A later file.')
    await app.deps.jobs.add('look-for-watches', {})
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect([await isFollowed(id), await pathsOf(id)]).toEqual([false, ['n0.txt', 'n1.txt', 'n2.txt']])
  })
})

describe('a source that is no longer followed', () => {
  it('is read when that begins again [CN-06]', async () => {
    const inner = join(root, 'again')
    mkdirSync(inner)
    writeFileSync(join(inner, 'first.txt'), 'The first file.')
    const id = await connectFollowed('folder', { path: inner })
    await expect.poll(() => isReady(id), SOON).toBe(true)
    await app.deps.jobs.cancel(`follow-source ${id}`)
    await expect.poll(() => isFollowed(id), SOON).toBe(false)
    await age(id)
    writeFileSync(join(inner, 'second.txt'), 'The second file.')
    await app.deps.jobs.add('look-for-watches', {})
    await expect.poll(() => pathsOf(id), SOON).toEqual(['first.txt', 'second.txt'])
  })
})

describe('a source that cannot be followed', () => {
  const shown = async (id: string) => (await ada.call('GET', `/connectors/${id}`)).body.notifications
  const look = () => app.deps.jobs.add('look-for-watches', {})

  it('says so, and is tried again a quarter of an hour later [CN-06]', async () => {
    let attempts = 0
    follow = async () => {
      attempts += 1
      throw new AppError('unavailable', 'There are too many folders.')
    }
    const { id } = await connect(ada, company, { source: 'followed', settings: {}, every_minutes: 1440 })
    await syncNow(ada, id)
    await look()
    await expect.poll(() => shown(id), SOON).toBe('off')
    await look()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(attempts).toBe(1)
    follow = async (_, changed, signal) => {
      changed()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    await sql`update connector_watches set renew_at = renew_at - interval '15 minutes' where connector_id = ${id}`.execute(
      app.deps.db,
    )
    await look()
    await expect.poll(() => shown(id), SOON).toBe('on')
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
  })

  it('is followed again without a delay when the connection lasted a minute [CN-06]', async () => {
    let attempts = 0
    const ends = Promise.withResolvers<void>()
    follow = async (_, changed) => {
      attempts += 1
      changed()
      if (attempts === 1) await ends.promise
    }
    const { id } = await connect(ada, company, { source: 'followed', settings: {}, every_minutes: 1440 })
    await syncNow(ada, id)
    await look()
    const { clock } = app.deps
    const { now } = clock
    await expect.poll(() => attempts, SOON).toBe(1)
    await expect.poll(() => shown(id), SOON).toBe('on')
    clock.now = () => new Date(now().getTime() + 60_000)
    ends.resolve()
    await expect.poll(() => isFollowed(id), SOON).toBe(false)
    expect(await shown(id)).toBe('on')
    clock.now = now
    await look()
    await expect.poll(() => shown(id), SOON).toBe('off')
    expect(attempts).toBe(2)
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
  })

  it('says so when the mail server ends each IDLE immediately, without a loop of commands [CN-06]', async () => {
    mail.addFolder('INBOX')
    mail.fault = (command) => (command === 'IDLE' ? '{tag} OK done\r\n' : null)
    mail.said.length = 0
    const settings = { host: '127.0.0.1', port: String(mail.port), security: 'starttls', username: 'ada' }
    const wish = { source: 'imap', settings: { ...settings, password: mail.password }, every_minutes: 1440 }
    const { id } = await connect(ada, company, wish)
    await syncNow(ada, id)
    await look()
    await expect.poll(() => shown(id), SOON).toBe('off')
    expect(mail.said.filter((one) => one === 'IDLE').length).toBeLessThan(10)
    mail.fault = () => null
    await ada.call('POST', `/connectors/${id}/remove`, { documents: 'delete' })
  })
})

describe('a change during a sync', () => {
  it('makes another sync follow [CN-06]', async () => {
    let report: () => void = () => undefined
    follow = async (_, changed, signal) => {
      report = changed
      changed()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    scripted.items.set('first.txt', { text: 'The first text.' })
    const id = await connectFollowed('followed', {})
    await expect.poll(() => isReady(id), SOON).toBe(true)
    let isHeld = true
    let isListing = false
    scripted.before = async ({ kind }) => {
      isListing ||= kind === 'list'
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await ada.call('POST', `/connectors/${id}/sync`)
    await expect.poll(() => isListing, SOON).toBe(true)
    report()
    const isNoted = async () => {
      const { rows } = await sql`select from connector_watches w join connectors c on c.id = w.connector_id
        where c.id = ${id} and w.notified_at >= c.began_at`.execute(app.deps.db)
      return rows.length > 0
    }
    await expect.poll(isNoted, SOON).toBe(true)
    isHeld = false
    const read = async () => (await ada.call('GET', `/connectors/${id}`)).body
    await expect.poll(async () => (await read()).state, SOON).toBe('ready')
    expect(Date.parse((await read()).next_sync_at) - Date.now()).toBeLessThan(60_000)
  })
})

describe('a mailbox that is followed', () => {
  it('shows a mail within seconds after it arrives [CN-06]', async () => {
    const mailOf = (subject: string) =>
      aMail({
        to: 'ada@example.com',
        subject,
        id: `${subject.replace(' ', '-')}@x`,
        text: `About ${subject}.`,
      })
    mail.add('INBOX', mailOf('Offer 1'))
    const settings = {
      host: '127.0.0.1',
      port: String(mail.port),
      security: 'starttls',
      username: 'ada@example.com',
    }
    const id = await connectFollowed('imap', { ...settings, password: mail.password })
    await expect.poll(() => mail.said, SOON).toContain('IDLE')
    mail.add('INBOX', mailOf('Offer 2'))
    await expect.poll(() => pathsOf(id), SOON).toEqual(['INBOX/Offer 1.eml', 'INBOX/Offer 2.eml'])
  })
})
