import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { type PickingHouse, startPickingHouse } from '../support/picking-house.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

type Language = 'en' | 'fr'

let house: PickingHouse
let journey: Journey
let ada: Account
/** Uses the product in French. */
let fay: Account
beforeAll(async () => {
  house = await startPickingHouse()
  journey = await startJourney({ env: { ...house.config, ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } })
  house.knowInstallation(journey.url)
  ada = accountAt(journey.url, await journey.signUp('ada'), 'ada')
  fay = accountAt(journey.url, await journey.signUp('fay', 'fr'), 'fay')
  house.dav.files.set('Leases/mill.txt', { text: 'The lease of the mill costs 900 euros.', id: '7' })
  house.dav.files.set('Leases/pier.txt', { text: 'The lease of the pier costs 70 euros.', id: '9' })
  house.dav.files.set('note.txt', { text: 'A note.', id: '8' })
  house.graph.put({ id: 'p1', drive: 'mine', name: 'plan.txt', text: 'The plan of the mill.' })
  house.drive.put({ id: 'offer', name: 'Offer.txt', text: 'The offer is 400 euros.' })
})
afterAll(async () => {
  await journey.close()
  house.close()
})
beforeEach(() => journey.fresh())

const say = (key: string, values = {}, language: Language = 'en') =>
  words(language, 'file_picks', key, values)
