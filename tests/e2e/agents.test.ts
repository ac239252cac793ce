import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

let journey: Journey
beforeAll(async () => {
  // No model is connected: planning works without one.
  journey = await startJourney({ env: { ATRIUM_COMPATIBLE_URL: '' } })
})
afterAll(() => journey.close())

describe('planned answer', () => {
  it.each([
    ['en', 'What is 21 * 2, then divide it by 4', '42 ÷ 4 = 10.5.'],
    ['fr', 'Combien font 21 * 2, puis divise-le par 4', '42 ÷ 4 = 10,5.'],
  ] as const)(
    'is chosen by keyboard and shows the same steps live and later (%s) [SE-14, BL-01, BL-03]',
    async (language, question, answer) => {
      const say = (key: string, values?: Record<string, string>) =>
        words(language, 'streaming_blocks', key, values)
      const token = await journey.signUp(`ada-${language}`, language)
      const page = await journey.open('/', { language, token })
      await page.context().addInitScript(axeSource)
      const menu = page.getByRole('button', {
        name: say('agent.button', { agent: say('agent.multi_turn.name') }),
      })
      await menu.focus()
      await page.keyboard.press('Enter')
      await page.getByText(say('agent.plan_and_act.note')).waitFor()
      await page.getByText(say('agent.plan_and_act.note')).click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      const composer = page.getByRole('textbox', { name: say('composer.label') })
      await composer.fill(question)
      await composer.press('Enter')
      const steps = page.getByRole('article').getByRole('heading', { level: 3 })
      const answered = page.getByRole('article').getByText(answer).last()
      await answered.waitFor()
      await page.getByRole('button', { name: say('composer.send') }).waitFor()
      const live = await steps.allInnerTexts()
      expect(live).toHaveLength(2)
      await page.reload()
      await answered.waitFor()
      expect(await steps.allInnerTexts()).toEqual(live)
      await page.getByRole('button', { name: say('open_step', { number: '2' }) }).click()
      expect(await page.getByRole('article').getByText(answer).count()).toBe(2)
      expect(await runAxe(page, ['serious', 'critical'])).toEqual([])
      expect(journey.errors).toEqual([])
      await page.context().close()
    },
  )
})

describe('answer of an assistant', () => {
  it.each([
    ['en', 'Analyst', 'What is 21 * 2, then divide it by 4', '42 ÷ 4 = 10.5.'],
    ['fr', 'Analyste', 'Combien font 21 * 2, puis divise-le par 4', '42 ÷ 4 = 10,5.'],
  ] as const)(
    'is requested by keyboard and names the assistant live and later (%s) [SE-14]',
    async (language, name, question, answer) => {
      const say = (key: string, values?: Record<string, string>) =>
        words(language, 'streaming_blocks', key, values)
      const token = await journey.signUp(`grace-${language}`, language)
      const page = await journey.open('/', { language, token })
      await page.context().addInitScript(axeSource)
      const button = page.getByRole('button', {
        name: say('assistant.button', { assistant: say('assistant.none') }),
      })
      await button.focus()
      await page.keyboard.press('Enter')
      const list = page.getByRole('listbox', { name: say('assistant.choose') })
      await list.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: say('assistant.button', { assistant: name }) }).waitFor()
      const composer = page.getByRole('textbox', { name: say('composer.label') })
      await composer.fill(question)
      await composer.press('Enter')
      const told = page.getByRole('article').getByText(name, { exact: true })
      await told.waitFor()
      await page.getByRole('article').getByText(answer).waitFor()
      await page.reload()
      await told.waitFor()
      await page.getByRole('button', { name: say('assistant.button', { assistant: name }) }).click()
      await list.getByRole('option', { selected: true, name }).waitFor()
      expect(await runAxe(page, ['serious', 'critical'])).toEqual([])
      expect(journey.errors).toEqual([])
      await page.context().close()
    },
  )
})
