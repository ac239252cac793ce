import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'notifications', key)
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
/** Takes a picture when a folder for pictures is given, after motions have ended. */
async function shoot(page: Page, name: string) {
  if (!process.env.SHOTS) return
  await page.waitForTimeout(800)
  await page.screenshot({ path: `${process.env.SHOTS}/notify-${name}.png` })
}

/** Creates an account with finished replies in chats of these titles. */
async function anAccount(name: string, titles: string[], language: 'en' | 'fr' = 'en') {
  const token = await journey.signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const ids: string[] = []
  for (const title of titles) {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
    await account.call('PUT', `/sessions/${id}/rename`, { title })
    journey.model.always(() => [says('The lease ends in 2027.')])
    const stream = await openStream(`${journey.url}/api/v1/sessions/${id}/messages`, {
      method: 'POST',
      body: { content: 'When?' },
      headers: { authorization: `Bearer ${token}` },
    })
    await stream.ended
    ids.push(id)
  }
  const listed = () => account.call<{ unread: number }>('GET', '/notifications')
  await expect.poll(async () => (await listed()).unread, WAIT).toBe(titles.length)
  return { token, account, ids, listed }
}

/** Clicks a switch. It shows its new state a moment later, once the page has taken the change over. */
async function turn(control: Locator, isOn: boolean): Promise<void> {
  await control.click()
  await expect.poll(() => control.isChecked(), WAIT).toBe(isOn)
}

describe('notifications', () => {
  it('open the exact place and are read when it was read in another browser', async () => {
    const { token, ids, listed } = await anAccount('nina', ['Lyon lease', 'Supplier spend'])
    const [here, there] = [
      await journey.open('/documents', { token }),
      await journey.open('/documents', { token }),
    ]
    for (const page of [here, there]) await bell(page).filter({ hasText: '2' }).waitFor(WAIT)
    await bell(here).click()
    await shoot(here, 'bell-light-1280')
    await here
      .getByRole('link', { name: /Lyon lease/ })
      .last()
      .click()
    await here.waitForURL(`**/chat/${ids[0]}`)
    await bell(there).filter({ hasText: '1' }).waitFor(WAIT)
    await there.goto(`${journey.url}/chat/${ids[1]}`)
    await expect.poll(async () => (await listed()).unread, WAIT).toBe(0)
    await expect.poll(() => bell(here).getAttribute('aria-label'), WAIT).toBe('Notifications')
    expect(journey.errors).toEqual([])
  })

  it('are listed on a page, work by keyboard, and are marked as read together', async () => {
    const { token, listed } = await anAccount('noor', ['Lyon lease', 'Supplier spend'])
    const page = await journey.open('/notifications', { token, theme: 'dark' })
    await page.getByText(/New answer in .*Lyon lease/).waitFor(WAIT)
    await shoot(page, 'page-dark-1280')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await bell(page).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Notifications' })
    await panel.waitFor(WAIT)
    await panel.getByRole('button', { name: say('read_all') }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await listed()).unread, WAIT).toBe(0)
    expect(journey.errors).toEqual([])
  })

  it('fit on a phone, in French', async () => {
    const { token } = await anAccount('nils', ['Bail de Lyon'], 'fr')
    const page = await journey.open('/documents', { token, width: 390, height: 844, language: 'fr' })
    await bell(page).filter({ hasText: '1' }).waitFor(WAIT)
    await bell(page).click()
    await page.getByText('Bail de Lyon').last().waitFor(WAIT)
    await shoot(page, 'bell-light-390')
    await page.goto(`${journey.url}/user/notifications`)
    await page.getByText(say('page.kind.item_shared', 'fr')).waitFor(WAIT)
    await shoot(page, 'settings-light-390')
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
    expect(journey.errors).toEqual([])
  })

  it('follow the settings, which are kept as they are switched', async () => {
    const { token, account } = await anAccount('nour', ['Lyon lease'])
    const page = await journey.open('/user/notifications', { token })
    const box = page.getByRole('checkbox', { name: 'An answer failed, In Atrium' })
    await box.waitFor(WAIT)
    await turn(box, false)
    await turn(page.getByRole('switch', { name: say('page.quiet') }), true)
    await page.getByLabel(say('page.from'), { exact: true }).fill('20:15')
    await turn(page.getByRole('switch', { name: say('page.digest') }), true)
    await shoot(page, 'settings-light-1280')
    const stored = () => account.call('GET', '/notifications/settings')
    await expect.poll(stored, WAIT).toMatchObject({
      ...{ switches: { reply_failed: { in_app: false } }, digest_at: 1080 },
      quiet: { from: 20 * 60 + 15, until: 450 },
    })
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await page.reload()
    await box.waitFor(WAIT)
    expect(await box.isChecked()).toBe(false)
    expect(journey.errors).toEqual([])
  })
})
