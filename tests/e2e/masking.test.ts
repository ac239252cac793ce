import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { takeShots } from '../support/take-shots.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const admin = (key: string, values = {}) => words('en', 'admin', `masking.${key}`, values)
const said = (key: string, values = {}) => words('en', 'memory', `masked.${key}`, values)

it('replaces personal details for a provider, and shows which ones under the reply [GV-02]', {
  timeout: 180_000,
}, async () => {
  const token = await journey.signUp('ada')
  const account = accountAt(journey.url, token, 'ada')
  await account.call('PUT', '/users/me/preferences', {
    preferences: { onboarding: { welcome: { completed: true } } },
  })
  const page = await journey.open('/admin?page=masking', { token, width: 1280, height: 1000 })
  await page.getByRole('heading', { name: words('en', 'admin', 'administration.page.masking') }).waitFor(WAIT)
  const exception = page.getByRole('combobox', { name: admin('for', { name: 'house' }) })
  await exception.waitFor(WAIT)
  await exception.selectOption(admin('exception.always'))
  await expect.poll(() => exception.isEnabled(), WAIT).toBe(true)
  const phones = page.getByRole('checkbox', { name: admin('kind.phone') })
  await phones.click()
  await expect.poll(async () => (await phones.isEnabled()) && !(await phones.isChecked()), WAIT).toBe(true)
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  await takeShots(page, 'settings')

  journey.model.always(() => [says('Dear [PERS', 'ON_1], your new ', 'IBAN is **[IBAN_1]**.')])
  const { id } = await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
  await page.goto(`/chat/${id}`)
  const box = page.getByRole('textbox', { name: /message/i }).last()
  await box.fill(
    'Write to Marie Dupont about DE89 3704 0044 0532 0130 00. Call 06 12 34 56 78 or Tom Ridley.',
  )
  await box.press('Enter')
  const list = `${said('count.person_other', { count: '2' })} and ${said('count.iban_one', { count: '1' })}`
  const line = page.getByRole('button', { name: said('line_other', { count: '3', list }) })
  await line.waitFor(WAIT)
  await page.getByRole('log').getByText('Dear Marie Dupont, your new IBAN is').waitFor()
  expect(JSON.stringify(journey.model.requests)).not.toMatch(/Marie|Dupont|Ridley|DE89/)
  expect(JSON.stringify(journey.model.requests)).toContain('06 12 34 56 78')

  await line.focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('list', { name: said('title') })
  await details.getByText('Tom Ridley').waitFor(WAIT)
  expect(await details.getByRole('listitem').allInnerTexts()).toEqual([
    'Marie Dupont\n[PERSON_1]',
    'DE89 3704 0044 0532 0130 00\n[IBAN_1]',
    'Tom Ridley\n[PERSON_2]',
  ])
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  await takeShots(page, 'reply')
  await page.keyboard.press('Escape')

  await page.goto('/admin?page=masking')
  const mode = page.getByRole('combobox', { name: admin('mode') })
  await mode.selectOption(admin('choice.choice'))
  await page.getByText(admin('hint.choice')).waitFor(WAIT)
  await expect.poll(() => mode.isEnabled(), WAIT).toBe(true)
  await page.goto(`/chat/${id}`)
  await page.getByRole('button', { name: 'Context' }).first().click(WAIT)
  await page
    .getByRole('button', { name: new RegExp(words('en', 'memory', 'title')) })
    .last()
    .click(WAIT)
  const choice = page.getByRole('switch', { name: said('switch') })
  await choice.click(WAIT)
  await expect.poll(() => choice.isChecked(), WAIT).toBe(true)
  const state = await account.call<{ is_on: boolean }>('GET', `/sessions/${id}/masking`)
  expect(state.is_on).toBe(true)
  await takeShots(page, 'choice')
  expect(journey.errors).toEqual([])
})
