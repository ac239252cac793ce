import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { sourceFixtures } from '../support/source-fixtures.ts'
import type { SourceFixture } from '../support/sources/source-fixture.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }
const sources = ['s3', 'imap', 'git'] as const

const fixtures = new Map<string, SourceFixture>()
let journey: Journey
let token: string
beforeAll(async () => {
  for (const id of sources) {
    const fixture = await sourceFixtures[id]?.()
    if (!fixture) throw new Error(id)
    fixture.setFiles(
      new Map([
        ['contracts/lease.md', '# Lease\nNotice: 6 months.'],
        ['contracts/offer.md', '# Offer\nValid until May.'],
        ['letters/reply.md', '# Reply\nThank you.'],
      ]),
    )
    fixtures.set(id, fixture)
  }
  const privates = [...fixtures.values()].map(({ config }) => config.ATRIUM_TOOLS_PRIVATE)
  journey = await startJourney({ env: { ATRIUM_TOOLS_PRIVATE: privates.join(',') } })
  token = await journey.signUp('ada')
})
afterAll(async () => {
  await journey.close()
  for (const fixture of fixtures.values()) await fixture.close()
})
beforeEach(() => journey.fresh())

const say = (key: string) => words('en', 'connectors', key)
const fact = (page: Page, key: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(say(key), { exact: true }) })
    .locator('dd')

/** Takes a screenshot for review, if a folder for them is set. */
async function look(page: Page, name: string) {
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/src-${name}.png`, fullPage: true })
}

async function fill(page: Page, source: string, settings: Record<string, string>) {
  for (const [name, value] of Object.entries(settings)) {
    const label = say(`sources.${source}.fields.${name}`)
    if (name === 'security') await page.getByRole('combobox', { name: label }).selectOption(value)
    else
      await page
        .getByLabel(new RegExp(`^${label}`))
        .last()
        .fill(value)
  }
}

describe('a source with a sign-in', () => {
  it.each([
    { source: 's3', secret: 'secret_key', width: 1280 },
    { source: 'imap', secret: 'password', width: 390 },
    { source: 'git', secret: 'token', width: 1280 },
  ])('is connected step by step: $source', async ({ source, secret, width }) => {
    const settings = fixtures.get(source)?.settings ?? {}
    const page = await journey.open('/documents/connectors/new', { token, width, height: 900 })
    await page.getByText(say(`sources.${source}.text`)).waitFor(WAIT)
    await look(page, 'choice')
    await page.getByRole('button', { name: new RegExp(say(`sources.${source}.name`)) }).click()
    await fill(page, source, { ...settings, [secret]: 'wrong' })
    await page.getByRole('button', { name: say('sign_in.test') }).click()
    await page.getByText('refuses the sign-in').waitFor(WAIT)
    await look(page, `${source}-form`)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    await fill(page, source, { [secret]: settings[secret] ?? '' })
    await page.getByRole('button', { name: say('sign_in.test') }).click()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('3')
    await page.getByRole('button', { name: say('folders.some') }).click()
    await page.getByRole('checkbox', { name: 'contracts' }).check()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('2')
    await look(page, `${source}-content`)
    await page.getByRole('button', { name: say('start'), exact: true }).click()
    await page.waitForURL(/\/connectors\/[0-9a-f-]{36}/, WAIT)
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('2')
    await look(page, `${source}-detail`)
    expect(await page.content()).not.toContain(settings[secret])
    expect(journey.errors).toEqual([])
  })

  it('fits a narrow dark page in French', async () => {
    const french = await journey.signUp('zoe', 'fr')
    const page = await journey.open('/documents/connectors/new', {
      ...{ token: french, width: 390, height: 844, theme: 'dark', language: 'fr' },
    })
    for (const source of sources) {
      const name = words('fr', 'connectors', `sources.${source}.name`)
      await page.getByRole('button', { name: new RegExp(name) }).click()
      await page
        .getByText(
          words(
            'fr',
            'connectors',
            `sources.${source}.fields.${source === 'imap' ? 'host' : 'address'}_hint`,
          ),
        )
        .waitFor(WAIT)
      const root = 'document.documentElement'
      const overflow = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`)
      expect(overflow).toBeLessThanOrEqual(0)
      await look(page, `${source}-fr-dark`)
      await page.goto(`${journey.url}/documents/connectors/new`)
    }
    expect(journey.errors).toEqual([])
  })
})
