import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { aGate } from '../support/chat.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says, waits } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const say = (key: string, values?: Record<string, string>) => words('en', 'streaming_blocks', key, values)
const multiply = { a: 6, b: 7, operation: 'multiply' }

async function asked(name: string, question: string): Promise<Page> {
  const token = await journey.signUp(name)
  const page = await journey.open('/', { token, width: 1280, height: 900 })
  await page.waitForURL(/\/chat\/./)
  const composer = page.getByRole('textbox', { name: say('composer.label') })
  await composer.fill(question)
  await composer.press('Enter')
  return page
}

describe('run with checkpoints', () => {
  it('is paused, survives a reload and is resumed [CK-21, CK-22, CK-23]', async () => {
    const gate = aGate()
    journey.model.reply(
      [says('First. '), calls('calculator', multiply), waits(gate.opened)],
      [says('It is ', 'forty-two.')],
    )
    const page = await asked('ada', 'What is 6 * 7?')
    await said(page, 'First.').waitFor()
    await page.getByRole('button', { name: say('pause.pause') }).click()
    await page.getByText(say('pause.requested')).waitFor()
    gate.open()
    const resume = page.getByRole('button', { name: say('pause.resume') })
    await resume.first().waitFor()
    expect(journey.model.requests).toHaveLength(1)
    await page.reload()
    await page.getByText(say('pause.text', { place: 'Point 2' })).waitFor()
    // A resume button replaces the send button. Text typed meanwhile is preserved.
    const composer = page.getByRole('textbox', { name: say('composer.label') })
    await composer.fill('And doubled?')
    await composer.press('Enter')
    await page.getByText(say('composer.held.paused')).waitFor()
    await resume.last().click()
    await said(page, 'It is forty-two.').waitFor()
    await resume.first().waitFor({ state: 'detached' })
    expect(await composer.inputValue()).toBe('And doubled?')
    expect(journey.model.requests).toHaveLength(2)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('is returned to at a checkpoint on a new branch, without changing the first [CK-03, CK-09, SV-94, SV-95]', async () => {
    journey.model.reply(
      [says('Let me see. '), calls('calculator', multiply)],
      [says('The first answer is 42.')],
      [says('The second answer is 42 as well.')],
    )
    const page = await asked('grace', 'Once more: 6 * 7?')
    await said(page, 'The first answer is 42.').waitFor()
    const before = journey.model.requests.length
    const place = page.getByRole('button', { name: /^Point 2 ?, 2 checkpoints/ })
    const back = page.getByRole('button', { name: say('checkpoint.return_to', { name: 'Point 2' }) })
    // A line after a tool call expands to its checkpoints.
    await place.focus()
    await page.keyboard.press('Enter')
    await back.click()
    await said(page, 'The second answer is 42 as well.').waitFor()
    // The first call was neither repeated nor shown again.
    expect(journey.model.requests).toHaveLength(before + 1)
    expect(await said(page, 'Let me see.').count()).toBe(1)
    const versions = page.getByRole('group', { name: /Version/ })
    await versions.waitFor()
    expect(await versions.textContent()).toBe('2 / 2')
    await versions.getByRole('button', { name: say('branch.previous') }).click()
    await said(page, 'The first answer is 42.').waitFor()

    await page
      .getByRole('button', { name: say('panel.checkpoints'), exact: true })
      .first()
      .click()
    const panel = page.getByRole('complementary', { name: say('panel.checkpoints') })
    // The list opens on the new branch, whose model calls are folded.
    await panel.getByRole('button', { name: say('checkpoints.automatic_other', { count: '2' }) }).click()
    const row = panel.getByRole('listitem').filter({ hasText: 'Point 2' }).last()
    await row.getByRole('button', { name: /^Rename/ }).click()
    await panel.getByRole('textbox', { name: say('checkpoint.name') }).fill('Before the answer')
    await page.keyboard.press('Enter')
    // It is in the list and in the answer.
    await panel.getByText('Before the answer', { exact: true }).waitFor()
    await said(page, 'Before the answer').waitFor()
    const choices = panel.getByRole('button', { name: /^Compare/ })
    await choices.first().click()
    await choices.last().click()
    await panel.getByRole('table').waitFor()
    expect(await panel.getByRole('table').textContent()).toMatch(/Tools used01\+1/)
    await panel.getByText('The first answer is 42.').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})

describe('single answer', () => {
  it('shows neither checkpoints nor tokens until it is hovered or focused [CK-09]', async () => {
    journey.model.reply([says('Hello, Ada.')])
    const page = await asked('ada', 'Hi')
    await said(page, 'Hello, Ada.').waitFor()
    const line = page.getByRole('log').getByRole('button', { name: /^Completed/ })
    const details = [line, said(page, /tokens/)]
    await line.waitFor()
    expect((await said(page, 'Hello, Ada.').boundingBox())?.height).toBeLessThan(60)
    const shown = () => Promise.all(details.map((detail) => detail.evaluate(opacityOf)))
    await page.mouse.move(5, 5)
    await vi.waitFor(async () => expect(await shown()).toEqual([0, 0]))
    await said(page, 'Hello, Ada.').hover()
    await vi.waitFor(async () => expect(await shown()).toEqual([1, 1]))
    await page.mouse.move(5, 5)
    await vi.waitFor(async () => expect(await shown()).toEqual([0, 0]))
    await line.focus()
    await vi.waitFor(async () => expect(await shown()).toEqual([1, 1]))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: say('checkpoint.return_to', { name: 'Point 1' }) }).waitFor()
    await page.context().close()
  })
})

type Box = { parentElement: Box | null; computedStyleMap: () => { get: (name: string) => { value: number } } }

/** Returns the opacity of an element on screen, with its ancestors. */
function opacityOf(element: unknown): number {
  let opacity = 1
  for (let at = element as Box | null; at; at = at.parentElement)
    opacity *= Number(at.computedStyleMap().get('opacity').value)
  return opacity
}

describe('belief of a chat', () => {
  it('is shown in the context as soon as it is known, links to its messages, and can be compared [SH-16, R-02]', async () => {
    const token = await journey.signUp('claire')
    const preferences = { working_memory: true }
    await accountAt(journey.url, token).call('PUT', '/users/me/preferences', { preferences })
    const page = await journey.open('/', { token, width: 1280, height: 900 })
    await page.context().addInitScript(axeSource)
    await page.waitForURL(/\/chat\/./)
    await page.reload()
    const composer = page.getByRole('textbox', { name: say('composer.label') })
    const ask = async (question: string, answer: string, facts: string[]) => {
      const belief = {
        goals: [],
        facts: facts.map((text) => ({ text, from: 'question' })),
        open_questions: [],
      }
      journey.model.reply([says(`${answer} ${'And so on. '.repeat(200)}`)], [says(JSON.stringify(belief))])
      await composer.fill(question)
      await composer.press('Enter')
      await said(page, answer).waitFor()
    }
    await ask('When does the lease end?', 'It ends in May.', ['The lease ends in May', 'No price is known'])
    await page.getByRole('button', { name: say('panel.context') }).click()
    const head = page.getByRole('button', { name: /^Working memory/ })
    await head.filter({ hasText: '2 facts' }).waitFor()
    await ask('The price is 900 EUR.', 'Noted, 900 EUR.', ['The lease ends in May', 'The price is 900 EUR'])
    await head.click()
    await page.getByRole('button', { name: 'The price is 900 EUR' }).waitFor()
    expect(await runAxe(page, ['serious', 'critical'])).toEqual([])
    await page.getByRole('button', { name: 'The lease ends in May' }).click()
    const question = page.getByRole('article').filter({ hasText: 'When does the lease end?' }).first()
    await vi.waitFor(async () => {
      expect(await page.locator('article:focus').textContent()).toContain('When does the lease end?')
      const { y = -1 } = (await question.boundingBox()) ?? {}
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(300)
    })
    await page
      .getByRole('button', { name: say('panel.checkpoints'), exact: true })
      .last()
      .click()
    const panel = page.getByRole('complementary', { name: say('panel.checkpoints') })
    await panel.getByRole('button', { name: 'Compare Completed' }).first().click()
    await panel.getByRole('button', { name: 'Compare Completed' }).last().click()
    const changes = panel
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: /^Working memory/ }) })
    await changes.last().getByText('1 added, 1 removed').waitFor()
    expect(await changes.last().textContent()).toContain('−Removed: No price is known')
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})

/** Finds text in the transcript, since the history shows its beginning too. */
const said = (page: Page, text: string | RegExp) => page.getByRole('log').getByText(text)
