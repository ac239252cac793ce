import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { type SlackServer, startSlackServer } from '../support/sources/slack-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }
/** Folder for pictures of the pages; none are taken without it. */
const pictures = process.env.PICTURES

let slack: SlackServer
let journey: Journey
let token: string
let french: string
let company: string
beforeAll(async () => {
  slack = await startSlackServer()
  slack.people = [{ id: 'U1', name: 'Inès' }]
  const channel = { isPrivate: false, isMember: true, members: ['U1'] }
  slack.channels.set('C1', { ...channel, name: 'general' })
  slack.channels.set('C2', { ...channel, name: 'board', isPrivate: true })
  for (const [id, text] of [
    ['C1', 'The pump of lot 3 is green.'],
    ['C2', 'The board meets on Monday.'],
  ] as const)
    slack.messages.set(id, [{ ts: '1790000000.000100', user: 'U1', text }])
  journey = await startJourney({ env: { ATRIUM_TOOLS_PRIVATE: slack.url } })
  token = await journey.signUp('ada')
  french = await journey.signUp('ines', 'fr')
  const me = await accountAt(journey.url, token, 'ada').call<{
    company_affiliations: { company: { name: string } }[]
  }>('GET', '/users/me')
  company = me.company_affiliations[0]?.company.name ?? ''
})
afterAll(async () => {
  await journey.close()
  slack.close()
})
beforeEach(() => journey.fresh())

const say = (key: string, values: Record<string, string> = {}) => words('en', 'connectors', key, values)
const button = (page: Page, key: string) => page.getByRole('button', { name: say(key), exact: true })
const field = (page: Page, source: string, name: string) =>
  page.getByLabel(new RegExp(`^${say(`sources.${source}.fields.${name}`)}`))
const fact = (page: Page, key: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(say(key), { exact: true }) })
    .locator('dd')

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: `${pictures}/apis-${name}.png`, fullPage: true })
}

async function openForm(source: string, look: Parameters<Journey['open']>[1] = {}): Promise<Page> {
  const page = await journey.open('/documents/connectors/new', { token, ...look })
  const name = words(look.language ?? 'en', 'connectors', `sources.${source}.name`)
  const choice = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await choice.waitFor(WAIT)
  await picture(page, `sources-${look.theme ?? 'light'}-${look.width ?? 1280}`)
  await choice.click()
  return page
}

describe('a connector of Slack', () => {
  it('is signed in with a token, and reads the chosen channel with the rights of its members', async () => {
    const page = await openForm('slack')
    await page.getByRole('combobox', { name: say('for'), exact: true }).selectOption({ label: company })
    await field(page, 'slack', 'token').fill('xoxb-wrong')
    await field(page, 'slack', 'address').fill(slack.url)
    await button(page, 'sign_in.test').click()
    await page.getByText('Slack refuses the token (invalid_auth).').waitFor(WAIT)
    await picture(page, 'slack-refused')
    await field(page, 'slack', 'token').fill('xoxb-1')
    await button(page, 'sign_in.test').click()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('2')
    await button(page, 'folders.some').click()
    await page.getByRole('checkbox', { name: 'general' }).check()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('1')
    expect(await fact(page, 'count.size').textContent()).toBe(say('count.size_unknown'))
    await page.getByText(say('rights.mirrored', { source: 'Slack' })).waitFor()
    await picture(page, 'slack-content')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await button(page, 'start').click()
    await page.waitForURL(/\/connectors\/[0-9a-f-]{36}/)
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('1')
    await picture(page, 'slack-detail')
    expect(journey.errors).toEqual([])
  })

  it.each(['confluence', 'jira', 'notion', 'slack'])(
    'has a form for %s that fits a phone',
    async (source) => {
      const page = await openForm(source, {
        ...{ width: 390, height: 844, theme: 'dark', language: 'fr', token: french },
      })
      await page
        .getByLabel(new RegExp(`^${words('fr', 'connectors', `sources.${source}.fields.token`)}`))
        .waitFor(WAIT)
      await picture(page, `${source}-fr-dark-390`)
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(wide).toBeLessThanOrEqual(390)
      await page.evaluate(axeSource)
      expect(await runAxe(page)).toEqual([])
      const large = await openForm(source)
      await field(large, source, 'token').waitFor(WAIT)
      await picture(large, `${source}-light-1280`)
      expect(journey.errors).toEqual([])
    },
  )
})
