import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
let connection: ReturnType<typeof connect>
beforeAll(async () => {
  journey = await startJourney()
  connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
})
afterAll(async () => {
  await connection.close()
  await journey.close()
})
beforeEach(() => journey.fresh())

const db = () => connection.db

/** Things of a new account, and notifications about them. Returns the address of each kind. */
async function anAccount(name: string) {
  const token = await journey.signUp(name)
  const account = accountAt(journey.url, token, name)
  const { id: userId } = await account.call<{ id: string }>('GET', '/users/me')
  const notify = (kind: string, facts: object) =>
    sql`select notify_person(${userId}, ${kind}, ${kind}, ${JSON.stringify(facts)}::jsonb)`.execute(db())
  const form = new FormData()
  form.set('file', new Blob(['The lease ends in 2027.']), 'lease.txt')
  await fetch(`${journey.url}/api/v1/documents/upload`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form },
  })
  const { items: documents } = await account.call<{ items: { id: string }[] }>('GET', '/documents')
  const prompt = await account.call<{ id: string }>('POST', '/prompts', {
    ...{ name: 'Minutes', command: 'minutes', text: 'Write the minutes.', fields: [] },
  })
  const assistant = await account.call<{ id: string }>('POST', '/assistants', {
    ...{ name: 'Lawyer', system_prompt: 'Be exact.' },
  })
  const schedule = await account.call<{ id: string }>('POST', '/schedules', {
    ...{
      name: 'Watch',
      text: 'What is new?',
      rule: { kind: 'days', count: 1, time: '08:00' },
      time_zone: 'UTC',
    },
  })
  const { rows } = await sql<{ id: string }>`insert into slots (schedule_id, due_at, origin, state, ended_at)
    values (${schedule.id}, now() - interval '1 hour', 'hand', 'failed', now()) returning id`.execute(db())
  const slot = rows[0]?.id ?? ''
  const chat = await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
  journey.model.always(() => [says('The lease ends in 2027.')])
  const stream = await openStream(`${journey.url}/api/v1/sessions/${chat.id}/messages`, {
    ...{ method: 'POST', body: { content: 'When?' }, headers: { authorization: `Bearer ${token}` } },
  })
  await stream.ended
  const messageId = stream.view()?.message_id
  await sql`delete from notifications where user_id = ${userId} and kind <> 'reply_finished'`.execute(db())
  await notify('document_failed', { document_id: documents[0]?.id })
  await notify('budget_spent', { budget: { kind: 'user', period: 'month', amount: 10, spent: 10 } })
  await sql`select notify_person(${userId}, 'item_shared', 'prompt', ${JSON.stringify({ prompt_id: prompt.id })}::jsonb)`.execute(
    db(),
  )
  await sql`select notify_person(${userId}, 'item_shared', 'assistant', ${JSON.stringify({ assistant_id: assistant.id })}::jsonb)`.execute(
    db(),
  )
  for (const kind of ['schedule_failed', 'reminder'])
    await sql`select notify_of_schedule(${userId}, ${kind}, ${kind}, ${schedule.id}, ${slot})`.execute(db())
  type Item = { kind: string; path: string; read_at: string | null }
  const listed = async () => (await account.call<{ items: Item[] }>('GET', '/notifications')).items
  const documentId = documents[0]?.id
  return { token, listed, chat, messageId, documentId, prompt, assistant, schedule, slot }
}

describe('the place of a notification', () => {
  it('is exact, and opening it in another browser marks the notification as read [NT-07]', {
    timeout: 240_000,
  }, async () => {
    const { token, listed, chat, messageId, documentId, prompt, assistant, schedule, slot } =
      await anAccount('nadia')
    expect((await listed()).map(({ path }) => path).sort()).toEqual(
      [
        ...[
          `/documents/${documentId}`,
          '/user/billing',
          `/prompts/${prompt.id}`,
          `/assistant/${assistant.id}`,
        ],
        `/chat/${chat.id}?message=${messageId}`,
        ...[`/schedules/${schedule.id}?slot=${slot}`, `/schedules/${schedule.id}?slot=${slot}`],
      ].sort(),
    )
    const [here, there] = [await journey.open('/inbox', { token }), await journey.open('/inbox', { token })]
    const bell = here.getByRole('button', { name: /^Notifications/ })
    await bell.filter({ hasText: '7' }).waitFor(WAIT)
    for (const path of new Set((await listed()).map((item) => item.path.split('?')[0] ?? ''))) {
      await there.bringToFront()
      await there.goto(journey.url + path)
      const unread = async () =>
        (await listed()).filter((item) => item.path.startsWith(path) && item.read_at === null)
      await expect.poll(unread, { ...WAIT, message: path }).toEqual([])
    }
    await expect.poll(() => bell.getAttribute('aria-label'), WAIT).toBe('Notifications')
    expect(journey.errors).toEqual([])
  })

  it('is the run of a schedule, which its log shows', { timeout: 120_000 }, async () => {
    const { token, slot } = await anAccount('nela')
    const page = await journey.open('/notifications', { token })
    await page
      .getByRole('link', { name: /The schedule .*Watch.* failed/ })
      .last()
      .click()
    await page.waitForURL(`**/schedules/*?slot=${slot}`)
    const row = page.locator('li[aria-current]')
    await row.waitFor(WAIT)
    expect(await row.innerText()).toContain('Failed')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/notify-slot-light-1280.png` })
    expect(journey.errors).toEqual([])
  })
})
