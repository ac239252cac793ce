import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { takeShots } from '../support/take-shots.ts'

type Me = { id: string; company_affiliations: { company: { id: string } }[] }

const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) => words('en', 'admin', `terms.${key}`, values)
const common = (key: string, values: Record<string, string> = {}) =>
  words('en', 'common', `terms.${key}`, values)

it('publishes terms, which people accept in their language before they continue', async () => {
  const token = await journey.signUp('ada')
  const page = await journey.open('/admin?page=terms', { token, width: 1280, height: 900 })
  await page.getByText(say('none')).waitFor(WAIT)
  await page.getByRole('button', { name: say('new') }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: say('english') }).fill('Be kind.\n\nKeep secrets.')
  await form.getByRole('button', { name: say('publish') }).click()
  await form.getByText(say('missing')).waitFor(WAIT)
  await form.getByRole('textbox', { name: say('french') }).fill('Soyez aimables.\n\nGardez les secrets.')
  await takeShots(page, 'form')
  await form.getByRole('button', { name: say('publish') }).click()

  await page.getByRole('heading', { name: common('title') }).waitFor(WAIT)
  await page.getByText('Keep secrets.').waitFor(WAIT)
  await takeShots(page, 'gate')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  await page.getByRole('button', { name: common('accept') }).click()

  await page.getByText(say('state.in_force')).waitFor(WAIT)
  await page.getByText(say('accepted', { accepted: '1', people: '1' })).waitFor(WAIT)
  await takeShots(page, 'page')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  await page.getByRole('button', { name: say('show_one', { version: '1' }) }).click()
  await page.getByRole('dialog').getByText('ada@example.com').waitFor(WAIT)
  await takeShots(page, 'people')

  const reader = await journey.signUp('ben', 'fr')
  const me = (name: string) => accountAt(journey.url, name === 'ada' ? token : reader, name)
  const { company_affiliations } = await me('ada').call<Me>('GET', '/users/me')
  const { id } = await me('ben').call<Me>('GET', '/users/me')
  const membership = { company_id: company_affiliations[0]?.company.id, role: 'member' }
  await me('ada').call('PATCH', `/admin/users/${id}`, { membership })
  const french = await journey.open('/chat', { token: reader, language: 'fr' })
  await french.getByText('Gardez les secrets.').waitFor(WAIT)
  await french.getByRole('button', { name: words('fr', 'common', 'terms.accept') }).click()
  await french.getByRole('textbox').first().waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
