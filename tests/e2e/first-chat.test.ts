import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'

let journey: Journey
beforeAll(async () => {
  // No model is connected, as on a new installation.
  journey = await startJourney({ env: { ATRIUM_COMPATIBLE_URL: '' }, ownDatabase: true })
})
afterAll(() => journey.close())

describe('new user on a new installation', () => {
  it.each(['en', 'fr'] as const)(
    'signs up, asks, and reads an answer computed by a tool (%s) [AU-08, MS-09, CA-01]',
    async (language) => {
      const login = (key: string) => words(language, 'login', key)
      const page = await journey.open('/', { language })
      // A new installation has no account to log in with.
      if (language === 'fr')
        await page
          .getByRole('link', { name: login('create_account_link') })
          .first()
          .click()
      await page.getByLabel(login('username'), { exact: true }).fill(`ada-${language}`)
      await page.getByLabel(login('email'), { exact: true }).fill(`ada-${language}@example.com`)
      await page.getByLabel(login('password'), { exact: true }).fill(PASSWORD)
      await page.getByLabel(login('confirm_password'), { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: login('create_account'), exact: true }).click()
      // The creator of the first account may skip the setup.
      if (language === 'en')
        await page.getByRole('button', { name: words(language, 'setup', 'leave') }).click()
      // The welcome appears once.
      await page.getByRole('dialog', { name: words(language, 'onboarding', 'carousel.label') }).waitFor()
      await page.keyboard.press('Escape')
      const composer = page.getByRole('textbox', {
        name: words(language, 'streaming_blocks', 'composer.label'),
      })
      await composer.fill(language === 'fr' ? 'Combien font 21 * 2 ?' : 'What is 21 * 2?')
      await composer.press('Enter')
      await page.getByRole('article').getByText('21 × 2 = 42.', { exact: true }).waitFor()
      expect(await page.getByRole('article').count()).toBe(2)
      await page.reload()
      await page.getByRole('article').getByText('21 × 2 = 42.', { exact: true }).waitFor()
      expect(journey.errors).toEqual([])
      await page.context().close()
    },
  )

  it('gets the page even if the network loses each later file twice', async () => {
    const token = await journey.signUp('eve')
    const page = await journey.open('/', { token })
    const first = await (await fetch(journey.url)).text()
    const asked = new Map<string, number>()
    await page.route('**/assets/*.{js,css}', (route) => {
      const { pathname } = new URL(route.request().url())
      const times = (asked.get(pathname) ?? 0) + 1
      asked.set(pathname, times)
      return first.includes(`="${pathname}"`) || times > 2 ? route.continue() : route.abort()
    })
    await page.goto('/')
    const composer = page.getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
    await composer.fill('What is 21 * 2?')
    await composer.press('Enter')
    await page.getByRole('article').getByText('21 × 2 = 42.', { exact: true }).waitFor()
    expect([...asked.values()].filter((times) => times > 2).length).toBeGreaterThan(10)
    await page.context().close()
  })
})
