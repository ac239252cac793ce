import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { aMail, type ImapServer, startImapServer } from '../support/imap-server.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

let server: ImapServer
let journey: Journey
beforeAll(async () => {
  server = await startImapServer()
  journey = await startJourney({ env: { IMAP_URL: server.url, MAILBOX_ADDRESS: 'atrium@example.com' } })
})
afterAll(async () => {
  await journey.close()
  await server.close()
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
  await picture(page, 'create-light-1280')
  await page.getByRole('button', { name: t('create'), exact: true }).click()
  await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
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

  const list = await journey.open('/schedules', { token, width: 390, height: 800, theme: 'dark' })
  await list
    .getByRole('link', { name: /Offers by mail/ })
    .first()
    .click()
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
  const dark = await journey.open('/schedules', {
    ...{ token, width: 1280, height: 900, theme: 'dark' as const },
  })
  await dark
    .getByRole('link', { name: /Offers by mail/ })
    .first()
    .click()
  await dark.getByRole('textbox', { name: t('mail.address'), exact: true }).waitFor(WAIT)
  await picture(dark, 'settings-dark-1280')
  expect(journey.errors).toEqual([])
}, 300_000)
