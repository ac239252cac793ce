import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Announcement, AnnouncementWish } from '#shared/identity/announcements/announcements.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { aVisitor } from '#tests/visitor.ts'

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>

let smtp: Smtp
let app: TestApp
let visitor: ReturnType<typeof aVisitor>
let root: TestUser
let company: string
beforeEach(() => begin())
afterEach(end)

/** Starts the product with a mail server. */
async function begin(server: Parameters<typeof startSmtpServer>[0] = {}, limit = 60_000) {
  smtp = await startSmtpServer(server)
  app = await startApp({ config: { SMTP_URL: smtp.url, ATRIUM_LIMIT_MAILS_A_MINUTE: String(limit) } })
  visitor = aVisitor(app)
  root = await aUser(app, { role: 'super_admin', username: 'root' })
  company = await aCompany(app, 'Orsane')
}

async function end() {
  await app.close()
  smtp.close()
}

/** Creates a member of the company with a verified address. */
async function aReader(
  username: string,
  more: { verified?: boolean; language?: string; elsewhere?: true } = {},
) {
  const { verified = true, language = 'en', elsewhere } = more
  const companyId = elsewhere ? await aCompany(app) : company
  const user = await aUser(app, { role: 'member', companyId, username })
  const row = { email: `${username}@example.com`, language, email_verified_at: verified ? new Date() : null }
  await app.deps.db.updateTable('users').set(row).where('id', '=', user.id).execute()
  return { ...user, email: row.email }
}

const aWish = (more: Partial<AnnouncementWish> = {}): AnnouncementWish => ({
  ...{ tone: 'news', text_en: 'Closed on Sunday. See you.', text_fr: 'Fermé dimanche.', link: null },
  ...{ audience: { company_ids: [company], group_ids: [], roles: [] }, starts_at: null },
  ...{ ends_at: new Date(Date.now() + 86_400_000).toISOString(), by_mail: true, ...more },
})

async function announce(more: Partial<AnnouncementWish> = {}): Promise<string> {
  const { status, body } = await visitor.send('POST', '/admin/announcements', aWish(more), root.token)
  expect(status).toBe(201)
  return String(body.id)
}

async function read(id: string): Promise<Announcement> {
  const { body } = await visitor.send('GET', '/admin/announcements', undefined, root.token)
  return (body.items as Announcement[]).find((one) => one.id === id) as Announcement
}
const countsOf = async (id: string) => (await read(id)).mails
const settled = (id: string, counts: object) =>
  expect.poll(() => countsOf(id), { timeout: 15_000 }).toMatchObject({ waiting: 0, ...counts })

/** Returns the mails as sent, without the soft line breaks of quoted-printable. */
const said = () => smtp.said().replace(/=\r\n/g, '').replaceAll('=3D', '=')

/** Runs the job of an announcement again now. */
const sendAgain = (id: string) =>
  app.deps.jobs.add(
    'mail-announcement',
    { id },
    { queue: 'mail-announcement', key: `mail-announcement ${id}` },
  )

