import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aMail, type ImapServer, startImapServer } from '#tests/imap-server.ts'
import { fails, says } from '#tests/model-server.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { requestAnswers } from './request-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of many routes
type Any = any

const AUTHSERV = 'mx.example.net'
const WAIT = { timeout: 60_000 }
let chat: Chat
let imap: ImapServer
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let owner: string
const config = () => ({
  ...{ IMAP_URL: imap.url, MAILBOX_ADDRESS: 'atrium@example.com', MAIL_TRUSTED_AUTHSERV: AUTHSERV },
  ...{ SMTP_URL: smtp.url, MAIL_FROM: 'Atrium <no-reply@example.com>', ATRIUM_LIMIT_MAILS_A_MINUTE: '60000' },
})
beforeAll(async () => {
  ;[imap, smtp] = await Promise.all([startImapServer(), startSmtpServer()])
  chat = await startChat({ app: { config: config() }, user: { role: 'member' } })
  owner = chat.user.email
})
afterAll(async () => {
  await chat.close()
  await imap.close()
  smtp.close()
})
beforeEach(async () => {
  chat.model.forget()
  chat.model.always([says('It opens at nine.')])
  chat.model.requests.length = 0
  await sql`delete from assistants where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
})

/** Creates an assistant that answers mails. */
async function anAssistant(senders: string[] = []): Promise<{ id: string; address: string }> {
  const made = await chat.call('POST', '/assistants', {
    ...{ name: 'Reception', system_prompt: 'You are the reception.', model_name: 'compatible/scripted' },
    status: 'published',
  })
  const { id } = made.body
  const { status, body } = await chat.call('PATCH', `/assistants/${id}/mail`, { is_on: true, senders })
  expect(status, JSON.stringify(body)).toBe(200)
  return { id, address: body.address }
}

/** Sends a mail that the mail server confirms, and waits until it was read. */
async function send({
  from = owner,
  headers = [],
  ...mail
}: Partial<Parameters<typeof aMail>[0]> & { to: string }) {
  const proof = `Authentication-Results: ${AUTHSERV}; dmarc=pass`
  imap.deliver(aMail({ from, headers: [proof, ...headers], ...mail }))
  await expect.poll(imap.unseen, WAIT).toEqual([])
}
const mails = async (id: string): Promise<Any[]> =>
  (await chat.call('GET', `/assistants/${id}/mail`)).body.recent.reverse()
/** Waits until the mails of an assistant have these states. */
const reach = (id: string, ...states: string[]) =>
  expect
    .poll(async () => {
      await requestAnswers(chat.app.deps)
      return (await mails(id)).map(({ state }) => state)
    }, WAIT)
    .toEqual(states)
/** Returns the mails that were sent, as texts. */
const sent = () => [...smtp.said().matchAll(/\r\nDATA\r\n([\s\S]*?)\r\n\.\r\n/g)].map(([, text = '']) => text)
const answersTo = (id: string) => sent().filter((text) => text.includes(`In-Reply-To: <${id}>`))
const asked = () => JSON.stringify(chat.model.requests.at(-1)?.messages)

describe('a mail to the address of an assistant', () => {
  it('is answered by mail in its thread, with its attachments read, if its sender is on the list [TG-08]', async () => {
    const { id, address } = await anAssistant(['paul@partner.example'])
    expect(address).toMatch(/^atrium\+[0-9a-f]{32}@example\.com$/)
    await send({
      ...{ to: address, from: 'Paul <paul@partner.example>', id: 'first@partner', subject: 'Opening hours' },
      text: 'When do you open?',
      attachments: [{ name: 'visit.txt', content: 'We come on the fourth of May.' }],
    })
    await reach(id, 'answered')
    expect(asked()).toContain('You are the reception.')
    expect(asked()).toContain('Mail from paul@partner.example, “Opening hours”:')
    expect(asked()).toContain('We come on the fourth of May.')
    const [answer = '', ...more] = answersTo('first@partner')
    expect(more).toEqual([])
    expect(answer).toMatch(/^To: paul@partner\.example$/m)
    expect(answer).toMatch(/^Subject: Re: Opening hours$/m)
    expect(answer).toMatch(/^References: <first@partner>$/m)
    expect(answer).toMatch(/^Auto-Submitted: auto-replied$/m)
    expect(answer.replace(/=\r\n/g, '')).toContain(`Reply-To: ${address}`)
    expect(answer).toContain('It opens at nine.')
    await send({ to: address, from: 'eve@other.example', id: 'eve@other' })
    await reach(id, 'answered', 'refused')
    expect(answersTo('eve@other')).toEqual([])
    const [, answerId = ''] = /^Message-ID: <([^>]+)>/m.exec(answer) ?? []
    const thread = ['In-Reply-To', 'References'].map((name) => `${name}: <first@partner> <${answerId}>`)
    await send({
      ...{ to: address, from: 'paul@partner.example', id: 'second@partner', subject: 'Re: Opening hours' },
      ...{ headers: thread, text: 'And on Sundays?' },
    })
    await reach(id, 'answered', 'refused', 'answered')
    const [again = ''] = answersTo('second@partner')
    expect(again).toMatch(/^Subject: Re: Opening hours$/m)
    expect(again.replace(/\r\n[ \t]+/g, ' ')).toContain(
      `References: <first@partner> <${answerId}> <second@partner>`,
    )
    const [first, , second] = await mails(id)
    expect(second.session_id).toBe(first.session_id)
    expect(asked()).toContain('And on Sundays?')
    expect(asked()).toContain('When do you open?')
    const session = (await chat.call('GET', `/sessions/${first.session_id}`)).body
    expect(session).toMatchObject({ title: 'Opening hours' })
    const { rows } = await sql<Any>`select is_by_others, metadata from messages
      where session_id = ${first.session_id} and role = 'user' order by created_at limit 10`.execute(
      chat.app.deps.db,
    )
    expect(rows.map((row) => row.is_by_others)).toEqual([true, true])
    expect(rows[0].metadata.files).toMatchObject([{ name: 'visit.txt' }])
  }, 120_000)

  it('is answered once, also when it comes again', async () => {
    const { id, address } = await anAssistant()
    await send({ to: address, id: 'once@x' })
    await send({ to: address, id: 'once@x' })
    await reach(id, 'answered')
    imap.forgetFlags()
    imap.cut()
    await expect.poll(imap.unseen, WAIT).toEqual([])
    await reach(id, 'answered')
    expect(answersTo('once@x')).toHaveLength(1)
  }, 120_000)

  it('is not answered again when sending was interrupted', async () => {
    const { id, address } = await anAssistant()
    await send({ to: address, id: 'interrupted@x' })
    await reach(id, 'answered')
    await sql`update assistant_mails set state = 'sending' where foreign_id = 'interrupted@x'`.execute(
      chat.app.deps.db,
    )
    await reach(id, 'unknown')
    expect(answersTo('interrupted@x')).toHaveLength(1)
  }, 120_000)

  it('is refused, logged without its text and not answered unless its sender is on the list and genuine', async () => {
    const { id, address } = await anAssistant(['@partner.example'])
    await send({ to: address, from: 'eve@other.example', id: 'eve@x', text: 'hidden' })
    const forged = `Authentication-Results: ${AUTHSERV}; dmarc=fail`
    imap.deliver(aMail({ to: address, from: owner, headers: [forged], id: 'forged@x' }))
    await send({ to: address, headers: ['Auto-Submitted: auto-replied'], id: 'auto@x' })
    await send({ to: address, from: 'no-reply@example.com', id: 'own@x' })
    const all = await mails(id)
    expect(all.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused', 'refused'])
    expect(all[0]).toMatchObject({
      detail: 'eve@other.example may not write to this assistant.',
      session_id: null,
    })
    await requestAnswers(chat.app.deps)
    const { rows } = await sql<Any>`select body from assistant_mails where assistant_id = ${id}`.execute(
      chat.app.deps.db,
    )
    expect(JSON.stringify(rows)).not.toContain('hidden')
    expect(chat.model.requests).toHaveLength(0)
    for (const refused of ['eve@x', 'forged@x', 'auto@x', 'own@x']) expect(answersTo(refused)).toEqual([])
  })

  it('joins no chat of another sender, whatever it refers to', async () => {
    const { id, address } = await anAssistant(['@partner.example'])
    await send({ to: address, from: 'paul@partner.example', id: 'paul@x' })
    await reach(id, 'answered')
    await send({ to: address, from: 'mia@partner.example', headers: ['In-Reply-To: <paul@x>'] })
    await reach(id, 'answered', 'answered')
    const [first, second] = await mails(id)
    expect(second.session_id).not.toBe(first.session_id)
  }, 120_000)

  it('is refused after 20 answers of its thread in an hour, and after 60 of the assistant', async () => {
    const { db } = chat.app.deps
    const { id, address } = await anAssistant()
    await send({ to: address, id: 'busy@x' })
    await reach(id, 'answered')
    const fill = (count: number) =>
      sql`insert into assistant_mails (assistant_id, thread_id, foreign_id, sender, subject, state)
      select assistant_id, thread_id, gen_random_uuid()::text, sender, '', 'answered' from assistant_mails, generate_series(1, ${count})
      where foreign_id = 'busy@x'`.execute(db)
    await fill(19)
    await send({ to: address, headers: ['References: <busy@x>'], id: 'more@x' })
    const detailOf = async (foreign: string) =>
      (await sql<Any>`select detail from assistant_mails where foreign_id = ${foreign}`.execute(db)).rows[0]
        ?.detail
    expect(await detailOf('more@x')).toBe('This assistant answers at most 20 mails of a thread an hour.')
    await fill(40)
    await send({ to: address, id: 'other@x' })
    expect(await detailOf('other@x')).toBe('This assistant answers at most 60 mails an hour.')
  }, 120_000)

  it('reaches nothing after the assistant has another owner, and is refused when it is off', async () => {
    const { id, address } = await anAssistant()
    await chat.call('PATCH', `/assistants/${id}/mail`, { is_on: false })
    await send({ to: address })
    expect(await mails(id)).toMatchObject([
      { state: 'refused', detail: 'This assistant does not answer mails.' },
    ])
    const other = await aUser(chat.app)
    await sql`update assistants set user_id = ${other.id} where id = ${id}`.execute(chat.app.deps.db)
    const { rows } = await sql`select from assistant_addresses where assistant_id = ${id}`.execute(
      chat.app.deps.db,
    )
    expect(rows).toHaveLength(0)
  })

  it('fails without an answer when its run fails', async () => {
    const { id, address } = await anAssistant()
    chat.model.always([fails(400)])
    await send({ to: address, id: 'failing@x' })
    await reach(id, 'failed')
    expect(answersTo('failing@x')).toEqual([])
  }, 120_000)
})

it('the mail of an assistant is set by those who manage it, and says for whom it answers', async () => {
  const { id } = await anAssistant(['@partner.example'])
  const { body } = await chat.call('GET', `/assistants/${id}/mail`)
  expect(body).toMatchObject({
    ...{ is_on: true, senders: ['@partner.example'], can_receive: true, can_send: true },
    ...{ verifies_senders: true, owner_address: owner, answers_for: chat.user.username },
  })
  const stranger = await aUser(chat.app)
  const refused = await fetch(`${chat.url}/assistants/${id}/mail`, { headers: stranger.headers })
  expect([403, 404]).toContain(refused.status)
  const changed = await chat.call('PATCH', `/assistants/${id}/mail`, { senders: ['@a.example'] })
  expect(changed.body).toMatchObject({ is_on: true, senders: ['@a.example'] })
  const without = await startChat({ user: { role: 'member' } })
  try {
    const made = await without.call('POST', '/assistants', { name: 'Reception' })
    const answer = await without.call('PATCH', `/assistants/${made.body.id}/mail`, { is_on: true })
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      'This installation does not receive mail. An administrator can set up a mailbox.',
    ])
  } finally {
    await without.close()
  }
})
