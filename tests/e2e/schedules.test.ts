import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const t = (key: string, language: 'en' | 'fr' = 'en', values: Record<string, string> = {}) =>
  words(language, 'schedules', key, values)

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/schedules-${name}.png` })
}

/** The form shows the next runs at its side, or below it on a narrow screen. */
const seen = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor(WAIT)

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

describe('schedules', () => {
  it('are made in a form that reads as a sentence, run now, and list their runs', async () => {
    const token = await journey.signUp('sol')
    const page = await journey.open('/schedules', { token, width: 1280, height: 900 })
    await page.getByText(t('empty')).waitFor(WAIT)
    await page.getByRole('link', { name: t('new') }).click()
    await page.getByRole('textbox', { name: t('field.name') }).fill('Contract deadlines')
    await page.getByRole('textbox', { name: t('field.text') }).fill('What changed for {{supplier}}?')
    await page.getByRole('textbox', { name: 'supplier' }).fill('Servia')
    await page.getByRole('combobox', { name: t('rule.zone') }).selectOption('Europe/Paris')
    await seen(page, 'Every Monday at 08:00, Europe/Paris')
    expect(await page.locator('aside ol > li').count()).toBe(5)
    await picture(page, 'form-light-1280')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await page.getByRole('button', { name: t('create'), exact: true }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    journey.model.reply([says('Servia raised its prices by 3 %.')])
    await page.getByRole('button', { name: t('run_now') }).click()
    await page.getByRole('tab', { name: t('section.runs') }).click()
    await page.locator('main').getByText('Servia raised its prices by 3 %.').waitFor(WAIT)
    expect(JSON.stringify(journey.model.requests.at(-1)?.messages)).toContain('What changed for Servia?')
    await picture(page, 'log-light-1280')
    await page.getByRole('link', { name: t('log.open_chat') }).click()
    await page.getByRole('heading', { name: 'Contract deadlines', level: 1 }).waitFor(WAIT)
    for (const [theme, width] of looks) {
      const look = { token, theme, width, height: 900 }
      const list = await journey.open('/schedules', look)
      await list.locator('main').getByText('Contract deadlines').first().waitFor(WAIT)
      await list.locator('main').getByText(t('slot.completed')).first().waitFor(WAIT)
      await picture(list, `list-${theme}-${width}`)
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await list.evaluate<number>(overflow)).toBe(0)
      await list.locator('main').getByRole('link', { name: 'Contract deadlines' }).click()
      await list.getByRole('textbox', { name: t('field.name') }).waitFor(WAIT)
      await seen(list, 'Every Monday at 08:00, Europe/Paris')
      await picture(list, `edit-${theme}-${width}`)
      expect(await list.evaluate<number>(overflow)).toBe(0)
      await list.context().close()
    }
    expect(journey.errors).toEqual([])
  })

  it('say in French what is wrong with a rule', async () => {
    const token = await journey.signUp('fay', 'fr')
    const page = await journey.open('/schedules/create', { token, language: 'fr', width: 1280, height: 900 })
    await page.getByRole('combobox', { name: t('rule.pattern', 'fr') }).selectOption('minutes')
    await page.getByRole('spinbutton', { name: t('rule.count', 'fr') }).fill('1')
    await seen(page, t('fault.too_often_other', 'fr', { count: '5' }))
    await page.getByRole('combobox', { name: t('rule.pattern', 'fr') }).selectOption('month_days')
    await seen(page, /^Chaque mois, le 1er, à 08:00/)
    await picture(page, 'form-fr')
  })

  it('are made by the API, on their page, and from a chat, where the model proposes and the person confirms the card [SD-02]', async () => {
    const token = await journey.signUp('cat')
    const account = accountAt(journey.url, token, 'cat')
    const page = await journey.open('/', { token, width: 1280, height: 900 })
    journey.model.reply(
      [
        calls('schedule', {
          ...{ name: 'Notice dates', text: 'Which contracts have a notice date within 90 days?' },
          ...{ repeats: 'weekdays', days: [1], time: '08:00' },
        }),
      ],
      [says('Confirm it below.')],
    )
    await page
      .getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
      .fill('Do this every Monday at 8')
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('button', { name: words('en', 'tool_ui', 'schedule.confirm') })
    await confirm.waitFor(WAIT)
    await page.getByText(/^Every Monday at 08:00/).waitFor(WAIT)
    await picture(page, 'card-light-1280')
    const list = () => account.call<{ items: { name: string }[] }>('GET', '/schedules')
    expect((await list()).items).toEqual([])
    await confirm.click()
    await page.getByText(words('en', 'tool_ui', 'schedule.made')).waitFor(WAIT)
    expect((await list()).items).toMatchObject([
      { name: 'Notice dates', sentence: expect.stringContaining('Every Monday at 08:00') },
    ])
    await account.call('POST', '/schedules', {
      ...{ name: 'By program', text: 'What is new?', time_zone: 'UTC' },
      rule: { kind: 'days', count: 1, time: '08:00' },
    })
    await page.goto(`${journey.url}/schedules/create`)
    await page.getByRole('textbox', { name: t('field.name') }).fill('On the page')
    await page.getByRole('textbox', { name: t('field.text') }).fill('What is new?')
    await page.getByRole('button', { name: t('create'), exact: true }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    expect((await list()).items.map(({ name }) => name)).toEqual([
      'On the page',
      'By program',
      'Notice dates',
    ])
    expect(journey.errors).toEqual([])
  })
})
