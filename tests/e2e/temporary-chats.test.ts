import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') =>
  words(language, 'streaming_blocks', `temporary.${key}`)
const messages = (page: Page) => page.getByRole('log').getByRole('article')
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Switches a new chat to a temporary one, asks a question and returns the id of the chat. */
async function askTemporarily(page: Page, question: string, language: 'en' | 'fr' = 'en') {
  await page.waitForURL(/\/chat\/.+/)
  const before = idOf(page)
  await page.getByRole('switch', { name: say('switch', language) }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(before))
  await page.getByText(say('text', language)).waitFor()
  journey.model.reply([says('It is 42.')])
  await page.getByRole('textbox').first().fill(question)
  await page.keyboard.press('Enter')
  await messages(page).nth(1).getByText('It is 42.').waitFor()
  return idOf(page)
}

describe('a temporary chat', () => {
  it('is in no list and is gone once it is closed or left', async () => {
    const token = await journey.signUp('tom')
    const { call } = accountAt(journey.url, token, 'tom')
    const isThere = (id: string) =>
      call('GET', `/sessions/${id}`).then(
        () => true,
        () => false,
      )
    const [page, other] = [await journey.open('/', { token }), await journey.open('/', { token })]
    const closed = await askTemporarily(page, 'Salary of Kessler?')
    for (const one of [page, other])
      expect(await one.locator('[data-session]', { hasText: 'Salary' }).count()).toBe(0)
    await page.getByRole('button', { name: say('close') }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(closed))
    await expect.poll(() => isThere(closed), WAIT).toBe(false)
    // Leaving for another view.
    const left = await askTemporarily(page, 'And of Dalkorne?')
    await page.getByRole('link', { name: words('en', 'common', 'nav.documents') }).click()
    await expect.poll(() => isThere(left), WAIT).toBe(false)
    // Closing the tab.
    await page.goto('/')
    const gone = await askTemporarily(page, 'And of Servia?')
    await page.close()
    await expect.poll(() => isThere(gone), WAIT).toBe(false)
    expect(await call('GET', '/sessions?q=Kessler')).toMatchObject({ total: 0 })
    expect(journey.errors).toEqual([])
  })

  it('is kept on request', async () => {
    const token = await journey.signUp('kim')
    const page = await journey.open('/', { token, width: 390, height: 844 })
    const id = await askTemporarily(page, 'Keep this')
    await page.getByRole('button', { name: say('keep') }).click()
    await page.getByText(say('kept')).waitFor()
    await expect.poll(() => page.getByText(say('text')).count(), WAIT).toBe(0)
    await page.reload()
    await messages(page).nth(1).getByText('It is 42.').waitFor()
    expect(idOf(page)).toBe(id)
    expect(journey.errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no accessibility violations in the %s theme', async (theme) => {
    const token = await journey.signUp(`axel${theme}`, 'fr')
    const page = await journey.open('/', { token, theme, language: 'fr' })
    await askTemporarily(page, 'Combien ?', 'fr')
    await page.waitForTimeout(500)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
  })
})
