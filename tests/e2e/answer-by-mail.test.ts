import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

/** Allows for loaded machines, and for the minute in which a mail waits. */
const WAIT = { timeout: 30_000 }
const MAIL_MS = 200_000

let journey: Journey
let connection: ReturnType<typeof connect>
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
beforeAll(async () => {
  smtp = await startSmtpServer()
  journey = await startJourney({ env: { SMTP_URL: smtp.url, ATRIUM_LIMIT_MAILS_A_MINUTE: '6000' } })
  connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
})
afterAll(async () => {
  await connection.close()
  await journey.close()
  smtp.close()
})
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'notifications', key)

async function shoot(page: Page, name: string) {
  if (!process.env.SHOTS) return
  await page.waitForTimeout(800)
  await page.screenshot({ path: `${process.env.SHOTS}/notify-${name}.png`, fullPage: true })
}

/** Creates an account. An account is verified before it can sign in, because there is a mail server. */
async function signUp(name: string, language: 'en' | 'fr'): Promise<string> {
  return journey.signUp(name, language).catch(async () => {
    await sql`update users set email_verified_at = now() where username = ${name}`.execute(connection.db)
    const answer = await fetch(`${journey.url}/api/v1/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: name, password: PASSWORD }),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  })
}

/** Asks a question in a new chat of a new account. Returns the addresses of the links that the mail has. */
async function aMail(name: string, input: object, language: 'en' | 'fr' = 'en') {
  const token = await signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const { id: userId } = await account.call<{ id: string }>('GET', '/users/me')
  await sql`update users set email_verified_at = now(), language = ${language} where id = ${userId}`.execute(
    connection.db,
  )
  const before = smtp.said().length
  await account.call('PATCH', '/notifications/settings', { only_away: false, shows_content: true })
  const { id } = await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
  journey.model.reply([calls('ask_person', input)], [says('Thank you.')])
  journey.model.always(() => [says('Thank you.')])
  const stream = await openStream(`${journey.url}/api/v1/sessions/${id}/messages`, {
    method: 'POST',
    body: { content: 'Go' },
    headers: { authorization: `Bearer ${token}` },
  })
  await stream.ended
  await sql`update notification_deliveries set due_at = now() where state = 'waiting'`.execute(connection.db)
  const text = () =>
    smtp.said().slice(before).replace(/=\r\n/g, '').replaceAll('=3D', '=').replaceAll('..', '.')
  const found = () => [...text().matchAll(/(\/login\/answer\?lang=[^\s"]+)\r/g)].map(([, path = '']) => path)
  for (const until = Date.now() + MAIL_MS; found().length === 0 && Date.now() < until; ) await sleep(500)
  const state = async () =>
    (await account.call<{ items: unknown[] }>('GET', '/input-requests?status=answered')).items.length
  return { paths: found(), state, id, userId }
}

describe('a question in a mail', () => {
  it('is answered once, before its deadline and by its addressee, through a link and a page that asks [NT-05]', {
    timeout: 560_000,
  }, async () => {
    await answersYes()
    await answersChoice()
    await refusesLate()
  })

  async function answersYes() {
    const { paths, state } = await aMail('claire', {
      prompt: 'May I use the meter readings for Lyon?',
      type: 'boolean',
    })
    expect(paths).toHaveLength(2)
    const page = await journey.open(paths[0] ?? '')
    await page.getByRole('heading', { name: 'May I use the meter readings for Lyon?' }).waitFor(WAIT)
    expect(await page.getByRole('radio', { name: say('answer.yes') }).isChecked()).toBe(true)
    await shoot(page, 'answer-light-1280')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    const dark = await journey.open(paths[1] ?? '', { theme: 'dark', width: 390, height: 844 })
    await dark.getByRole('radio', { name: say('answer.no') }).waitFor(WAIT)
    await shoot(dark, 'answer-dark-390')
    expect(await dark.evaluate('document.documentElement.scrollWidth')).toBe(390)
    // Opening the pages has changed nothing.
    expect(await state()).toBe(0)
    await page.getByRole('radio', { name: say('answer.yes') }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(say('answer.sent'), { exact: true }).waitFor(WAIT)
    await expect.poll(state, WAIT).toBe(1)
    await dark.getByRole('button', { name: say('answer.send') }).click()
    await dark.getByText(say('answer.state.answered')).waitFor(WAIT)
    await dark.reload()
    await dark.getByText(say('answer.state.answered')).waitFor(WAIT)
    await shoot(dark, 'answered-dark-390')
    expect(await state()).toBe(1)
    expect(journey.errors).toEqual([])
  }

  /** The choice is in the language of the person. */
  async function answersChoice() {
    const input = {
      prompt: 'Quel site en premier ?',
      fields: [{ name: 'site', label: 'Site', type: 'choice', options: ['Lyon', 'Nice'] }],
    }
    const { paths } = await aMail('chloe', input, 'fr')
    const page = await journey.open(paths.at(-1) ?? '', { width: 390, height: 844 })
    await page.getByText(say('answer.once', 'fr')).waitFor(WAIT)
    expect(await page.getByRole('radio', { name: 'Nice' }).isChecked()).toBe(true)
    await shoot(page, 'answer-fr-light-390')
    await page.getByRole('button', { name: say('answer.send', 'fr') }).click()
    await page.getByText(say('answer.sent', 'fr'), { exact: true }).waitFor(WAIT)
    expect(journey.errors).toEqual([])
  }

  /** The link ends with the deadline, and when the address of the person becomes another one. */
  async function refusesLate() {
    const { paths, state, userId, id } = await aMail('carla', { prompt: 'May I?', type: 'boolean' })
    const page = await journey.open(paths[0] ?? '')
    await page.getByRole('button', { name: say('answer.send') }).waitFor(WAIT)
    await sql`update input_requests set deadline = now() - interval '1 second' where session_id = ${id}`.execute(
      connection.db,
    )
    await page.getByRole('button', { name: say('answer.send') }).click()
    await page.getByText(say('answer.state.expired')).waitFor(WAIT)
    await page.reload()
    await page.getByRole('heading', { name: say('answer.title') }).waitFor(WAIT)
    await page.getByText(say('answer.state.expired')).waitFor(WAIT)
    await sql`update input_requests set deadline = null where session_id = ${id} and state = 'waiting'`.execute(
      connection.db,
    )
    await sql`update users set email = 'another@example.com' where id = ${userId}`.execute(connection.db)
    await page.reload()
    await page.getByText(say('answer.invalid')).waitFor(WAIT)
    expect(await state()).toBe(0)
    expect(journey.errors).toEqual([])
  }

  it('says plainly that a link is not valid', async () => {
    const page = await journey.open('/login/answer?token=nonsense')
    await page.getByText(say('answer.invalid')).waitFor(WAIT)
    await shoot(page, 'answer-invalid-light-1280')
    expect(journey.errors).toEqual([])
  })
})
