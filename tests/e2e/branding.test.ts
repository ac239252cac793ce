import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brandColours } from '../../src/shared/identity/branding/brand-colours.ts'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { takeShots } from '../support/take-shots.ts'

type Me = { id: string; company_affiliations: { company: { id: string } }[] }

const WAIT = { timeout: 30_000 }
const ACCENT = '#ffd400'
const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10" rx="5" fill="#c026d3"/></svg>',
)

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) => words('en', 'admin', `brand.${key}`, values)

/** Opens a page without the code of the application, and returns what it shows before it starts. */
async function beforeCode(page: Page) {
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  const seen = await page.evaluate<[string, string, boolean, string]>(`[
    getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(), document.title,
    document.documentElement.hasAttribute('data-logo'), document.querySelector('link[rel=icon]').getAttribute('href')]`)
  await page.unroute('**/assets/*.js')
  return seen
}
const isPlain = (page: Page) => page.evaluate<boolean>(`!document.documentElement.hasAttribute('data-logo')`)
const accentOf = (page: Page) =>
  page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()`)

it('dresses the product in the brand of the company, without a flash of its own colours [GV-06]', async () => {
  const token = await journey.signUp('ada')
  const ada = accountAt(journey.url, token, 'ada')
  const page = await journey.open('/admin?page=brand', { token, width: 1280, height: 900 })
  await page
    .getByRole('textbox', { name: say('name') })
    .first()
    .fill('Zenith')
  await page.getByPlaceholder('#1d4ed8').fill(ACCENT)
  const shown = brandColours(ACCENT, 'light').accent
  await page.getByText(say('adjusted.light', { colour: shown })).waitFor(WAIT)
  await page.getByRole('img', { name: say('preview_of.dark', { name: 'Zenith' }) }).waitFor(WAIT)
  const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: logo }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByRole('img', { name: say('logo.light'), exact: true }).waitFor(WAIT)
  await page.getByRole('button', { name: say('save') }).click()
  const main = page.getByRole('navigation', { name: words('en', 'common', 'nav.main') })
  await main.getByText('Zenith').waitFor(WAIT)
  expect(await accentOf(page)).toBe(shown)
  await takeShots(page, 'admin')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])

  // The next visit wears it before any code runs.
  const { brand } = await ada.call<{ brand: { logo: { light: string } } }>('GET', '/users/me')
  expect(await beforeCode(page)).toEqual([shown, 'Zenith', true, brand.logo.light])
  await page.reload()
  await main.getByText('Zenith').waitFor(WAIT)
  expect(await page.title()).toContain('Zenith')
  await takeShots(page, 'app')

  // The sign-in page of the only company, on a first visit.
  const stranger = await journey.open('/login', { width: 1280, height: 900 })
  await stranger.getByText('Zenith', { exact: true }).waitFor(WAIT)
  await stranger.getByText(words('en', 'login', 'log_in_hint').replace('Atrium', 'Zenith')).waitFor(WAIT)
  expect(await accentOf(stranger)).toBe(shown)
  await takeShots(stranger, 'login')
  await stranger.evaluate(axeSource)
  expect(await runAxe(stranger)).toEqual([])

  // A person of another company sees the product's own look, and the sign-in page belongs to no one.
  const ben = await journey.signUp('ben')
  const { id, company_affiliations } = await accountAt(journey.url, ben, 'ben').call<Me>('GET', '/users/me')
  const elsewhere = await ada.call<{ id: string }>('POST', '/admin/companies', { name: 'Other' })
  const join = (company_id: string | undefined, role: 'member' | null) =>
    ada.call('PATCH', `/admin/users/${id}`, { membership: { company_id, role } })
  await join(elsewhere.id, 'member')
  await join(company_affiliations[0]?.company.id, null)
  for (const options of [{ token: ben }, {}]) {
    const plain = await journey.open(options.token ? '/chat' : '/login', options)
    await plain.getByText('Atrium', { exact: true }).first().waitFor(WAIT)
    expect(await isPlain(plain)).toBe(true)
  }

  await page.goto('/admin?page=brand')
  await page.getByRole('button', { name: say('reset') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('reset') })
    .click()
  await expect.poll(() => isPlain(page), WAIT).toBe(true)
  expect(await accentOf(page)).not.toBe(shown)
  expect(
    await page
      .getByRole('textbox', { name: say('name') })
      .first()
      .inputValue(),
  ).toBe('')
  expect(journey.errors).toEqual([])
})
