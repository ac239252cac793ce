import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aGate } from '../support/chat.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says, waits } from '../support/model-server.ts'

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
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

describe('a run with checkpoints', () => {
  it('CK-21 CK-22 CK-23 is paused, survives a reload, and goes on', async () => {
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
    await resume.waitFor()
    expect(journey.model.requests).toHaveLength(1)
    await page.reload()
    await page.getByText(say('pause.text', { place: 'Model call 2' })).waitFor()
    await resume.click()
    await said(page, 'It is forty-two.').waitFor()
    await resume.waitFor({ state: 'detached' })
    expect(journey.model.requests).toHaveLength(2)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('CK-03 CK-09 SV-94 SV-95 is returned to at one of them: another branch, and the first one stays', async () => {
    journey.model.reply(
      [says('Let me see. '), calls('calculator', multiply)],
      [says('The first answer is 42.')],
      [says('The second answer is 42 as well.')],
    )
    const page = await asked('grace', 'Once more: 6 * 7?')
    await said(page, 'The first answer is 42.').waitFor()
    const before = journey.model.requests.length
    await page.getByRole('button', { name: say('checkpoint.return_to', { name: 'Model call 2' }) }).click()
    await said(page, 'The second answer is 42 as well.').waitFor()
    // The first call was neither made nor shown a second time.
    expect(journey.model.requests).toHaveLength(before + 1)
    expect(await said(page, 'Let me see.').count()).toBe(1)
    const versions = page.getByRole('group', { name: /Version/ })
    await versions.waitFor()
    expect(await versions.textContent()).toBe('2 / 2')
    await versions.getByRole('button', { name: say('branch.previous') }).click()
    await said(page, 'The first answer is 42.').waitFor()

    await page
      .getByRole('button', { name: say('panel.checkpoints') })
      .first()
      .click()
    const panel = page.getByRole('complementary', { name: say('panel.checkpoints') })
    const row = panel.getByRole('listitem').filter({ hasText: 'Model call 2' })
    await row.getByRole('button', { name: /^Rename/ }).click()
    await panel.getByRole('textbox', { name: say('checkpoint.name') }).fill('Before the answer')
    await page.keyboard.press('Enter')
    // In the list and in the answer.
    await page.getByText('Before the answer', { exact: true }).nth(1).waitFor()
    const choices = panel.getByRole('button', { name: /^Compare/ })
    await choices.first().click()
    await choices.last().click()
    await panel.getByRole('table').waitFor()
    expect(await panel.getByRole('table').textContent()).toMatch(/Tool calls01\+1/)
    await panel.getByText('The first answer is 42.').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })
})

/** In the chat itself: the list of chats shows its beginning as well. */
const said = (page: Page, text: string) => page.getByRole('log').getByText(text)
