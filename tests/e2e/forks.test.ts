import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') =>
  words(language, 'streaming_blocks', `branch.${key}`)
const messages = (page: Page) => page.getByRole('log').getByRole('article')

/** Creates a chat of two turns, whose first reply called a tool. */
async function aChat(name: string, language: 'en' | 'fr' = 'en') {
  const token = await journey.signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
  const multiply = { a: 6, b: 7, operation: 'multiply' }
  journey.model.reply([calls('calculator', multiply)], [says('It is 42.')], [says('It is 43.')])
  for (const content of ['Multiply six by seven', 'Add one']) {
    const stream = await openStream(`${journey.url}/api/v1/sessions/${id}/messages`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: { content } },
    })
    await stream.ended
  }
  await account.call('PUT', `/sessions/${id}/rename`, { title: 'HVAC renewals' })
  return { token, account, id }
}

describe('forking a chat', () => {
  it('continues from a message in a new chat, and both chats link to each other [OC-08]', async () => {
    const { token, id } = await aChat('flora')
    const page = await journey.open(`/chat/${id}`, { token })
    await messages(page).nth(3).waitFor()
    await messages(page).nth(1).hover()
    await messages(page)
      .nth(1)
      .getByRole('button', { name: say('fork') })
      .click()
    await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(id))
    await expect.poll(() => messages(page).count(), WAIT).toBe(2)
    await messages(page).nth(1).getByText('It is 42.').waitFor()
    await messages(page).nth(1).getByText('Calculator').first().waitFor()
    journey.model.reply([says('It is 41.')])
    await page.getByRole('textbox', { name: /message/i }).fill('Subtract one')
    await page.keyboard.press('Enter')
    await messages(page).nth(3).getByText('It is 41.').waitFor()
    const from = page.locator('[data-fork="from"]').getByRole('link', { name: 'HVAC renewals' })
    await from.click()
    await page.waitForURL((url) => url.pathname.endsWith(id))
    await expect.poll(() => messages(page).count(), WAIT).toBe(4)
    await messages(page).nth(3).getByText('It is 43.').waitFor()
    // A question can be forked too, and both forks stand at their messages.
    await messages(page).nth(2).hover()
    await messages(page)
      .nth(2)
      .getByRole('button', { name: say('fork') })
      .click()
    await expect.poll(() => messages(page).count(), WAIT).toBe(3)
    await page.getByText(words('en', 'streaming_blocks', 'no_reply')).waitFor()
    await page.locator('[data-fork="from"]').getByRole('link').click()
    await expect.poll(() => messages(page).count(), WAIT).toBe(4)
    for (const at of [1, 2])
      expect(await messages(page).nth(at).locator('[data-fork="to"] a').count()).toBe(1)
    await messages(page).nth(1).locator('[data-fork="to"] a').click()
    await messages(page).nth(3).getByText('It is 41.').waitFor()
    expect(journey.errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no accessibility violations in the %s theme', async (theme) => {
    const { token, account, id } = await aChat(`fay${theme}`, 'fr')
    const branch = await account.call<{ active_branch: { id: string }[] }>(
      'GET',
      `/sessions/${id}/active-branch`,
    )
    await account.call('POST', `/sessions/${id}/messages/${branch.active_branch[1]?.id}/fork`, {})
    const page = await journey.open(`/chat/${id}`, { token, theme, language: 'fr', width: 390, height: 844 })
    await page.getByText(say('forked_to', 'fr')).waitFor()
    await page.waitForTimeout(800)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
  })
})