describe('an announcement by mail', () => {
  it('reaches each person it is for once, in their language', async () => {
    const readers = [await aReader('ada'), await aReader('zoe', { language: 'fr' })]
    await aReader('bea', { verified: false })
    await aReader('cal', { elsewhere: true })
    const gone = await aReader('dan')
    await app.deps.db
      .updateTable('users')
      .set({ deactivated_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
    const id = await announce({ link: 'https://intranet.example/sunday' })
    await settled(id, { sent: 2, failed: 0, unknown: 0 })
    await sendAgain(id)
    await visitor.send('PUT', `/admin/announcements/${id}`, aWish({ text_en: 'Open again.' }), root.token)
    await settled(id, { sent: 2 })
    expect(smtp.reached().sort()).toEqual(readers.map(({ email }) => email).sort())
    expect(said()).toContain('Subject: Announcement: Closed on Sunday.\r\n')
    expect(said()).toContain('Closed on Sunday. See you.')
    expect(said()).toMatch(/Subject: =\?UTF-8\?.*Ferm/)
    expect(said()).toContain('https://intranet.example/sunday')
    expect(said().match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/gm)).toHaveLength(2)
  })

  it('goes to people added to its audience by a change, and to no one twice', async () => {
    const ada = await aReader('ada')
    const id = await announce()
    await settled(id, { sent: 1 })
    const cal = await aReader('cal', { elsewhere: true })
    const audience = { company_ids: [], group_ids: [], roles: ['member' as const] }
    await visitor.send('PUT', `/admin/announcements/${id}`, aWish({ audience }), root.token)
    await settled(id, { sent: 2 })
    expect(smtp.reached()).toEqual([ada.email, cal.email])
  })

  it('is not sent without the wish, and refused without a mail server', async () => {
    await aReader('ada')
    const id = await announce({ by_mail: false })
    expect(await read(id)).toMatchObject({ by_mail: false, mails: null })
    await end()
    smtp = await startSmtpServer()
    app = await startApp()
    visitor = aVisitor(app)
    root = await aUser(app, { role: 'super_admin', username: 'root' })
    const audience = { company_ids: [], group_ids: [], roles: [] }
    const { status, body } = await visitor.send(
      ...(['POST', '/admin/announcements', aWish({ audience }), root.token] as const),
    )
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path: 'by_mail' })]])
    const listed = await visitor.send('GET', '/admin/announcements', undefined, root.token)
    expect(listed.body.can_mail).toBe(false)
  })

  it('waits for its start', async () => {
    await aReader('ada')
    const id = await announce({ starts_at: new Date(Date.now() + 3_600_000).toISOString() })
    await sendAgain(id)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await countsOf(id)).toMatchObject({ waiting: 0, sent: 0 })
    expect(smtp.reached()).toEqual([])
  })
})

describe('a mail of an announcement', () => {
  it('that the server refuses is shown with the reply, and the others are sent', async () => {
    await end()
    await begin({ refuses: 'RCPT TO:<bea@', with: '550 No such mailbox' })
    for (const name of ['ada', 'bea', 'cal']) await aReader(name)
    const id = await announce()
    await settled(id, { sent: 2, failed: 1, problem: null })
    const path = `/admin/announcements/${id}/undelivered-mails`
    const { body } = await visitor.send('GET', path, undefined, root.token)
    expect(body).toMatchObject({ total: 1, has_more: false })
    expect(body.items).toMatchObject([
      { email: 'bea@example.com', state: 'failed', said: expect.stringContaining('550 No such mailbox') },
    ])
  })

  it('that the server refuses for now waits, and fails after several tries', async () => {
    await end()
    await begin({ refuses: 'RCPT TO:<bea@', with: '450 Try later' })
    await aReader('bea')
    const id = await announce()
    await expect.poll(() => countsOf(id), { timeout: 15_000 }).toMatchObject({ waiting: 1, failed: 0 })
    await expect.poll(() => smtp.said().match(/RCPT TO/g)?.length, { timeout: 10_000 }).toBe(1)
    await sql`update announcement_mails set tries = 4, due_at = now()`.execute(app.deps.db)
    await sendAgain(id)
    await settled(id, { failed: 1 })
  })

  it('that was being sent when the process died counts as unknown and is not sent again', async () => {
    const readers = [await aReader('ada'), await aReader('bea')]
    const id = await announce({ starts_at: new Date(Date.now() + 3_600_000).toISOString() })
    await sql`insert into announcement_mails (announcement_id, user_id, state, due_at, changed_at)
      values (${id}, ${readers[0]?.id}, 'sending', now(), now())`.execute(app.deps.db)
    await sql`update announcements set starts_at = now()`.execute(app.deps.db)
    await sendAgain(id)
    await settled(id, { sent: 1, unknown: 1 })
    expect(smtp.reached()).toEqual(['bea@example.com'])
  })

  it('waits while the mail server cannot be reached, and says why', async () => {
    await aReader('ada')
    smtp.close()
    const id = await announce()
    await expect
      .poll(() => countsOf(id), { timeout: 15_000 })
      .toMatchObject({ waiting: 1, failed: 0, problem: 'unreachable', next_at: expect.any(String) })
  })
})

