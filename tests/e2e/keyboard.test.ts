import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Journey, PASSWORD, startJourney, words } from '../support/journey.ts'
import { hangs, says } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const chat = (key: string, values?: Record<string, string>) => words('en', 'streaming_blocks', key, values)
const common = (key: string, values?: Record<string, string>) => words('en', 'common', key, values)

const describeFocus = `(() => {
  const element = document.activeElement
  return { name: element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '', tag: element?.tagName ?? '' }
})()`

/** Presses Tab until a matching element has the focus. Fails after a full cycle. */
async function tabTo(page: Page, isIt: (focused: { name: string; tag: string }) => boolean): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<{ name: string; tag: string }>(describeFocus)
    if (isIt(focused)) return
  }
  throw new Error('the Tab key never got there')
}

describe('keyboard', () => {
  it('is enough to sign in, send, stop, switch the model, rename and delete [AU-02, MS-09, SV-91, SE-07, SE-10, MO-03]', async () => {
    await journey.signUp('ada')
    const page = await journey.open('/login')
    await page.getByLabel(words('en', 'login', 'username_or_email')).waitFor()
    await page.keyboard.type('ada')
    await tabTo(page, ({ tag }) => tag === 'INPUT')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('textbox', { name: chat('composer.label') }).waitFor()
    journey.model.reply([says('The first ', 'words, then silence.'), hangs()])
    await tabTo(page, ({ tag }) => tag === 'TEXTAREA')
    await page.keyboard.type('Write a long text')
    await page.keyboard.press('Enter')
    await page.getByText('words, then silence.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(chat('stopped')).first().waitFor()
    expect(await page.getByText('words, then silence.').count()).toBeGreaterThan(0)

    await tabTo(
      page,
      ({ name }) => name.startsWith(chat('model.button', { model: '' }).trim()) || name === 'large',
    )
    await page.keyboard.press('Enter')
    await page.getByPlaceholder(chat('model.find')).waitFor()
    await page.keyboard.type('small')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: chat('model.button', { model: 'small' }) }).waitFor()

    await tabTo(page, ({ name, tag }) => tag === 'A' && name.includes('Write a long text'))
    await page.keyboard.press('F2')
    await page.getByLabel(common('history.rename_label')).waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Renamed by keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Renamed by keyboard' }).waitFor()

    await page.getByRole('link', { name: 'Renamed by keyboard' }).click()
    await tabTo(page, ({ name, tag }) => tag === 'BUTTON' && name === 'Renamed by keyboard')
    await page.keyboard.press('Enter')
    // Visible and wide enough to type in, beside having the focus.
    const field = await page.locator('header').getByLabel(common('history.rename_label')).boundingBox()
    expect(field?.width).toBeGreaterThan(150)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Renamed in the top bar')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Renamed in the top bar' }).waitFor()

    await tabTo(page, ({ name, tag }) => tag === 'A' && name.includes('Renamed in the top bar'))
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
    await tabTo(page, ({ name, tag }) => tag === 'BUTTON' && name === common('history.delete'))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Renamed in the top bar' }).waitFor({ state: 'detached' })
    expect(journey.errors).toEqual([])
  })
})
