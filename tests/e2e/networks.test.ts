import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'
import { takeShots } from '../support/take-shots.ts'

const WAIT = { timeout: 30_000 }
const DESK = '192.0.2.7'
const HOME = '203.0.113.9'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney({ env: { ATRIUM_TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) =>
  words('en', 'admin', `networks.${key}`, values)
const common = (key: string) => words('en', 'common', key)

/** Sends the requests of a page as a trusted proxy would for this address. */
const moveTo = (page: Page, address: string) =>
  page.context().setExtraHTTPHeaders({ 'x-forwarded-for': address })

async function openFrom(address: string, path: string, token?: string): Promise<Page> {
  const page = await journey.open('/login', { width: 1280, height: 1000 })
  await moveTo(page, address)
  if (token) await page.evaluate((value) => localStorage.setItem('token', value), token)
  await page.goto(journey.url + path)
  return page
}

it('restricts signing in and administration to networks and refuses to lock its administrator out [GV-07]', async () => {
  const chief = accountAt(journey.url, await journey.signUp('ada'), 'ada')
  const company = await chief.call<{ id: string }>('POST', '/admin/companies', { name: 'Kessler' })
  const token = await journey.signUp('ben')
  const ben = await accountAt(journey.url, token, 'ben').call<{
    id: string
    company_affiliations: { company: { id: string } }[]
  }>('GET', '/users/me')
  const [first] = ben.company_affiliations
  const join = (company_id: string, role: string | null) =>
    chief.call('PATCH', `/admin/users/${ben.id}`, { membership: { company_id, role } })
  await join(company.id, 'company_admin')
  if (first) await join(first.company.id, null)

  const desk = await openFrom(DESK, '/admin?page=sign_on', token)
  const signIn = desk.locator('form').filter({ has: desk.getByRole('button', { name: say('sign_in.add') }) })
  await signIn.getByRole('textbox', { name: say('network') }).fill('the office')
  await signIn.getByRole('button', { name: say('sign_in.add') }).click()
  await signIn.getByText(say('wrong')).waitFor(WAIT)
  await signIn.getByRole('textbox', { name: say('network') }).fill('198.51.100.0/24')
  await signIn.getByRole('button', { name: say('sign_in.add') }).click()
  await signIn.getByText(say('locks_out', { address: DESK })).waitFor(WAIT)
  await signIn.getByRole('button', { name: say('use_own') }).click()
  await signIn.getByRole('textbox', { name: new RegExp(`^${say('note')}`) }).fill('Office in Lyon')
  await signIn.getByRole('button', { name: say('sign_in.add') }).click()
  const list = desk.getByRole('list', { name: say('sign_in.title') })
  await list.getByText(`${DESK}/32`).waitFor(WAIT)
  await list.getByText(say('has_you')).waitFor(WAIT)

  const outside = await openFrom(HOME, '/login')
  await outside.getByRole('textbox', { name: words('en', 'login', 'username_or_email') }).fill('ben')
  await outside.locator('input[name=password]').fill(PASSWORD)
  await outside.getByRole('button', { name: words('en', 'login', 'log_in'), exact: true }).click()
  await outside.getByText(words('en', 'login', 'errors.outside_networks')).waitFor(WAIT)

  const traveller = await openFrom(HOME, '/chat', token)
  await traveller.getByText(common('outside_networks')).waitFor(WAIT)
  await takeShots(traveller, 'outside')
  await moveTo(traveller, DESK)
  await traveller.getByText(common('outside_networks')).waitFor({ ...WAIT, state: 'detached' })

  await signIn.getByRole('textbox', { name: say('network') }).fill('203.0.113.0/24')
  await signIn.getByRole('button', { name: say('sign_in.add') }).click()
  await list.getByText('203.0.113.0/24').waitFor(WAIT)
  const admin = desk
    .locator('form')
    .filter({ has: desk.getByRole('button', { name: say('administration.add') }) })
  await admin.getByRole('textbox', { name: say('network') }).fill('192.0.2.0/24')
  await admin.getByRole('button', { name: say('administration.add') }).click()
  await desk
    .getByRole('list', { name: say('administration.title') })
    .getByText('192.0.2.0/24')
    .waitFor(WAIT)
  await list.scrollIntoViewIfNeeded()
  await takeShots(desk, 'page')
  await desk.evaluate(axeSource)
  expect(await runAxe(desk)).toEqual([])

  const home = await openFrom(HOME, '/admin?page=sign_on', token)
  await home.getByText(say('closed_title')).waitFor(WAIT)
  await takeShots(home, 'closed')
  await home.goto(`${journey.url}/chat`)
  await home.getByRole('textbox').first().waitFor(WAIT)

  await list.getByRole('button', { name: say('remove_one', { network: `${DESK}/32` }) }).click()
  await desk
    .getByRole('alertdialog')
    .or(desk.getByRole('dialog'))
    .getByRole('button', { name: say('remove'), exact: true })
    .click()
  await desk.getByText(say('locks_out', { address: DESK })).waitFor(WAIT)
  await list.getByRole('button', { name: say('edit_note_of', { network: '203.0.113.0/24' }) }).click()
  await desk.getByRole('dialog').getByRole('textbox').fill('Homes')
  await desk
    .getByRole('dialog')
    .getByRole('button', { name: say('save') })
    .click()
  await list.getByText('Homes').waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
