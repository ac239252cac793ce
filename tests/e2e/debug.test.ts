import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says, waits } from '../support/model-server.ts'

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('ada')
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const text = (key: string) => words('en', 'admin', `debug.${key}`)
const press = (page: Page, key: string) => page.getByRole('button', { name: text(key), exact: true }).click()
const eventOf = (page: Page, type: string) => page.locator(`[data-event="${type}"]`)

async function openAgentTab(theme: 'light' | 'dark' = 'light') {
  const page = await journey.open('/debug', { token, theme, width: 1440, height: 900 })
  await page.context().addInitScript(axeSource)
  await page.reload()
  // A client that connects before the new session exists reads another one.
  const chosen = page.getByLabel(text('session_id'), { exact: true })
  const before = await chosen.inputValue()
  await press(page, 'create_session')
  await expect.poll(() => chosen.inputValue(), { timeout: 20_000 }).not.toBe(before)
  await press(page, 'connect_events')
  await eventOf(page, 'connection_established').waitFor()
  return page
}

describe('debug area', () => {
  it('sends a test event by header and receives it on the stream opened with the cookie [DA-06, ST-29, ST-31]', async () => {
    const page = await openAgentTab()
    await page.getByRole('tab', { name: text('tabs.sse') }).click()
    await press(page, 'send_test')
    await eventOf(page, 'test_event').click()
    expect(await page.locator('pre').textContent()).toContain(text('test_data'))
    await press(page, 'check_status')
    await page.getByText(/^200, \d+ session/).waitFor()
    await page.context().close()
  })

  it('refuses a stream without a valid token and opens it with another one [ST-29, DA-04, DA-07]', async () => {
    const page = await openAgentTab()
    await press(page, 'disconnect')
    await page.getByRole('tab', { name: text('tabs.sse') }).click()
    await page.getByRole('tab', { name: text('mode.token') }).click()
    const field = page.locator('input[type=password]')
    await field.fill('not a token')
    await press(page, 'connect')
    await page.getByRole('alert').getByText('(401)').waitFor()
    await field.fill(token)
    await press(page, 'connect')
    await page.getByText(text('connected'), { exact: true }).waitFor()
    await page.context().close()
  })

  it('runs an agent, pauses it and resumes from its latest checkpoint [DA-12, DA-13, DA-18, DA-19, DA-22]', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    journey.model.reply([waits(answered), calls('calculator', { a: 17, b: 23, operation: 'multiply' })])
    journey.model.reply([says('It is 391.')])
    const page = await openAgentTab()
    await press(page, 'test_task')
    await page.getByText(text('agent_status.processing'), { exact: true }).waitFor()
    await press(page, 'pause_agent')
    await eventOf(page, 'agent_pause_requested').waitFor()
    answer()
    await eventOf(page, 'agent_task_paused').waitFor()
    await page.getByText(text('agent_status.paused'), { exact: true }).first().waitFor()
    await page.getByRole('combobox', { name: text('checkpoint') }).waitFor()
    expect(
      await page
        .getByRole('list', { name: text('checkpoints') })
        .getByRole('listitem')
        .count(),
    ).toBeGreaterThan(0)
    expect(await runAxe(page, ['serious', 'critical'])).toEqual([])
    await press(page, 'resume_latest')
    await eventOf(page, 'agent_task_resumed').waitFor()
    await page.getByText(text('agent_status.completed'), { exact: true }).first().waitFor()
    await eventOf(page, 'agent_message').getByText('It is 391.').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'has no serious axe findings with events on the screen (%s)',
    async (theme) => {
      const page = await openAgentTab(theme)
      await page.getByRole('tab', { name: text('tabs.sse') }).click()
      await press(page, 'send_test')
      await eventOf(page, 'test_event').click()
      await press(page, 'list_sessions')
      await page.getByRole('table').waitFor()
      expect(await runAxe(page, ['serious', 'critical'])).toEqual([])
      await page.context().close()
    },
  )

  it('is visible only to super admins [SH-06, G-05]', async () => {
    const page = await journey.open('/debug', { token: await journey.signUp('bette') })
    await page.waitForURL((url) => url.pathname !== '/debug')
    expect(await page.getByRole('heading', { name: text('title') }).count()).toBe(0)
    await page.context().close()
  })
})
