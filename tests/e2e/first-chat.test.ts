import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'

let journey: Journey
beforeAll(async () => {
  // No model is connected: what a newcomer finds on a bare machine.
  journey = await startJourney({ env: { ATRIUM_COMPATIBLE_URL: '' }, ownDatabase: true })
})
afterAll(() => journey.close())

describe('a newcomer on a bare machine', () => {
  it.each(['en', 'fr'] as const)(
    'signs up, asks, and reads an answer worked out by a tool (%s) [AU-08, MS-09, CA-01]',
    async (language) => {
      const login = (key: string) => words(language, 'login', key)
      const page = await journey.open('/', { language })
      // The first visitor of an installation has nothing to log in with.
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
      // Whoever makes the first account may go past the first steps of the installation.
      if (language === 'en')
        await page.getByRole('button', { name: words(language, 'setup', 'leave') }).click()
      // The welcome is shown once.
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

  it('has a page that comes although the network loses each of its later files twice', async () => {
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
