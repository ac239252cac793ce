import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { DRIVE_FOLDER, type DriveServer, startDriveServer } from '../support/drive-server.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }
const SHOTS = process.env.SHOTS_DIR

let journey: Journey
let admin: Account
let oauth: OAuthServer
let drive: DriveServer
beforeAll(async () => {
  oauth = await startOAuthServer()
  drive = await startDriveServer(async (token) => (await oauth.personOf(token)) !== null)
  drive.drives.set('team', 'Purchasing')
  drive.put({ id: 'contracts', name: 'Contracts', mimeType: DRIVE_FOLDER })
  drive.put({ id: 'lease', name: 'lease.md', parents: ['contracts'], text: '# Lease\nNotice: 6 months.' })
  drive.put({ id: 'offer', name: 'offer.md', parents: ['contracts'], text: '# Offer' })
  drive.put({ id: 'note', name: 'note.md', text: '# Note' })
  drive.put({ id: 'plan', name: 'plan.md', text: '# Plan', driveId: 'team', parents: ['team'] })
  journey = await startJourney({
    env: {
      ...{ GOOGLE_DRIVE_CLIENT_ID: 'atrium', GOOGLE_DRIVE_CLIENT_SECRET: 'secret-of-atrium' },
      ...{ GOOGLE_DRIVE_URL: drive.url, GOOGLE_DRIVE_AUTHORIZE_URL: `${oauth.url}/auth` },
      GOOGLE_DRIVE_TOKEN_URL: `${oauth.url}/token`,
    },
  })
  const client = {
    ...{ client_id: 'atrium', client_secret: 'secret-of-atrium' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code' as const] },
    redirect_uris: [`${journey.url}/api/v1/connector-sign-ins/return`],
  }
  oauth.know({
    ...{ clients: [client], registers: false },
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  admin = accountAt(journey.url, await journey.signUp('ada'), 'ada')
})
afterAll(async () => {
  await journey.close()
  drive.close()
  oauth.close()
})
beforeEach(() => journey.fresh())

const say = (key: string, values: Record<string, string> = {}) => words('en', 'connectors', key, values)
const name = words('en', 'connectors', 'sources.google-drive.name')
const button = (page: Page, key: string, values = {}) =>
  page.getByRole('button', { name: say(key, values), exact: true })
const fact = (page: Page, key: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(say(key), { exact: true }) })
    .locator('dd')

async function expectNoProblems(page: Page) {
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
}

/** Takes a picture for people who look at the pages; only when a folder for them is given. */
async function shoot(page: Page, what: string) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/oauth-${what}.png`, fullPage: true })
}

describe('a source with a sign-in page', () => {
  it('is connected by signing in there, and read after content and readers are chosen', async () => {
    const page = await journey.open('/documents/connectors/new', { token: admin.token })
    await page.getByText('MICROSOFT_FILES_CLIENT_ID').waitFor(WAIT)
    await expectNoProblems(page)
    await shoot(page, 'sources-light-1280')
    await page.getByRole('button', { name: new RegExp(name) }).click()
    const owner = page.getByRole('combobox', { name: say('for') })
    await owner.selectOption({ index: 1 })
    await shoot(page, 'form-light-1280')
    await expectNoProblems(page)
    await button(page, 'sign_in.go', { source: name }).click()

    await page.waitForURL(/\/connectors\/[0-9a-f-]{36}\?sign_in=connected/, WAIT)
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('4')
    const mirrored = page.getByRole('radio', { name: new RegExp(say('rights.mirrored', { source: name })) })
    expect(await mirrored.isChecked()).toBe(true)
    await button(page, 'folders.some').click()
    await page.getByRole('button', { name: say('folders.open', { name: 'My Drive' }) }).click()
    await page.getByRole('checkbox', { name: 'Contracts' }).check()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('2')
    await expectNoProblems(page)
    await shoot(page, 'choose-light-1280')
    expect([...drive.reads]).toEqual([])
    await page.getByRole('radio', { name: new RegExp(say('rights.named')) }).check()
    await button(page, 'start').click()
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('2')
    expect(journey.errors).toEqual([])
  })

  it('asks to sign in again when the source ends the sign-in, and continues after it', async () => {
    const [{ id } = { id: '' }] = (await admin.call<{ items: { id: string }[] }>('GET', '/connectors')).items
    oauth.forget()
    await admin.call('POST', `/connectors/${id}/sync`)
    const state = async () => (await admin.call<{ state: string }>('GET', `/connectors/${id}`)).state
    await expect.poll(state, WAIT).toBe('signed_out')
    const page = await journey.open(`/documents/connectors/${id}`, {
      ...{ token: admin.token, width: 390, height: 844, theme: 'dark' },
    })
    const again = button(page, 'signed_out.action')
    await again.waitFor(WAIT)
    expect(await fact(page, 'figures.read').textContent()).toBe('2')
    await expectNoProblems(page)
    await shoot(page, 'signed-out-dark-390')
    oauth.does('deny')
    await again.click()
    await page.getByText(say('sign_in_outcome.refused')).waitFor(WAIT)
    await shoot(page, 'refused-dark-390')
    oauth.does('well')
    await again.click()
    await page.waitForURL(/sign_in=connected/, WAIT)
    await expect.poll(state, WAIT).toBe('ready')
    expect(await page.getByText(say('sign_in_outcome.refused')).count()).toBe(0)
    expect(journey.errors).toEqual([])
  })

  it('shows a person in French what they connect for themselves on a phone', async () => {
    const token = await journey.signUp('una', 'fr')
    const page = await journey.open('/documents/connectors/new', {
      ...{ token, language: 'fr', theme: 'dark', width: 390, height: 844 },
    })
    await page.getByRole('button', { name: /Google Drive/ }).click(WAIT)
    await shoot(page, 'form-fr-dark-390')
    const french = (key: string, values = {}) => words('fr', 'connectors', key, values)
    oauth.does('deny')
    await page.getByRole('button', { name: french('sign_in.go', { source: 'Google Drive' }) }).click()
    await page.getByText(french('sign_in.first', { source: 'Google Drive' })).waitFor(WAIT)
    await page.getByText(french('sign_in_outcome.refused')).waitFor()
    await expectNoProblems(page)
    await shoot(page, 'first-fr-dark-390')
    oauth.does('well')
    await page.getByRole('button', { name: french('sign_in.action'), exact: true }).click()
    await page.waitForURL(/sign_in=connected/, WAIT)
    await page.getByText(french('rights.only_you')).waitFor(WAIT)
    await expectNoProblems(page)
    await shoot(page, 'choose-fr-dark-390')
    expect(journey.errors).toEqual([])
  })
})
