import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { aMail, type ImapServer, startImapServer } from '../support/imap-server.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

let server: ImapServer
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let journey: Journey
beforeAll(async () => {
  ;[server, smtp] = await Promise.all([startImapServer(), startSmtpServer()])
  journey = await startJourney({
    env: {
      ...{ IMAP_URL: server.url, MAILBOX_ADDRESS: 'atrium@example.com', SMTP_URL: smtp.url },
      ...{ ATRIUM_EMAIL_VERIFICATION: 'off', ATRIUM_LIMIT_MAILS_A_MINUTE: '6000' },
    },
  })
})
afterAll(async () => {
  await journey.close()
  await server.close()
  smtp.close()
})
beforeEach(() => journey.fresh())

const t = (key: string, language: 'en' | 'fr' = 'en', values: Record<string, string> = {}) =>
  words(language, 'schedules', key, values)

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/mail-${name}.png`, fullPage: true })
}
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

it('a schedule has a mail address for its senders, and a mail with an attachment shows the run that it starts', async () => {
  const token = await journey.signUp('sol')
  const page = await journey.open('/schedules/create', { token, width: 1280, height: 900 })
  await page.getByRole('textbox', { name: t('field.name') }).fill('Offers by mail')
  await page.getByRole('button', { name: t('start.mail'), exact: true }).click()
  const senders = page.getByRole('textbox', { name: t('mail.senders') })
  await senders.fill('@partner.example\nnot an address')
  await page
    .getByRole('textbox', { name: t('field.text'), exact: true })
    .fill('Compare {{subject}} with the contract.')
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  await page.getByText(t('mail.wrong_senders', 'en', { names: 'not, an, address' })).waitFor(WAIT)
  await senders.fill('@partner.example\nbob@servia.example')
  // Times of a rule that is gone are not shown, and the mail fills in its own fields.
  const preview = page.getByRole('region', { name: t('starts') })
  await preview.getByText(t('sentence.events.mail')).waitFor(WAIT)
  expect(await preview.getByRole('listitem').count()).toBe(0)
  expect(await page.getByRole('group', { name: t('field.values') }).count()).toBe(0)
  await picture(page, 'create-light-1280')
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
  const path = new URL(page.url()).pathname
  const address = page.getByRole('textbox', { name: t('mail.address'), exact: true })
  await address.waitFor(WAIT)
  expect(await address.inputValue()).toMatch(/^atrium\+[0-9a-f]{32}@example\.com$/)
  await page.getByText(t('mail.not_verified')).waitFor(WAIT)
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])

  journey.model.reply([says('Its price differs from the contract.')])
  const to = await address.inputValue()
  const attachments = [{ name: 'offer.txt', content: 'The price is 42 euros.' }]
  server.deliver(aMail({ to, from: 'Paul <paul@partner.example>', subject: 'Lot 3', attachments }))
  server.deliver(aMail({ to, from: 'eve@other.example', subject: 'Unpaid bill' }))
  await page.getByRole('tab', { name: t('section.deliveries') }).click()
  await page.getByText('eve@other.example may not start this schedule.').waitFor(WAIT)
  await page
    .getByRole('button', { name: /Lot 3/ })
    .getByText(t('slot.completed'))
    .waitFor({ timeout: 120_000 })
  await picture(page, 'deliveries-light-1280')
  await page.getByRole('button', { name: /Lot 3/ }).click()
  const started = page.getByRole('region', { name: t('deliveries.run') })
  await started.getByText('Its price differs from the contract.').waitFor(WAIT)
  await picture(page, 'delivery-light-1280')
  expect(await runAxe(page)).toEqual([])
  await started.getByRole('link', { name: t('log.open_chat') }).click()
  await page.getByText('offer.txt').first().waitFor(WAIT)
  await picture(page, 'chat-light-1280')
  expect(JSON.stringify(journey.model.requests)).toContain('The price is 42 euros.')

  const list = await journey.open(path, { token, width: 390, height: 800, theme: 'dark' })
  await list.getByRole('textbox', { name: t('mail.address'), exact: true }).waitFor(WAIT)
  expect(await list.evaluate(overflow)).toBe(0)
  await picture(list, 'settings-dark-390')
  const french = await journey.signUp('sol-fr', 'fr')
  const create = await journey.open('/schedules/create', {
    token: french,
    language: 'fr',
    width: 390,
    height: 800,
  })
  await create.getByRole('button', { name: t('start.mail', 'fr'), exact: true }).click()
  await create.getByRole('textbox', { name: t('mail.senders', 'fr') }).waitFor(WAIT)
  expect(await create.evaluate(overflow)).toBe(0)
  await picture(create, 'create-fr-light-390')
  const dark = await journey.open(path, { token, width: 1280, height: 900, theme: 'dark' })
  await dark.getByRole('textbox', { name: t('mail.address'), exact: true }).waitFor(WAIT)
  await picture(dark, 'settings-dark-1280')
  expect(journey.errors).toEqual([])
}, 300_000)

it('an assistant answers the mails of those whom its form names, and lists them', async () => {
  const w = (key: string, values: Record<string, string> = {}) => words('en', 'assistant_mails', key, values)
  const token = await journey.signUp('mia')
  const account = accountAt(journey.url, token)
  const made = await account.call<{ id: string }>('POST', '/assistants', {
    name: 'Reception',
    status: 'published',
  })
  const path = `/assistant/${made.id}/edit/mail`
  const page = await journey.open(path, { token, width: 1280, height: 900 })
  await page.getByRole('switch', { name: w('on') }).click()
  const address = page.getByRole('textbox', { name: w('address'), exact: true })
  await address.waitFor(WAIT)
  await page.getByText(w('rights', { name: 'Ada Byron' })).waitFor(WAIT)
  const senders = page.getByRole('textbox', { name: w('senders') })
  await senders.fill('not-an-address')
  await page.getByText(w('wrong_senders', { names: 'not-an-address' })).waitFor(WAIT)
  await senders.fill('@partner.example')
  await page.getByRole('button', { name: w('save'), exact: true }).click()
  await page.getByText(w('saved')).waitFor(WAIT)
  const to = await address.inputValue()
  journey.model.always([says('We open at nine.')])
  server.deliver(aMail({ to, from: 'Paul <paul@partner.example>', subject: 'Opening hours' }))
  server.deliver(aMail({ to, from: 'eve@other.example', subject: 'Unpaid bill' }))
  await page.getByText(w('state.answered'), { exact: true }).waitFor({ timeout: 180_000 })
  await page.getByText('eve@other.example may not write to this assistant.').waitFor(WAIT)
  await picture(page, 'assistant-light-1280')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  expect(smtp.reached()).toEqual(['paul@partner.example'])
  await page.getByRole('link', { name: w('open_chat') }).click()
  await page.getByRole('heading', { name: 'Opening hours', level: 1 }).waitFor(WAIT)
  const narrow = await journey.open(path, { token, width: 390, height: 800, theme: 'dark' })
  await narrow.getByRole('textbox', { name: w('address'), exact: true }).waitFor(WAIT)
  expect(await narrow.evaluate(overflow)).toBe(0)
  await picture(narrow, 'assistant-dark-390')
  expect(journey.errors).toEqual([])
}, 300_000)
