import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { untilAtRest } from '../support/at-rest.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says, waits } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney({ tokensPerSecond: 2000 })
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const chat = (key: string, values?: Record<string, string>) => words('en', 'streaming_blocks', key, values)
const composer = (page: Page) => page.getByRole('textbox', { name: chat('composer.label'), exact: true })
const log = (page: Page) => page.getByRole('log')
const version = (page: Page, number: number, count: number) =>
  page.getByRole('group', { name: chat('branch.position', { number: String(number), count: String(count) }) })

/** Sends a question and waits for the answer. */
async function ask(page: Page, question: string, answer: string): Promise<void> {
  journey.model.reply([says(answer)])
  await composer(page).fill(question)
  await composer(page).press('Enter')
  await log(page).getByText(answer, { exact: true }).waitFor()
  await page.getByRole('button', { name: chat('composer.send'), exact: true }).waitFor()
}

/** Waits until the message with this text has the focus. */
const focused = (page: Page, text: string) =>
  page.locator('article:focus').filter({ hasText: text }).waitFor()

async function openChat(username: string): Promise<Page> {
  const page = await journey.open('/', { token: await journey.signUp(username), width: 1440, height: 900 })
  await page.waitForURL('**/chat/*')
  await ask(page, 'First question', 'First answer')
  await ask(page, 'Second question', 'Second answer')
  await ask(page, 'Third question', 'Third answer')
  await untilAtRest(page)
  return page
}

describe('branches of a conversation', () => {
  it('keep the original of an edited message, announce what followed it, and can be switched back [BR-12, BR-15, BR-06]', async () => {
    const page = await openChat('ada')
    const old = page.getByRole('article').filter({ hasText: 'First question' })
    await old.hover()
    await old.getByRole('button', { name: chat('branch.edit') }).click()
    journey.model.reply([says('Another first answer')])
    const field = page.getByRole('textbox', { name: chat('branch.edit_label') })
    await field.fill('First question, asked better')
    await field.press('Enter')
    await log(page).getByText('Another first answer').waitFor()
    await log(page).getByText('Third answer').waitFor({ state: 'detached' })
    await page.getByRole('note').getByText('5 later messages are on another branch.').waitFor()
    await version(page, 2, 2).waitFor()

    await page.reload()
    await log(page).getByText('Another first answer').waitFor()
    await version(page, 2, 2)
      .getByRole('button', { name: chat('branch.previous') })
      .click()
    await log(page).getByText('Third answer').waitFor()
    expect(await log(page).getByText('Another first answer').count()).toBe(0)
    await page.reload()
    await log(page).getByText('Third answer').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('can be switched in the map by keyboard alone [BR-15, SV-93]', async () => {
    const page = await openChat('bea')
    journey.model.reply([says('Second thoughts')])
    await page
      .getByRole('button', { name: chat('branch.regenerate'), exact: true })
      .last()
      .focus()
    await page.keyboard.press('Enter')
    await log(page).getByText('Second thoughts').waitFor()
    const badge = page.getByRole('button', { name: chat('branch.badge', { number: '2', count: '2' }) })
    await badge.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tree').waitFor()
    await page.keyboard.press('ArrowLeft')
    expect(await log(page).getByText('Second thoughts').count()).toBe(1)
    await page.getByRole('tooltip').getByText('Third answer').waitFor()
    await page.keyboard.press('Enter')
    await log(page).getByText('Third answer').waitFor()
    expect(await page.getByRole('treeitem', { selected: true }).textContent()).toContain('Third answer')
    await focused(page, 'Third answer')
    await page.getByRole('tree').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await focused(page, 'Second thoughts')
    await page.getByRole('tree').focus()
    await page.keyboard.press('Escape')
    await page.getByRole('tree').waitFor({ state: 'detached' })
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe(await badge.textContent())
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('that are not on screen are searchable and open at the match [SV-93, SE-24]', async () => {
    const page = await openChat('cora')
    journey.model.reply([says('Second thoughts')])
    await page
      .getByRole('button', { name: chat('branch.regenerate'), exact: true })
      .last()
      .click()
    await log(page).getByText('Second thoughts').waitFor()
    await page.getByRole('button', { name: chat('branch.badge', { number: '2', count: '2' }) }).click()
    await page.getByRole('button', { name: chat('branch.find') }).click()
    await page.keyboard.type('third')
    await page.getByRole('option').nth(1).waitFor()
    expect(await page.getByRole('option').allTextContents()).toEqual([
      expect.stringMatching(/Branch 1.*Third answer$/),
      expect.stringMatching(/^You · Branch 2.*Third question$/),
    ])
    await page.keyboard.press('Enter')
    await focused(page, 'Third answer')
    await page.getByRole('button', { name: chat('branch.badge', { number: '1', count: '2' }) }).waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('can be read during a reply on another one, also in a second tab, without loss [BR-06, BR-07]', async () => {
    const page = await openChat('cleo')
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    journey.model.reply([says('A slow answer begins '), waits(finished), says('and ends.')])
    await page
      .getByRole('button', { name: chat('branch.regenerate'), exact: true })
      .last()
      .click()
    await log(page).getByText('A slow answer begins').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await log(other).getByText('A slow answer begins').waitFor()

    await version(page, 2, 2)
      .getByRole('button', { name: chat('branch.previous') })
      .click()
    await log(page).getByText('Third answer').waitFor()
    await page.getByRole('note').getByText(chat('branch.elsewhere')).waitFor()
    finish()
    await log(other).getByText('A slow answer begins and ends.').waitFor()
    await page.getByRole('note').getByText(chat('branch.elsewhere')).waitFor({ state: 'detached' })
    await version(page, 1, 2)
      .getByRole('button', { name: chat('branch.next') })
      .click()
    await log(page).getByText('A slow answer begins and ends.').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})
