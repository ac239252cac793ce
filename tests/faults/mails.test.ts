import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser, type TestUser } from '../support/builders.ts'
import { aMail, type ImapServer, startImapServer } from '../support/imap-server.ts'
import { startMailboxProcess } from '../support/mailbox-process.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

const MAILS = Number(process.env.MAILS ?? 40)
const KILLS = Number(process.env.MAIL_KILLS ?? 6)
const TOKEN = 'a0b1c2d3e4f5'

let server: ImapServer
let app: TestApp
let owner: TestUser
const scheduleId = randomUUID()
const config = () => ({
  ...{ IMAP_URL: server.url, MAILBOX_ADDRESS: 'atrium@example.com' },
  ATRIUM_SECRET_KEY: 'of all that share this database',
})
beforeAll(async () => {
  server = await startImapServer()
  app = await startApp({ config: config(), jobs: false })
  owner = await aUser(app)
  await sql`insert into schedules (id, user_id, kind, name, rule, time_zone, anchor_at, planned_until, text, missed, target, overlap, mail_token)
    values (${scheduleId}, ${owner.id}, 'prompt', 'Offers', '{"kind": "mail", "senders": []}', 'UTC', now(), now(), 'Check it.', 'last',
      'new_chats', 'parallel', ${TOKEN})`.execute(app.deps.db)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await query.execute(app.deps.db)).rows[0]?.count ?? 0
}

it('answers each mail at most once while the process that answers is killed', {
  timeout: 600_000,
}, async () => {
  const { db } = app.deps
  const smtp = await startSmtpServer()
  const sending = { ...config(), SMTP_URL: smtp.url, ATRIUM_LIMIT_MAILS_A_MINUTE: '60000' }
  const payload = { name: 'Reception', status: 'published' }
  const made = await app.http.inject({
    method: 'POST',
    url: '/api/v1/assistants',
    headers: owner.headers,
    payload,
  })
  await sql`insert into assistant_addresses (assistant_id, user_id, token, is_on)
    values (${made.json().id}, ${owner.id}, ${`${TOKEN}f`}, true)`.execute(db)
  let total = 0
  for (let killed = 0; killed <= KILLS; killed++) {
    const process = await startMailboxProcess(app.address, sending)
    for (let n = 0; n < 5; n++) {
      const id = `ask-${total++}@x`
      server.deliver(
        aMail({ to: `atrium+${TOKEN}f@example.com`, from: owner.email, id, text: 'What is 2 + 2?' }),
      )
    }
    if (killed < KILLS) await sleep(500 + Math.random() * 2_500)
    else
      await expect
        .poll(
          () =>
            count(
              sql`select count(*)::int as count from assistant_mails where state in ('answered', 'unknown')`,
            ),
          { timeout: 240_000 },
        )
        .toBe(total)
    await process.kill()
  }
  const { rows } = await sql<{ foreign_id: string; state: string }>`
    select foreign_id, state from assistant_mails order by foreign_id limit 1000`.execute(db)
  expect(rows).toHaveLength(total)
  for (const { foreign_id, state } of rows) {
    const answers = smtp.said().split(`In-Reply-To: <${foreign_id}>`).length - 1
    if (state === 'answered') expect(answers, foreign_id).toBe(1)
    else expect(answers, foreign_id).toBeLessThanOrEqual(1)
  }
  expect(rows.filter(({ state }) => state === 'unknown').length).toBeLessThanOrEqual(KILLS)
  expect(await count(sql`select count(*)::int as count from mail_threads`)).toBe(total)
  await sql`delete from documents`.execute(db)
  smtp.close()
})

it('starts one run per mail with each attachment once, while its readers are killed', {
  timeout: 600_000,
}, async () => {
  const { db } = app.deps
  let sent = 0
  const deliver = () => {
    sent++
    server.deliver(
      aMail({
        ...{
          to: `atrium+${TOKEN}@example.com`,
          from: owner.email,
          id: `mail-${sent}@x`,
          text: `Mail ${sent}`,
        },
        attachments: [1, 2].map((n) => ({ name: `${sent} ${n}.txt`, content: `Attachment ${sent} ${n}` })),
      }),
    )
  }
  let readers = await Promise.all([startMailboxProcess(app.address, config())])
  for (let killed = 0; killed < KILLS; killed++) {
    const next = startMailboxProcess(app.address, config())
    for (let n = 0; n < MAILS / KILLS; n++) {
      deliver()
      await sleep(Math.random() * 60)
    }
    // A killed reader dies at any moment of its work.
    await sleep(Math.random() * 200)
    const [first] = readers
    await first?.kill()
    // The hour of a schedule is full after 60 deliveries.
    await sql`update trigger_deliveries set received_at = received_at - interval '2 hours'`.execute(db)
    readers = [await next]
  }
  await expect.poll(server.unseen, { timeout: 120_000 }).toEqual([])
  const mails = sent
  expect(await count(sql`select count(*)::int as count from trigger_deliveries where status = 202`)).toBe(
    mails,
  )
  expect(await count(sql`select count(*)::int as count from trigger_deliveries where status <> 202`)).toBe(0)
  expect(await count(sql`select count(*)::int as count from slots`)).toBe(mails)
  expect(await count(sql`select count(*)::int as count from mail_attachments`)).toBe(mails * 2)
  expect(await count(sql`select count(*)::int as count from documents`)).toBe(mails * 2)
  server.forgetFlags()
  server.cut()
  await expect.poll(server.unseen, { timeout: 120_000 }).toEqual([])
  expect(await count(sql`select count(*)::int as count from slots`)).toBe(mails)
  expect(await count(sql`select count(*)::int as count from documents`)).toBe(mails * 2)
  await Promise.all(readers.map((one) => one.kill()))
})
