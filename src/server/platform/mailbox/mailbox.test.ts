import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cleanAfterEach } from '#tests/cleanups.ts'
import { cloneDatabase } from '#tests/database.ts'
import { aMail, type ImapServer, startImapServer } from '#tests/imap-server.ts'
import { type Connection, connect } from '../db/db.ts'
import { type Instance, startInstance } from '../instances.ts'
import { createLog } from '../log.ts'
import { createMailbox } from './mailbox.ts'
import type { ArrivedMail, Mailbox } from './mailbox-port.ts'

const { afterwards } = cleanAfterEach()
const log = createLog('silent')
const TO = 'atrium+token000@example.com'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let connection: Connection
let server: ImapServer
beforeAll(async () => {
  database = await cloneDatabase()
  connection = connect(database.address, log)
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})
beforeEach(async () => {
  await connection.pool.query('delete from mailbox_state')
  server = await startImapServer()
  afterwards(server.close)
})

let instances: Instance[] = []
beforeAll(async () => {
  const start = () => startInstance({ ...connection, log, works: false })
  instances = await Promise.all([start(), start(), start()])
})
afterAll(async () => {
  await Promise.all(instances.map((one) => one.stop()))
})

function aMailbox(more: Record<string, string> = {}, { pollMs = 200, process = 0 } = {}): Mailbox {
  const config = { IMAP_URL: server.url, MAILBOX_ADDRESS: 'atrium@example.com', MAIL_FROM: 'A <a@b.example>' }
  const instance = instances[process] as Instance
  const { db } = connection
  const made = createMailbox({ config: { ...config, ...more } as never, db, instance, log, pollMs })
  afterwards(made.stop)
  return made
}

/** Starts a mailbox whose mails are collected. */
function collect(more: Record<string, string> = {}) {
  const got: { token: string; mail: ArrivedMail }[] = []
  const mailbox = aMailbox(more)
  mailbox.onMail(async (token, mail) => {
    got.push({ token, mail })
    return true
  })
  mailbox.start()
  return { got, mailbox }
}
const read = () => expect.poll(server.unseen, { timeout: 10_000 }).toEqual([])

