import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Journey, startJourney, words } from '../support/journey.ts'

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('ada')
})
afterAll(() => journey.close())

/** Opens the product and loses the connection before the code of other views is loaded. */
async function openOffline() {
  const page = await journey.open('/', { token })
  await page.locator('main textarea').waitFor()
  await page.context().setOffline(true)
  return page
}

it.each(['nav.documents', 'nav.tools', 'nav.assistant'])(
  'opens a view once the connection is back, after it was lost right after the start: %s',
  async (entry) => {
    const page = await openOffline()
    await page.getByRole('link', { name: words('en', 'common', entry) }).click()
    await page.waitForTimeout(2_000)
    const text = await page.locator('body').innerText()
    expect(text).not.toMatch(/Something went wrong/i)
    expect(await page.getByRole('link', { name: words('en', 'common', entry) }).count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: words('en', 'common', entry), level: 1 }).waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  },
)
