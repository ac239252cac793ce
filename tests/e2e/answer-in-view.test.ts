import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('ada')
  await accountAt(journey.url, token).call('PUT', '/tools/calculator/policy', { policy: 'ask' })
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const aSum = (a: number) => calls('calculator', { a, b: 2, operation: 'multiply' })
const paragraphs = Array.from({ length: 30 }, (_, at) => `Paragraph ${at + 1} of the answer.\n\n`)

/** Opens a new chat and sends a message. */
async function say(text: string, width = 1280): Promise<Page> {
  const { id } = await accountAt(journey.url, token).call<{ id: string }>('POST', '/sessions', {})
  const page = await journey.open(`/chat/${id}`, { token, width, height: 800 })
  const field = page.getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
  await field.fill(text)
  await field.press('Enter')
  return page
}

/** Returns the top of a text as a fraction of the transcript's height. */
async function placeOf(page: Page, text: string): Promise<number> {
  await page.getByRole('log').getByText(text, { exact: false }).first().waitFor()
  await page.waitForTimeout(400)
  return page.evaluate<number>(`(() => {
    const log = document.querySelector('.transcript').getBoundingClientRect()
    const at = [...document.querySelectorAll('.transcript .md p')].find((one) => one.textContent.includes(${JSON.stringify(text)}))
    return (at.getBoundingClientRect().top - log.top) / log.height
  })()`)
}

/** Returns the position of a text once it is in the first part of the transcript, which a loaded machine draws late. */
async function placeInView(page: Page, text: string): Promise<number> {
  await expect.poll(() => placeOf(page, text), { timeout: 20_000 }).toBeLessThan(0.62)
  const place = await placeOf(page, text)
  // Browsers round positions to fractions of a pixel.
  expect(place).toBeGreaterThan(-0.001)
  return place
}

describe('new answer', () => {
  it.each([1280, 375])('is in view after a long paste, which folds by its lines, at %i px', async (width) => {
    journey.model.reply([says('First ', 'words.\n\n', ...paragraphs)])
    const page = await say(Array.from({ length: 60 }, (_, at) => `Row ${at}`).join('\n'), width)
    await placeInView(page, 'First words.')
    await page.getByRole('button', { name: words('en', 'streaming_blocks', 'show_all') }).click()
    await page.getByRole('log').getByText('Row 59').waitFor()
    await page.context().close()
  })

  it('is in view after tools that fill the screen and wait for approval', async () => {
    journey.model.reply([says('I shall work it out.\n\n', ...paragraphs), aSum(1), aSum(2)])
    journey.model.reply([says('Both ', 'are known.\n\n', ...paragraphs)])
    const page = await say('Two sums, please.')
    const approve = page.getByRole('button', { name: 'Approve and run' })
    await approve.click()
    await approve.click()
    const place = await placeInView(page, 'Both are known.')
    // From here on, nothing moves while the rest is written.
    await page.getByRole('log').getByText('Paragraph 30 of the answer.').last().waitFor({ state: 'attached' })
    expect(await placeOf(page, 'Both are known.')).toBeCloseTo(place, 2)
    await page.context().close()
  })

  it('does not scroll a reader who is elsewhere', async () => {
    journey.model.reply([says('I shall work it out.\n\n', ...paragraphs), aSum(1)])
    journey.model.reply([says('It is known.\n\n', ...paragraphs)])
    const page = await say('A sum, please.')
    await page.getByRole('button', { name: 'Approve and run' }).waitFor()
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, 60)
    await page.getByRole('button', { name: 'Approve and run' }).click()
    expect(await placeOf(page, 'It is known.')).toBeGreaterThan(1)
    await page.context().close()
  })
})