describe('the mailbox', () => {
  it('reads a mail that waited and one that the server announces, each once, and marks it as read', async () => {
    server.deliver(aMail({ to: TO, subject: '=?utf-8?q?Offre_=C3=A9t=C3=A9?=' }))
    const { got, mailbox } = collect()
    await read()
    server.deliver(aMail({ to: 'other@example.com' }))
    server.deliver(aMail({ to: TO, id: 'second@x' }))
    await read()
    expect(got.map(({ token }) => token)).toEqual(['token000', 'token000'])
    expect(got[0]?.mail.shown).toMatchObject({ subject: 'Offre été', from: 'ada@example.com' })
    expect(got[1]?.mail).toMatchObject({ id: 'second@x', sender: 'ada@example.com', refusal: null })
    expect(await mailbox.state()).toEqual({ kind: 'read', error: '' })
  })

  it('reads only the beginning of a mail until a receiver opens it', async () => {
    server.deliver(aMail({ to: TO, attachments: [{ name: 'a.txt', content: 'x'.repeat(200_000) }] }))
    const { got } = collect()
    await read()
    expect(server.said().filter((line) => line.includes('BODY.PEEK[]')).length).toBe(1)
    expect(server.said().some((line) => line.includes('BODY.PEEK[]<0.65536>'))).toBe(true)
    const opened = await got[0]?.mail.open()
    expect(opened?.attachments).toMatchObject([{ name: 'a.txt' }])
    expect(opened?.attachments[0]?.bytes.length).toBe(200_000)
    expect(opened?.text).toBe('Please check this.')
  })

  it('reads the text of HTML, and says what cannot be read', async () => {
    server.deliver(
      aMail({
        to: TO,
        html: '<style>p{}</style>İ<!-- <p>no -->&#33;<P>Hello <b>you</b>&nbsp;there</p><script>x()</script><p>Bye',
      }),
    )
    const many = Array.from({ length: 11 }, (_, at) => ({ name: `${at}.txt`, content: 'x' }))
    server.deliver(aMail({ to: TO, attachments: many }))
    server.deliver(
      `From: ada@example.com\r\nTo: ${TO}\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n--x`,
    )
    const { got } = collect()
    await read()
    expect((await got[0]?.mail.open())?.text).toBe('İ!\nHello you there\n\nBye')
    await expect(got[1]?.mail.open()).rejects.toMatchObject({ code: 'too_large' })
    expect(await got[2]?.mail.open()).toMatchObject({ attachments: [] })
  })

  it('refuses automatic mails, its own, too large ones, and those with an unclear sender', async () => {
    server.deliver(aMail({ to: TO, headers: ['Auto-Submitted: auto-replied'] }))
    server.deliver(aMail({ to: TO, from: 'Atrium <atrium+token000@example.com>' }))
    server.deliver(aMail({ to: TO, from: 'a@b.example' }))
    server.deliver(aMail({ to: TO, from: 'ada@example.com, bob@example.com' }))
    server.deliver(`${aMail({ to: TO })}${'x'.repeat(25 * 1024 * 1024)}`)
    const { got } = collect()
    await read()
    expect(got.map(({ mail }) => mail.refusal)).toEqual([
      'The mail was sent automatically: an absence, a bounce or a mailing list.',
      'The mail comes from this installation itself.',
      'The mail comes from this installation itself.',
      'The mail does not name exactly one sender.',
      'The mail is larger than 25 MB.',
    ])
  })

  it('refuses senders whom the trusted server does not confirm', async () => {
    const results = 'Authentication-Results: mx.example.net; dmarc='
    server.deliver(aMail({ to: TO }))
    server.deliver(aMail({ to: TO, headers: [`${results}fail header.from=example.com`] }))
    server.deliver(aMail({ to: TO, headers: [`${results}pass header.from=example.com`] }))
    const { got, mailbox } = collect({ MAIL_TRUSTED_AUTHSERV: 'mx.example.net' })
    await read()
    const refused = 'The mail server did not confirm the sender (DMARC, DKIM or SPF).'
    expect(got.map(({ mail }) => mail.refusal)).toEqual([refused, refused, null])
    expect(mailbox.verifiesSenders).toBe(true)
    expect(aMailbox().verifiesSenders).toBe(false)
  })

  it('leaves a mail unread until its receiver has stored it, and gives up after five attempts', async () => {
    const mailbox = aMailbox()
    const attempts: string[] = []
    mailbox.onMail(async (_, { id }) => {
      attempts.push(id)
      expect(server.unseen().length).toBeGreaterThan(0)
      if (id === 'broken@x' || (id === 'later@x' && attempts.length < 4)) throw new Error('not stored')
      return true
    })
    server.deliver(aMail({ to: TO, id: 'broken@x' }))
    server.deliver(aMail({ to: TO, id: 'later@x' }))
    mailbox.start()
    await read()
    expect(attempts.filter((id) => id === 'broken@x')).toHaveLength(5)
    expect(attempts.filter((id) => id === 'later@x')).toHaveLength(2)
  })

  it('is read by one of several processes, and by another one when that stops', async () => {
    const got: string[] = []
    const mailboxes = [0, 1, 2].map((number) => {
      const mailbox = aMailbox({}, { pollMs: 100, process: number })
      mailbox.onMail(async () => got.push(`${number}`) > 0)
      mailbox.start()
      return mailbox
    })
    server.deliver(aMail({ to: TO }))
    await read()
    const [first = ''] = got
    await mailboxes[Number(first)]?.stop()
    server.deliver(aMail({ to: TO }))
    await read()
    expect(got).toHaveLength(2)
    expect(got[1]).not.toBe(first)
    expect(server.mostAtOnce()).toBe(1)
  })

  it('says why it cannot be read, and continues once it can', async () => {
    server.refuse('Invalid credentials')
    const { mailbox, got } = collect()
    await expect
      .poll(mailbox.state)
      .toEqual({ kind: 'failing', error: expect.stringContaining('Invalid credentials') })
    server.refuse(null)
    server.deliver(aMail({ to: TO }))
    await read()
    expect(got).toHaveLength(1)
    await expect.poll(mailbox.state).toEqual({ kind: 'read', error: '' })
    server.cut()
    server.deliver(aMail({ to: TO }))
    await read()
    expect(got).toHaveLength(2)
  }, 30_000)

  it('does nothing without settings', async () => {
    const mailbox = aMailbox({ IMAP_URL: '' })
    mailbox.start()
    expect(mailbox.address).toBeNull()
    expect(mailbox.addressOf('token000')).toBeNull()
    expect(await mailbox.state()).toEqual({ kind: 'off', error: '' })
    expect(aMailbox().addressOf('token000')).toBe(TO)
  })
})
