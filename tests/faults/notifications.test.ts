import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { aUser, type TestUser } from '../support/builders.ts'
import { startPushService } from '../support/push-service.ts'
import { startSendingProcess } from '../support/sending-process.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { aDocument } from '../support/stored-document.ts'

const EVENTS = Number(process.env.NOTIFICATION_EVENTS ?? 60)
const KILLS = Number(process.env.NOTIFICATION_KILLS ?? 4)
const PEOPLE = 10
/** Browsers of each person. */
const BROWSERS = 3

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let service: Awaited<ReturnType<typeof startPushService>>
let app: TestApp
let people: TestUser[]
const browsers: ReturnType<typeof service.subscribe>[][] = []
const config = () => ({
  ...{ SMTP_URL: smtp.url, ATRIUM_LIMIT_MAILS_A_MINUTE: '6000' },
  ATRIUM_TOOLS_PRIVATE: service.url,
  ATRIUM_SECRET_KEY: 'of all that share this database',
})
beforeAll(async () => {
  smtp = await startSmtpServer()
  service = await startPushService()
  app = await startApp({ config: config(), jobs: false })
  people = await Promise.all(Array.from({ length: PEOPLE }, () => aUser(app)))
  for (const { id } of people) {
    await sql`insert into notification_settings (user_id, switches) values (${id}, '{"document_failed.mail": true, "document_failed.push": true}')`.execute(
      app.deps.db,
    )
    await sql`insert into webhooks (user_id, name, url, events, secret)
      values (${id}, 'Desk', 'https://desk.example/', '{notification.created}', 'sealed')`.execute(
      app.deps.db,
    )
    browsers.push(await subscribe(id))
  }
})
afterAll(async () => {
  await app.close()
  smtp.close()
  service.close()
})

/** Lets three browsers of a person show notifications. */
async function subscribe(userId: string) {
  const all = Array.from({ length: BROWSERS }, () => service.subscribe())
  for (const { endpoint, keys } of all)
    await sql`insert into push_subscriptions (user_id, token_hash, endpoint, p256dh, auth)
      select user_id, token_hash, ${endpoint}, ${keys.p256dh}, ${keys.auth} from access_tokens
      where user_id = ${userId} order by created_at limit 1`.execute(app.deps.db)
  return all
}

/** Returns how many browsers show each notification. A repeated push has the tag of the first, which it replaces. */
function shownBy(owner: number, id: string): number {
  return (browsers[owner] ?? []).filter(({ got }) => got.some(({ message }) => message.tag === id)).length
}

/** Lets the reading of a new document fail; every third notification is read before it is due. Returns the document. */
async function happen(n: number): Promise<string> {
  const { db } = app.deps
  const { documentId } = await aDocument(app, people[n % PEOPLE] as TestUser)
  await db.transaction().execute(async (trx) => {
    await sql`update documents set status = 'in_progress' where id = ${documentId}`.execute(trx)
    await sql`update documents set status = 'failed' where id = ${documentId}`.execute(trx)
    // Writes the notification now, so that it is read before any process sees it.
    await sql`set constraints all immediate`.execute(trx)
    if (isRead(n))
      await sql`update notifications set read_at = now() where document_id = ${documentId}`.execute(trx)
  })
  await sql`update notification_deliveries d set due_at = now() from notifications n
    where n.id = d.notification_id and n.document_id = ${documentId} and d.state = 'waiting'`.execute(db)
  return documentId
}
const isRead = (n: number) => n % 3 === 0

/** Lets the hour between two mails of a kind pass. */
const passAnHour = () =>
  sql`update notification_deliveries set changed_at = changed_at - interval '1 hour',
    due_at = case when due_at < now() + interval '30 seconds' then due_at else now() end
    where state in ('sent', 'unknown') and changed_at > now() - interval '1 hour'
      or state = 'waiting' and due_at > now() + interval '2 minutes'`.execute(app.deps.db)

/** Returns the mails that arrived whole. */
const mails = () =>
  smtp
    .said()
    .replace(/=\r\n/g, '')
    .split('DATA\r\n')
    .filter((text) => text.includes('\r\n.\r\n'))

it('sends each notification at most once per channel, and none that was read, when the process is killed repeatedly', {
  timeout: 600_000,
}, async () => {
  const { db } = app.deps
  const documents: string[] = []
  let sending = await startSendingProcess(app.address, config())
  for (let n = 0; n < EVENTS; n += 1) {
    documents.push(await happen(n))
    if ((n + 1) % Math.ceil(EVENTS / KILLS) === 0) {
      // The mail server takes a mail, and its answer is lost.
      smtp.mute(true)
      const before = smtp.reached().length
      await passAnHour()
      for (let tries = 0; tries < 300 && smtp.reached().length === before; tries += 1) await sleep(10)
      await sending.kill()
      smtp.mute(false)
      sending = await startSendingProcess(app.address, config())
    }
  }
  const waiting = async () => {
    await passAnHour()
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from notification_deliveries
      where state in ('waiting', 'sending')`.execute(db)
    return rows[0]?.count
  }
  await expect.poll(waiting, { timeout: 120_000, interval: 200 }).toBe(0)
  await sending.kill()
  const { rows } = await sql<{ id: string; notification: string; channel: string; state: string }>`
    select n.document_id as id, n.id as notification, d.channel, d.state from notification_deliveries d
      join notifications n on n.id = d.notification_id order by n.created_at`.execute(db)
  const told = await sql<{ id: string }>`select data ->> 'document_id' as id from webhook_deliveries`.execute(
    db,
  )
  const arrived = mails()
  const wrong = documents.flatMap((id, n) => {
    const byMail = arrived.filter((text) => text.includes(id)).length
    const byWebhook = told.rows.filter((row) => row.id === id).length
    const notification = rows.find((row) => row.id === id)?.notification ?? ''
    const shown = shownBy(n % PEOPLE, notification)
    const states = rows.filter((row) => row.id === id).map(({ channel, state }) => `${channel} ${state}`)
    const isRight = isRead(n)
      ? byMail === 0 && byWebhook === 0 && shown === 0 && states.every((state) => state.endsWith('skipped'))
      : byWebhook === 1 &&
        shown === BROWSERS &&
        states.includes('push sent') &&
        (states.includes('mail sent') ? byMail === 1 : byMail <= 1)
    return isRight && states.length === 3 ? [] : [{ n, byMail, byWebhook, shown, states }]
  })
  expect(wrong).toEqual([])
  expect(rows.filter(({ state }) => state === 'failed')).toEqual([])
  const lost = await sql<{
    count: number
  }>`select count(distinct mail_id)::int as count from notification_deliveries
    where state = 'unknown'`.execute(db)
  const unknown = lost.rows[0]?.count ?? 0
  expect(unknown).toBeGreaterThan(0)
  expect(unknown).toBeLessThanOrEqual(KILLS)
  console.info(
    `${EVENTS} events, ${KILLS} kills, ${arrived.length} mails, ${unknown} of them with an unknown outcome`,
  )
})
