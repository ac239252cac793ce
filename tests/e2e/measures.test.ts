import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, type ModelRequest, says } from '../support/model-server.ts'

/** Calls the calculator once, then answers. */
const script = ({ messages }: ModelRequest) =>
  messages.at(-1)?.role === 'tool'
    ? [says('It is 42.')]
    : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })]

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney()
  journey.model.always(script)
  token = await journey.signUp('ada')
})
afterAll(() => journey.close())

/** Runs in the page: returns how much of a label, or of the heading, is clipped. */
const hiddenOf = (places: string) =>
  `Math.max(...[...document.querySelectorAll('${places}')].map((one) => one.scrollWidth - one.clientWidth))`
const hiddenOfTitle = hiddenOf('h1, h1 *')

async function boxOf(place: Locator) {
  await place.waitFor()
  const box = await place.boundingBox()
  if (!box) throw new Error('nothing is rendered there')
  return box
}

describe('view layout', () => {
  it('leaves a readable column next to a panel, and space for the title [SH-10, SH-11]', async () => {
    const page = await journey.open('/', { token, width: 1280 })
    const composer = page.locator('textarea').first()
    await composer.fill('Twice 21?')
    await composer.press('Enter')
    await page.getByRole('log').getByText('It is 42.').waitFor()
    await page.getByRole('button', { name: /open in the side panel/ }).click()
    const panel = page.getByRole('complementary', { name: 'Tool details' })
    expect((await boxOf(panel)).width).toBe(600)
    // The sidebar has become the rail.
    expect((await boxOf(page.getByRole('main'))).x).toBeLessThan(60)
    expect(await page.evaluate<number>(hiddenOfTitle)).toBe(0)
    await page.setViewportSize({ width: 1024, height: 800 })
    await expect
      .poll(async () => (await boxOf(page.getByRole('main'))).width, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(500)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('gives rows, cards, dialogs and lists their sizes', async () => {
    const page = await journey.open('/', { token, width: 1440, height: 900 })
    await page.getByRole('button', { name: /With tools/ }).click()
    const rows = page.getByRole('menuitem')
    await rows.last().waitFor()
    const boxes = await Promise.all((await rows.all()).map(boxOf))
    expect(boxes.map(({ height }) => height)).toEqual([44, 44, 44, 44, 44])
    await page.goto('/tools')
    const tiles = page.getByRole('listitem').filter({ has: page.getByRole('switch') })
    await tiles.filter({ hasText: 'Weather' }).waitFor()
    const cards = await Promise.all(
      (await tiles.all()).map(async (tile) => ({
        ...(await boxOf(tile)),
        foot: await boxOf(tile.getByRole('link')),
        lines: Math.round((await boxOf(tile.locator('p'))).height / 19),
      })),
    )
    for (const card of cards) {
      // A row's height depends on its text: 116 with one line of description, 128 with two.
      const row = cards.filter(({ y }) => y === card.y)
      expect(card.height).toBe(Math.max(...row.map(({ lines }) => lines)) === 2 ? 128 : 116)
      // The footer is at the bottom, whatever is above it.
      expect(card.y + card.height - (card.foot.y + card.foot.height)).toBeLessThanOrEqual(16)
    }
    await page.goto('/admin/models')
    await page.getByRole('button', { name: words('en', 'admin', 'models.connect') }).click()
    expect((await boxOf(page.getByRole('dialog'))).width).toBe(680)
    await page.setViewportSize({ width: 375, height: 700 })
    for (const language of ['en', 'fr'] as const) {
      await page.goto(`/tools?lang=${language}`)
      const field = page.getByRole('searchbox')
      const box = await boxOf(field)
      expect(375 - (box.x + box.width)).toBeGreaterThanOrEqual(12)
    }
    await page.context().close()
  })

  it('makes the card of a program as wide as its chat on a phone, whatever is printed', async () => {
    const request = `\`\`\`js\nconsole.log('${'wide '.repeat(40)}')\n\`\`\``
    journey.model.reply([calls('code_interpreter', { request })])
    journey.model.reply([says('Printed.')])
    const page = await journey.open('/', { token, width: 375, height: 812 })
    const composer = page.locator('textarea').first()
    await composer.fill('Run it')
    await composer.press('Enter')
    const log = page.getByRole('log')
    await log.getByText('Printed.').waitFor()
    const card = log.locator('section').filter({ has: page.getByRole('tablist') })
    for (const part of [card, card.locator('pre').first(), card.getByRole('list').first()]) {
      const { x, width } = await boxOf(part)
      expect(x + width).toBeLessThanOrEqual(375)
    }
    await page.context().close()
  })

  it('has space for the longest words: the new-chat button and the inbox title', async () => {
    const french = await journey.signUp('louise', 'fr')
    const page = await journey.open('/inbox', { token: french, language: 'fr', width: 1024 })
    const button = page.getByRole('button', { name: /^Nouvelle conversation/ })
    await boxOf(button)
    await boxOf(page.getByRole('heading', { level: 1 }))
    expect(await page.evaluate<number>(hiddenOf('nav button:has(kbd) > span'))).toBe(0)
    expect(await page.evaluate<number>(hiddenOfTitle)).toBe(0)
    await page.context().close()
  })
})
