import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  type SlackAppServer,
  startSlackAppServer,
} from '../support/slack-app-server.ts'

let journey: Journey
let slack: SlackAppServer
let root: string
beforeAll(async () => {
  slack = await startSlackAppServer()
  slack.channels.set('C1', { name: 'achats', members: ['UBOT'] })
  slack.channels.set('C2', { name: 'csrd-2026', members: ['UBOT'] })
  journey = await startJourney()
  root = await journey.signUp('root')
  const account = accountAt(journey.url, root, 'root')
  await account.call('POST', '/assistants', { name: 'Procurement analyst', status: 'published' })
}, 120_000)
afterEach(() => expect(journey.errors).toEqual([]))
afterAll(async () => {
  await journey?.close()
  slack?.close()
})

const say = (key: string, values?: Record<string, string>) => words('en', 'channels', key, values as never)

/** Keeps a screenshot for a look at the pages, where `ATRIUM_SHOTS` names a folder. */
async function shoot(page: Page, name: string) {
  const folder = process.env.ATRIUM_SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/channels-${name}.png` })
}

describe('channels', () => {
  it('are connected after a test with a plain error, and given to assistants', async () => {
    const page = await journey.open('/admin?page=channels', { token: root, width: 1280 })
    await page.getByText(say('none')).waitFor()
    await page.getByRole('button', { name: say('connect') }).click()
    await page.getByText(say('cloud')).click()
    await page.getByRole('textbox', { name: say('address') }).fill(slack.url)
    await page.getByLabel(say('signing_secret')).fill(SIGNING_SECRET)
    await page.getByLabel(say('bot_token')).fill('xoxb-wrong')
    await page.getByRole('button', { name: say('test'), exact: true }).click()
    await page.getByText('Slack refuses the bot token. Copy it again from “OAuth & Permissions”.').waitFor()
    await shoot(page, 'refused')
    await page.getByLabel(say('bot_token')).fill(BOT_TOKEN)
    await page.getByRole('button', { name: say('test'), exact: true }).click()
    await page.getByText('acme.slack.com · atrium').waitFor()
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await page.getByRole('button', { name: say('test_and_connect') }).click()
    await page.getByRole('button', { name: '#achats' }).click()
    await page.getByRole('combobox', { name: say('places.assistant', { name: '#achats' }) }).waitFor()
    await page.getByRole('checkbox', { name: say('places.direct') }).check()
    await shoot(page, 'places')
    expect(await runAxe(page)).toEqual([])
    await page.getByRole('button', { name: say('save') }).click()
    await page.getByText(say('state.works')).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Procurement analyst' }).waitFor()
    await page.getByText(/\/channels\/[0-9a-f-]{36}\/slack\/events$/).waitFor()
    expect(await runAxe(page)).toEqual([])
    await shoot(page, 'list')
  })

  it.each([
    ['fr', 'dark', 390],
    ['fr', 'light', 1280],
    ['en', 'dark', 390],
  ] as const)('fit in %s, %s and %i pixels', async (language, theme, width) => {
    await accountAt(journey.url, root, 'root').call('PUT', '/users/me/preferences', { language })
    const page = await journey.open('/admin?page=channels', { token: root, width, language, theme })
    await page.getByText(words(language, 'channels', 'state.works')).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await shoot(page, `list-${language}-${theme}-${width}`)
    await page.getByRole('button', { name: words(language, 'channels', 'connect') }).click()
    await page.getByRole('button', { name: 'Microsoft Teams' }).click()
    expect(await page.getByRole('textbox', { name: words(language, 'channels', 'name') }).inputValue()).toBe(
      'Microsoft Teams',
    )
    expect(await runAxe(page)).toEqual([])
    await shoot(page, `form-${language}-${theme}-${width}`)
  })

  it('are removed after a question', async () => {
    const page = await journey.open('/admin?page=channels', { token: root, width: 1280 })
    await page.getByRole('button', { name: say('remove_one', { name: 'Slack' }) }).click()
    await page.getByRole('button', { name: say('remove'), exact: true }).click()
    await page.getByText(say('none')).waitFor()
  })
})
