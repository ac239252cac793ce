import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aGate } from '../support/chat.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { hangs, says, waits } from '../support/model-server.ts'

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney({ tokensPerSecond: 60 })
  token = await journey.signUp('ada')
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const pieces = Array.from({ length: 150 }, (_, i) => `word${i} `)
const whole = pieces.join('').trim()
const label = words('en', 'streaming_blocks', 'composer.label')

/** Runs in the page: returns where the words of each list item of the last reply begin, and its bullet. */
const placesOfItems = `[...[...document.querySelectorAll('article')].at(-1).querySelectorAll('li')].map((item) => {
  const range = document.createRange()
  range.selectNode(document.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode())
  const { display, listStyleType } = getComputedStyle(item)
  return {
    left: Math.round(range.getBoundingClientRect().left),
    bullet: display === 'list-item' ? listStyleType : 'none',
  }
})`

/** Records what moves in every view transition, and for how long. */
const noteTransitions = `(() => {
  const begin = document.startViewTransition.bind(document)
  window.played = []
  document.startViewTransition = (given) => {
    const transition = begin(given)
    const moving = () => document.getAnimations().map(({ effect }) => [effect.pseudoElement, effect.getTiming().duration])
    window.played.push(transition.ready.then(() => moving().filter(([of]) => of?.endsWith('(view)'))))
    return transition
  }
})()`

describe('streamed answer', () => {
  it('is the same after a reload, in a second tab, and for a late reader [SE-19, ST-26, ST-30]', async () => {
    journey.model.reply([says(...pieces)])
    const first = await journey.open('/', { token })
    const composer = first.getByRole('textbox', { name: label })
    await composer.fill('Count')
    await composer.press('Enter')
    await first.getByText('word5 ').first().waitFor()
    const second = await journey.open(new URL(first.url()).pathname, { token })
    await first.reload()
    const late = await journey.open(new URL(first.url()).pathname, { token })
    for (const page of [first, second, late]) {
      await page.getByText('word149').first().waitFor()
      // While the reply is being written, a line above its text says so.
      const text = page.getByRole('article').last().locator('p').first()
      await expect.poll(async () => (await text.textContent())?.trim(), { timeout: 20_000 }).toBe(whole)
      await page.context().close()
    }
    expect(journey.model.requests).toHaveLength(1)
    expect(journey.errors).toEqual([])
  })

  it('is shown once when it arrived as thoughts', async () => {
    const page = await journey.open('/', { token })
    const composer = page.getByRole('textbox', { name: label })
    const last = page.getByRole('article').last()
    const thinking = page.getByRole('button', { name: words('en', 'streaming_blocks', 'thinking') })
    // The model marks only the end of its thoughts, and later answers without any.
    journey.model.reply([says('Two and two.\n</think>\n\nFour.')])
    await composer.fill('Add')
    await composer.press('Enter')
    await last.getByText('Four.').waitFor()
    const gate = aGate()
    journey.model.reply([says('Five it '), waits(gate.opened), says('is.')])
    await composer.fill('And now?')
    await composer.press('Enter')
    await thinking.waitFor()
    await last.getByText('Five it').waitFor()
    gate.open()
    await last.locator('p', { hasText: 'Five it is.' }).waitFor()
    await thinking.waitFor({ state: 'detached' })
    expect(await last.getByText('Five it').count()).toBe(1)
    expect(await last.locator('.thought').count()).toBe(0)
    await page.reload()
    await last.locator('p', { hasText: 'Five it is.' }).waitFor()
    expect(await last.getByText('Five it').count()).toBe(1)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('preserves the structure of a list in which only some items are tasks', async () => {
    journey.model.reply([
      says(
        '- plain\n- [ ] open\n- [x] done\n  - inner\n  - [ ] within\n\n1. first\n2. [x] second\n3. third\n',
      ),
    ])
    const page = await journey.open('/', { token })
    await page.getByRole('textbox', { name: label }).fill('List')
    await page.getByRole('textbox', { name: label }).press('Enter')
    await page.getByRole('article').last().getByText('third').waitFor()
    const places = await page.evaluate<{ left: number; bullet: string }[]>(placesOfItems)
    expect(places.map(({ bullet }) => bullet)).toEqual([
      ...['disc', 'none', 'none', 'circle', 'none'],
      // A numbered task keeps its number.
      ...['decimal', 'decimal', 'decimal'],
    ])
    const [plain = 0, open, done, inner = 0, within] = places.map(({ left }) => left)
    expect([open, done]).toEqual([plain, plain])
    expect([within, inner > plain]).toEqual([inner, true])
    await page.context().close()
  })

  it('lets another view open within 300 ms while streaming [SH-18]', async () => {
    journey.model.reply([says(...pieces), hangs()])
    const page = await journey.open('/', { token })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const composer = page.getByRole('textbox', { name: label })
    await composer.fill('Count')
    await composer.press('Enter')
    await page.getByText('word5 ').first().waitFor()
    await page.evaluate(noteTransitions)
    await page.getByRole('link', { name: words('en', 'common', 'nav.tools'), exact: true }).click()
    await page.getByRole('heading', { name: words('en', 'common', 'nav.tools'), level: 1 }).waitFor()
    const [motions, ...more] = await page.evaluate<[string, number][][]>('Promise.all(window.played)')
    expect(more).toEqual([])
    expect(motions).toContainEqual(['::view-transition-old(view)', 300])
    expect(motions).toContainEqual(['::view-transition-new(view)', 300])
    expect(motions?.filter(([, ms]) => ms !== 300)).toEqual([])
    await page.context().close()
  })

  it('shows a reconnect dialog when the session has expired [SH-23, SH-24, AU-29]', async () => {
    const page = await journey.open('/', { token })
    await page.getByRole('textbox', { name: label }).fill('a draft that must not be lost')
    await fetch(`${journey.url}/api/v1/users/me/tokens`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    })
    const dialog = page
      .getByRole('dialog', { name: 'Session Expired' })
      .or(page.getByRole('alertdialog', { name: 'Session Expired' }))
    await dialog.waitFor({ timeout: 15_000 })
    expect(await dialog.textContent()).toContain('Your session has expired. Please reconnect to continue.')
    await page.context().close()
  })
})