const nameOf = (way: string, language: Language = 'en') => words(language, 'connectors', `picks.${way}.name`)
const documents = (key: string, language: Language = 'en') => words(language, 'documents', key)
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/picks-${name}.png` })
}

async function expectNoProblems(page: Page): Promise<void> {
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  expect(await page.evaluate<number>(overflow)).toBe(0)
}

/** Opens a new chat. */
async function openChat(look: Parameters<Journey['open']>[1] = {}, who = ada) {
  const { id } = await who.call<{ id: string }>('POST', '/sessions', {})
  const page = await journey.open(`/chat/${id}`, { token: who.token, ...look })
  return { id, page }
}

/** Opens the picker of the composer with the keyboard. */
async function openPicker(page: Page, language: Language = 'en') {
  const button = page.getByRole('button', { name: documents('chat.attach', language), exact: true })
  await button.waitFor(WAIT)
  await button.press('Enter')
  const entry = page.getByRole('menuitem', { name: documents('chat.from_source', language) })
  await entry.waitFor(WAIT)
  await entry.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: nameOf('google-drive', language) }).waitFor(WAIT)
  return dialog
}

const filesOf = async (chat: string, who = ada) =>
  (await who.call<{ items: { name: string }[] }>('GET', `/documents?chat_session_id=${chat}`)).items
    .map(({ name }) => name)
    .sort()

describe('the file picker of the composer', () => {
  it('adds the files that are picked on the page of Google, and keeps the draft [CN-19]', async () => {
    house.oauth.picks(['offer'])
    const { id, page } = await openChat()
    const field = page.getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
    await field.fill('What is the offer?')
    const dialog = await openPicker(page)
    await picture(page, 'ways-light-1280')
    await expectNoProblems(page)
    await dialog.getByRole('button', { name: nameOf('google-drive') }).press('Enter')
    await dialog.getByText(words('en', 'connectors', 'picks.google-drive.consent')).waitFor(WAIT)
    await picture(page, 'google-light-1280')
    await dialog.getByRole('button', { name: say('sign_in') }).press('Enter')
    await page.locator('.chat-file').filter({ hasText: 'Offer.txt' }).waitFor(WAIT)
    expect(new URL(page.url()).pathname).toBe(`/chat/${id}`)
    await expect.poll(() => page.getByRole('dialog').count(), WAIT).toBe(0)
    expect(await field.inputValue()).toBe('What is the offer?')
    expect(await filesOf(id)).toEqual(['Offer.txt'])
    await picture(page, 'added-light-1280')
    journey.model.always([says('It is 400 euros.')])
    await field.press('Enter')
    await page.getByText('It is 400 euros.').waitFor(WAIT)
    house.oauth.picks([])
    expect(journey.errors).toEqual([])
  })

  it('shows the folders and files of OneDrive after the sign-in, and says when access is refused [CN-19]', async () => {
    house.oauth.does('deny')
    const { id, page } = await openChat()
    const first = await openPicker(page)
    await first.getByRole('button', { name: nameOf('onedrive') }).press('Enter')
    await first.getByRole('button', { name: say('sign_in') }).press('Enter')
    await page.getByText(say('state.refused')).waitFor(WAIT)
    await expectNoProblems(page)
    house.oauth.does('well')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: nameOf('onedrive') }).press('Enter')
    await dialog.getByRole('button', { name: say('sign_in') }).press('Enter')
    await dialog.getByRole('button', { name: say('folder', { name: 'OneDrive' }) }).press('Enter')
    await dialog.getByRole('checkbox', { name: /plan\.txt/ }).press('Space')
    await dialog.getByRole('button', { name: say('add_one', { count: '1' }) }).press('Enter')
    await page.locator('.chat-file').filter({ hasText: 'plan.txt' }).waitFor(WAIT)
    expect(await filesOf(id)).toEqual(['plan.txt'])
    expect(journey.errors).toEqual([])
  })

  it.each([
    ['light', 1280, 'en'],
    ['dark', 1280, 'en'],
    ['light', 390, 'fr'],
    ['dark', 390, 'fr'],
  ] as const)('shows the files of Nextcloud, %s at %i px [CN-19]', async (theme, width, language) => {
    const who = language === 'fr' ? fay : ada
    const { id, page } = await openChat({ theme, width, height: 800, language }, who)
    const dialog = await openPicker(page, language)
    await picture(page, `ways-${theme}-${width}`)
    await dialog.getByRole('button', { name: nameOf('webdav', language) }).press('Enter')
    const label = (name: string) => words(language, 'connectors', `sources.webdav.fields.${name}`)
    await dialog.getByRole('textbox', { name: label('address') }).fill(house.dav.url)
    await dialog.getByRole('textbox', { name: label('username') }).fill('ada')
    const password = dialog.locator('input[type=password]')
    await password.fill('wrong')
    await password.press('Enter')
    await dialog.getByRole('alert').waitFor(WAIT)
    await picture(page, `refused-${theme}-${width}`)
    await password.fill(house.dav.password)
    await password.press('Enter')
    await dialog.getByRole('button', { name: say('folder', { name: 'Leases' }, language) }).press('Enter')
    await dialog.getByRole('checkbox', { name: /mill\.txt/ }).press('Space')
    await dialog.getByRole('checkbox', { name: /pier\.txt/ }).press('Space')
    await picture(page, `files-${theme}-${width}`)
    await expectNoProblems(page)
    // Files stay chosen in other folders.
    await dialog.getByRole('button', { name: nameOf('webdav', language), exact: true }).press('Enter')
    await dialog.getByRole('checkbox', { name: /note\.txt/ }).press('Space')
    await dialog.getByRole('button', { name: say('add_other', { count: '3' }, language) }).press('Enter')
    await expect.poll(() => page.locator('.chat-file').count(), WAIT).toBe(3)
    await picture(page, `added-${theme}-${width}`)
    expect(await filesOf(id, who)).toEqual(['mill.txt', 'note.txt', 'pier.txt'])
    expect(journey.errors).toEqual([])
  })

  it('names the files that could not be read, and tries them again [CN-19]', async () => {
    const { id, page } = await openChat()
    const dialog = await openPicker(page)
    await dialog.getByRole('button', { name: nameOf('webdav') }).click()
    await dialog.locator('input[type=url]').fill(house.dav.url)
    await dialog
      .getByRole('textbox', { name: words('en', 'connectors', 'sources.webdav.fields.username') })
      .fill('ada')
    await dialog.locator('input[type=password]').fill(house.dav.password)
    await dialog.getByRole('button', { name: say('connect') }).click()
    await dialog.getByRole('checkbox', { name: /note\.txt/ }).check()
    house.dav.fail(500, 1)
    await dialog.getByRole('button', { name: say('add_one', { count: '1' }) }).click()
    await dialog.getByText(say('failed')).waitFor(WAIT)
    await picture(page, 'failed-light-1280')
    await expectNoProblems(page)
    await dialog.getByRole('button', { name: words('en', 'common', 'actions.retry') }).click()
    await page.locator('.chat-file').filter({ hasText: 'note.txt' }).waitFor(WAIT)
    expect(await filesOf(id)).toEqual(['note.txt'])
    expect(journey.errors).toEqual([])
  })
})
