import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, askToAct, decide, endOf, runAlone } from '#tests/actions/acting.ts'
import { type MailboxWorld, startMailboxWorld } from '#tests/actions/mailbox-world.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let world: MailboxWorld
let chat: Chat
beforeAll(async () => {
  world = await startMailboxWorld()
  const allowed = [world.imapPort, world.smtpPort].map((port) => `http://127.0.0.1:${port}`)
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: allowed.join() } } })
})
afterAll(async () => {
  await chat.close()
  await world.close()
})
beforeEach(async () => {
  world.delivered.length = 0
  world.cuts = () => false
  for (const mails of world.folders.values()) mails.length = 0
  await sql`delete from personal_accounts`.execute(chat.app.deps.db)
  await sql`delete from tool_policies`.execute(chat.app.deps.db)
})

const connect = async () => {
  const answer = await chat.call('PUT', '/personal-accounts/imap', world.settings('ada@example.com'))
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const mail = { to: ['bob@example.org'], subject: 'Offer', body: 'Dear Bob,\nhere it is.' }
const aMail = (subject: string, text = 'Hello.') =>
  [
    `From: bob@example.org`,
    'To: ada@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x>`,
    '',
    text,
  ].join('\r\n')

describe('a mailbox of a person', () => {
  it('is tried before it is connected, and its password is never shown', async () => {
    const wrong = { ...world.settings('ada@example.com'), password: 'wrong' }
    const refused = await chat.call('PUT', '/personal-accounts/imap', wrong)
    expect([refused.status, refused.body.detail]).toEqual([422, '127.0.0.1 refuses the sign-in.'])
    const made = await connect()
    expect(made).toMatchObject({ kind: 'imap', is_offered: true, connected: { address: 'ada@example.com' } })
    const { body } = await chat.call('GET', '/personal-accounts')
    expect(JSON.stringify(body)).not.toContain('sesame')
    const { rows } = await sql`select sealed from personal_accounts`.execute(chat.app.deps.db)
    expect(JSON.stringify(rows)).not.toContain('sesame')
  })

  it('gives tools for mail to its person only while it is connected', async () => {
    const offered = async () => (await chat.call('GET', '/tools')).body.map(({ id }: { id: string }) => id)
    expect(await offered()).not.toContain('send_mail')
    await connect()
    expect(await offered()).toEqual(
      expect.arrayContaining(['search_mail', 'read_mail', 'send_mail', 'file_mail']),
    )
    expect(await offered()).not.toContain('create_event')
    const removed = { method: 'DELETE', headers: chat.user.headers }
    expect((await fetch(`${chat.url}/personal-accounts/imap`, removed)).status).toBe(204)
    expect(await offered()).not.toContain('send_mail')
  })

  it('is searched and read', async () => {
    await connect()
    world.add('INBOX', aMail('Lunch'))
    world.add('INBOX', aMail('Offer', 'The offer is 45,150 EUR.'))
    const { mails } = (await runAlone(chat, 'search_mail', { subject: 'offer' })).result
    expect(mails).toMatchObject([
      { id: '7:2:INBOX', from: 'bob@example.org', subject: 'Offer', folder: 'INBOX' },
    ])
    expect((await runAlone(chat, 'read_mail', { id: mails[0].id })).result.text).toBe(
      'The offer is 45,150 EUR.',
    )
    expect(world.said.some((one) => /^(?:UID )?STORE/.test(one))).toBe(false)
  })
})

describe('a mail to send', () => {
  it('is shown as a draft with its sender, and what the person changed is sent', async () => {
    await connect()
    const { execution, request } = await askToAct(chat, 'send_mail', mail)
    expect(request).toMatchObject({
      ...{ kind: 'approval' },
      tool: { tool_id: 'send_mail', draft: 'mail', input: { ...mail, from: 'ada@example.com' } },
    })
    expect(world.delivered).toEqual([])
    const changed = {
      ...mail,
      from: 'ada@example.com',
      to: ['carol@example.org'],
      subject: 'Changed',
      bcc: ['eve@example.org'],
    }
    expect(await approve(chat, execution, changed)).toMatchObject({
      status: 'complete',
      result: { refused: [] },
    })
    expect(world.delivered).toHaveLength(1)
    const [sent] = world.delivered
    expect(sent?.to).toEqual(['carol@example.org', 'eve@example.org'])
    expect(sent?.raw).toMatch(/^From: Ada <ada@example.com>$/m)
    expect(sent?.raw).toMatch(/^Subject: Changed$/m)
    expect(sent?.raw).toContain('Dear Bob,\r\nhere it is.')
    expect(sent?.raw).not.toContain('eve@')
    await expect.poll(() => world.folders.get('Sent')?.length).toBe(1)
    expect(world.folders.get('Sent')?.[0]?.raw.trim()).toBe(sent?.raw.trim())
  })

  it('answers a mail with its sender, subject and thread filled in', async () => {
    await connect()
    world.add('INBOX', aMail('Offer'))
    const { execution, request } = await askToAct(chat, 'send_mail', { body: 'Yes.', reply_to: '7:1:INBOX' })
    expect(request?.tool?.input).toMatchObject({ to: ['bob@example.org'], subject: 'Re: Offer' })
    expect((await approve(chat, execution)).error).toBeNull()
    expect(world.delivered[0]?.raw).toMatch(/^In-Reply-To: <Offer@x>$/m)
  })

  it('is not sent when the person declines it, or the draft is not valid', async () => {
    await connect()
    const { execution } = await askToAct(chat, 'send_mail', mail)
    const wrong = { ...mail, to: ['bob\r\nBcc: eve@example.org'] }
    expect((await decide(chat, execution, { approved: true, arguments: wrong })).status).toBe(422)
    await decide(chat, execution, { approved: false })
    expect(await endOf(chat, execution)).toMatchObject({ status: 'error' })
    expect(world.delivered).toEqual([])
  })
})

describe('a mail whose connection breaks', () => {
  it.each([
    ['before the server accepted it', 'mail', 'retry', 'complete'],
    ['after the server accepted it', 'accepted', 'skip', 'error'],
  ])('%s is never repeated unseen: the person is asked [AC-02]', async (_, point, choice, status) => {
    await connect()
    const { execution } = await askToAct(chat, 'send_mail', mail)
    let cuts = 0
    world.cuts = (at) => at === point && cuts++ === 0
    expect((await decide(chat, execution, { approved: true })).status).toBe(200)
    const waiting = async () =>
      (await chat.call('GET', '/input-requests')).body.items.find(
        (one: { request: { kind: string } }) => one.request.kind === 'interrupted',
      )
    await expect.poll(waiting, { timeout: 20_000 }).toBeTruthy()
    expect(world.delivered).toHaveLength(point === 'accepted' ? 1 : 0)
    expect((await decide(chat, execution, choice, 'text')).status).toBe(200)
    expect((await endOf(chat, execution)).status).toBe(status)
    expect(world.delivered).toHaveLength(1)
  })
})

describe('a mail to file', () => {
  it('is shown with its subject, and moved once', async () => {
    await connect()
    world.add('INBOX', aMail('Offer'))
    const { execution, request } = await askToAct(chat, 'file_mail', { mail: '7:1:INBOX', folder: 'Archive' })
    expect(request?.tool).toMatchObject({ draft: 'filing', input: { subject: 'Offer', folder: 'Archive' } })
    expect((await approve(chat, execution)).error).toBeNull()
    expect([world.folders.get('INBOX'), world.folders.get('Archive')]).toMatchObject([[], [{}]])
  })
})
