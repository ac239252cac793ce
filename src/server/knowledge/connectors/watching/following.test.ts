import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { connect, documentsOf, syncNow } from '#tests/connecting.ts'
import { aReader, type Reader } from '#tests/documents.ts'
import { aMail } from '#tests/imap-server.ts'
import { type MailFoldersServer, startMailFoldersServer } from '#tests/mail-folders-server.ts'

const SOON = { timeout: 25_000, interval: 100 }
const root = mkdtempSync(join(tmpdir(), 'atrium-followed-'))
let app: TestApp
let ada: Reader
let company: string
let mail: MailFoldersServer
beforeAll(async () => {
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
