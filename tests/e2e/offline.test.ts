import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { startProduct } from '../support/product.ts'

let journey: Journey
let token: string
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-offline-'))
beforeAll(async () => {
  journey = await startJourney({ dataDir })
  token = await journey.signUp('ada')
})
afterAll(async () => {
  await journey.close()
  rmSync(dataDir, { recursive: true, force: true })
})

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

it('opens a view once the server is back, after it was killed while the view was loading', {
  timeout: 120_000,
}, async () => {
  const page = await journey.open('/', { token })
  await page.locator('main textarea').waitFor()
  await journey.product.kill()
  const name = words('en', 'common', 'nav.documents')
  await page.getByRole('link', { name }).click()
  // Longer than the retries of a lost file.
  await page.waitForTimeout(8_000)
  expect(await page.locator('body').innerText()).not.toMatch(/Something went wrong/i)
  const { port } = new URL(journey.url)
  journey.use(await startProduct({ env: { ...journey.env, PORT: port }, dataDir }))
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByText(words('en', 'common', 'offline.unreachable')).waitFor({ state: 'detached' })
  expect(journey.errors).toEqual([])
  await page.context().close()
})