describe('ending an announcement', () => {
  it.each([
    ['it ends', 'end'],
    ['it goes by mail no more', 'change'],
  ])('stops the mails that wait when %s', async (_, how) => {
    await end()
    await begin({}, 60)
    for (const name of ['ada', 'bea', 'cal', 'dan']) await aReader(name)
    const id = await announce()
    await expect.poll(() => smtp.reached().length, { timeout: 15_000 }).toBeGreaterThan(0)
    if (how === 'end') await visitor.send('POST', `/admin/announcements/${id}/end`, undefined, root.token)
    else await visitor.send('PUT', `/admin/announcements/${id}`, aWish({ by_mail: false }), root.token)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const mails = await countsOf(id)
    expect(mails).toMatchObject({ waiting: 0, failed: 0, unknown: 0 })
    expect(mails?.stopped).toBeGreaterThan(0)
    expect(smtp.reached()).toHaveLength(mails?.sent ?? -1)
  })
})

describe('unsubscribing', () => {
  /** Sends an announcement and returns the address for mail programs. */
  async function anAddress(): Promise<string> {
    const id = await announce()
    await settled(id, { sent: 1 })
    const [, address = ''] = /List-Unsubscribe:\s*<([^>]+)>/.exec(said().replace(/\r\n /g, '')) ?? []
    return new URL(address).pathname + new URL(address).search
  }
  /** Posts over a real connection, because injected requests have no body that stays unread. */
  async function post(path: string, type: string, body: string) {
    if (app.http.addresses().length === 0) await app.http.listen({ host: '127.0.0.1', port: 0 })
    const address = app.http.listeningOrigin
    const answer = await fetch(address + path, { method: 'POST', headers: { 'content-type': type }, body })
    return { status: answer.status, code: ((await answer.json()) as { code?: string }).code }
  }
  const FORM = 'application/x-www-form-urlencoded'

  it.each([
    ['form', FORM, 'List-Unsubscribe=One-Click'],
    [
      'multipart',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('takes one request of a mail program (%s), without signing in', async (_, type, body) => {
    const ada = await aReader('ada')
    const address = await anAddress()
    expect((await post(address, type, body)).status).toBe(200)
    await settled(await announce(), { sent: 0 })
    expect(smtp.reached()).toEqual([ada.email])
    const wanted = { preferences: { announcement_mails: true } }
    await visitor.send('PUT', '/users/me/preferences', wanted, ada.token)
    await settled(await announce(), { sent: 1 })
  })

  it('does nothing when the address is only opened: that leads to a page', async () => {
    await aReader('ada')
    const address = await anAddress()
    const opened = await app.http.inject({ method: 'GET', url: address })
    expect(opened.statusCode).toBe(302)
    expect(String(opened.headers.location)).toContain('/login/unsubscribe?token=')
    await settled(await announce(), { sent: 1 })
  })

  it('refuses tokens that were not made for it', async () => {
    const { id } = await aReader('ada')
    const { secrets } = app.deps
    for (const token of [
      'x',
      secrets.seal('x'),
      secrets.seal(JSON.stringify({ stops: 'all', userId: id })),
    ]) {
      const path = `/api/v1/announcement-mails/unsubscribe?token=${encodeURIComponent(token)}`
      expect(await post(path, FORM, 'a=b')).toEqual({ status: 400, code: 'token_invalid' })
    }
    await settled(await announce(), { sent: 1 })
  })
})
