import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'
import { fillPalette } from '../support/palette-crowd.ts'
import { timeMentions, timePalette } from '../support/palette-times.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

/** A search is painted within this time on a loaded machine. `npm run bench -- palette` measures the 50 ms. */
const MAX_MS = 250
const ROUNDS = 8
const searches = ['r', 're', 'review', 'review ky', 'ntra', 'kessler 9', 'lyon 42', 'lease or', 'bud', 'x']

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'palette', key)
const field = (page: Page, language: 'en' | 'fr' = 'en') =>
  page.getByRole('combobox', { name: say('field', language) })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

async function anAccount(name: string, language: 'en' | 'fr' = 'en') {
  const token = await journey.signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const chat = async (title: string) => {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    await account.call('PUT', `/sessions/${id}/rename`, { title })
    return id
  }
  const ids = [
    await chat('Kessler negotiation brief'),
    await chat('Étude de matérialité'),
    await chat('Lyon lease'),
  ]
  const assistant = await account.call<{ id: string }>('POST', '/assistants', {
    name: 'Kessler analyst',
    description: 'Reads contracts',
  })
  const prompt = await account.call<{ id: string }>('POST', '/prompts', {
    ...{ name: 'Relance fournisseur', command: 'relance-kessler', text: 'Hello' },
  })
  await account.call('POST', '/workspaces', { name: 'Kessler 2026' })
  return { token, ids, assistant, prompt }
}

/** Adds 10,000 chats, 5,000 documents and 500 prompts to an account. */
async function fill(token: string) {
  const { id } = await accountAt(journey.url, token, 'me').call<{ id: string }>('GET', '/users/me')
  const connection = connect({ url: journey.env.DATABASE_URL! }, createLog('error'))
  await fillPalette(connection.db, id)
  await connection.close()
}

/** Expects that each search is painted in time in one of several rounds, because other tests slow most of them on a loaded machine. */
async function expectInTime(searches: readonly string[], measure: () => Promise<number[]>) {
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure())
  const fastest = searches.map((_, at) => Math.min(...rounds.map((times) => times[at] ?? 0)))
  expect(Math.max(...fastest), String(fastest)).toBeLessThan(MAX_MS)
}

describe('the palette', () => {
  it('goes to chats, projects, documents, assistants, prompts, pages and settings, and runs actions of the screen, among 10,000 chats in time [OC-09]', async () => {
    const { token, ids, assistant, prompt } = await anAccount('kim')
    await fill(token)
    const page = await journey.open(`/chat/${ids[2]}`, { token })
    await page.locator('[data-session]').first().waitFor(WAIT)
    const go = async (typed: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k')
      await field(page).waitFor()
      await page.keyboard.type(typed)
      await option(page, name).first().waitFor(WAIT)
      await page.keyboard.press('Enter')
      await field(page).waitFor({ state: 'detached', ...WAIT })
    }
    const path = () => new URL(page.url()).pathname
    await go('brief kess', /Kessler negotiation brief/)
    await expect.poll(path, WAIT).toBe(`/chat/${ids[0]}`)
    await go('etude', /Étude de matérialité/)
    await expect.poll(path, WAIT).toBe(`/chat/${ids[1]}`)
    await go('@kess', /Kessler analyst/)
    await expect.poll(path, WAIT).toBe(`/assistant/${assistant.id}`)
    await go('relance-k', /Relance fournisseur/)
    await expect.poll(path, WAIT).toBe(`/prompts/${prompt.id}`)
    await go('kessler 2026', /Kessler 2026/)
    await expect.poll(path, WAIT).toContain('/project/')
    await go('lyon materialite 4225', /Lyon_Matérialité-4225.pdf/)
    await expect.poll(path, WAIT).toContain('/documents/preview/')
    await go('security', /Security/)
    await expect.poll(path, WAIT).toBe('/user/security')
    await go('writing style', /Writing style/)
    await expect.poll(path, WAIT).toBe('/user/preferences')
    await expect.poll(() => page.evaluate('document.activeElement?.textContent'), WAIT).toBe('Writing style')
    // A button of the view, and an entry of the profile menu.
    await page.goto(`/chat/${ids[2]}`)
    await page.locator('[data-session]').first().waitFor(WAIT)
    await go('> context', /^Context/)
    await expect
      .poll(() => page.getByRole('button', { name: 'Context', expanded: true }).count(), WAIT)
      .toBe(1)
    await go('> use dark', /Use dark theme/)
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme'), WAIT).toBe('dark')
    // The current chat’s menu.
    await go('> archive', /^Archive/)
    await expect.poll(() => page.locator('[data-session]', { hasText: 'Lyon lease' }).count(), WAIT).toBe(0)
    // The used prompt is recent.
    await page.keyboard.press('Control+k')
    await option(page, /Relance fournisseur/).waitFor(WAIT)
    await expectInTime(searches, () => timePalette(page, searches))
    expect(journey.errors).toEqual([])
  })

  it('searches all messages for the typed words', async () => {
    const { token, ids } = await anAccount('mia')
    const page = await journey.open(`/chat/${ids[2]}`, { token })
    await page.locator('[data-session]').first().waitFor(WAIT)
    await page.getByRole('button', { name: words('en', 'common', 'nav.search') }).click()
    await field(page).fill('kessler')
    await option(page, /Search all messages/).click()
    const search = page.getByRole('textbox', { name: words('en', 'common', 'history.search') })
    await expect.poll(() => search.inputValue(), WAIT).toBe('kessler')
    await expect.poll(() => page.locator('[data-session]').count(), WAIT).toBe(1)
  })

  it.each([
    { theme: 'light', width: 1280, height: 800, language: 'en' },
    { theme: 'dark', width: 1280, height: 800, language: 'fr' },
    { theme: 'light', width: 390, height: 844, language: 'fr' },
    { theme: 'dark', width: 390, height: 844, language: 'en' },
  ] as const)('is accessible and complete in $theme at $width px', async ({ language, ...look }) => {
    const { token, ids } = await anAccount(`lou-${look.theme}-${look.width}`, language)
    const page = await journey.open(`/chat/${ids[2]}`, { token, language, ...look })
    const isPhone = look.width < 768
    if (isPhone) await page.getByRole('button', { name: words(language, 'common', 'nav.open_menu') }).click()
    await page.getByRole('button', { name: words(language, 'common', 'nav.search') }).click()
    await option(page, /Kessler/)
      .first()
      .waitFor(WAIT)
    const shot = (name: string) =>
      process.env.SHOTS &&
      page.screenshot({ path: `${process.env.SHOTS}/palette-${name}-${look.theme}-${look.width}.png` })
    await shot('recent')
    await field(page, language).fill('kess')
    await page.getByRole('group', { name: say('groups.prompt', language) }).waitFor(WAIT)
    await shot('found')
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBeLessThanOrEqual(look.width)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog', { name: say('title', language) }).count(), WAIT).toBe(0)
    expect(journey.errors).toEqual([])
  })
})

describe('shortcuts', () => {
  it('change in every browser, also the keys of the composer', async () => {
    const { token, ids } = await anAccount('sue')
    const [here, there] = [
      await journey.open(`/chat/${ids[2]}`, { token }),
      await journey.open(`/chat/${ids[2]}`, { token }),
    ]
    for (const page of [here, there]) await page.locator('[data-session]').first().waitFor(WAIT)
    const text = (key: string, values?: Record<string, string>) => words('en', 'shortcuts', key, values)
    await here.locator('h1').first().click()
    await here.keyboard.press('Escape')
    await here.getByRole('heading', { level: 1 }).focus()
    await here.keyboard.press('?')
    const sheet = here.getByRole('dialog', { name: words('en', 'common', 'shortcuts.title') })
    const give = async (action: string, keys: string) => {
      await sheet.getByRole('button', { name: `${text(`actions.${action}`)}: ` }).click()
      await sheet.getByText(text('press')).waitFor(WAIT)
      await here.keyboard.press(keys)
    }
    await give('sidebar', 'Control+k')
    await sheet.getByText(text('conflict', { keys: 'Ctrl K', action: text('actions.palette') })).waitFor(WAIT)
    if (process.env.SHOTS)
      await here.screenshot({ path: `${process.env.SHOTS}/palette-shortcuts-light-1280.png` })
    await here.keyboard.press('Control+e')
    await sheet.getByRole('button', { name: `${text('actions.sidebar')}: Ctrl E` }).waitFor(WAIT)
    await give('send', 'Control+Enter')
    await give('new_line', 'Enter')
    await sheet.getByRole('button', { name: `${text('actions.new_line')}: Enter` }).waitFor(WAIT)
    // The other browser reads the person every five seconds.
    const collapse = (page: Page) => page.getByRole('button', { name: words('en', 'common', 'nav.collapse') })
    await expect
      .poll(async () => {
        await there.keyboard.press('Control+e')
        return collapse(there).count()
      }, WAIT)
      .toBe(0)
    await sheet.getByRole('button', { name: words('en', 'common', 'actions.close') }).click()
    const composer = here.getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
    await composer.fill('One')
    await composer.press('Enter')
    await here.keyboard.type('Two')
    expect(await composer.inputValue()).toBe('One\nTwo')
    journey.model.reply([says('Read.')])
    await composer.press('Control+Enter')
    await here.getByText('Read.').first().waitFor(WAIT)
    expect(await composer.inputValue()).toBe('')
    expect(journey.errors).toEqual([])
  })

  it.each([
    { theme: 'dark', width: 1280, language: 'fr' },
    { theme: 'light', width: 390, language: 'en' },
  ] as const)('are listed accessibly in $theme at $width px', async ({ language, ...look }) => {
    const { token, ids } = await anAccount(`sol-${look.theme}`, language)
    const page = await journey.open(`/chat/${ids[2]}`, { token, language, ...look, height: 844 })
    await page.getByRole('heading', { level: 1 }).waitFor(WAIT)
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    await page.getByRole('button', { name: words(language, 'shortcuts', 'reset_all') }).waitFor(WAIT)
    await page.waitForTimeout(500)
    if (process.env.SHOTS)
      await page.screenshot({
        path: `${process.env.SHOTS}/palette-shortcuts-${look.theme}-${look.width}.png`,
      })
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
  })
})

describe('@ in the composer', () => {
  it('finds assistants, documents, projects, chats, prompts and tools in time among 10,000 chats, for that message only [OC-12]', async () => {
    const { token, ids, prompt } = await anAccount('mel')
    await fill(token)
    await accountAt(journey.url, token, 'mel').call('PUT', `/prompts/${prompt.id}`, {
      ...{ text: 'Write to {{who}}', fields: [{ name: 'who', type: 'text' }] },
    })
    const page = await journey.open(`/chat/${ids[2]}`, { token })
    await page.locator('[data-session]').first().waitFor(WAIT)
    const composer = page.locator('[data-composer] textarea')
    const name = async (typed: string, option: RegExp) => {
      await composer.pressSequentially(typed)
      await page
        .getByRole('listbox', { name: say('mentions.title') })
        .getByRole('option', { name: option })
        .first()
        .waitFor(WAIT)
      await page.keyboard.press('Enter')
    }
    await composer.click()
    await name('Compare @kessler ana', /Kessler analyst/)
    await expect.poll(() => composer.inputValue(), WAIT).toBe('Compare ')
    await name('both @etude', /Étude de matérialité/)
    await name('@calc', /Calculator/)
    await name('@lyon materialite 4225', /Lyon_Matérialité-4225.pdf/)
    await name('@kessler 2026', /Kessler 2026/)
    const chips = page.locator('[data-composer]').getByRole('list', { name: say('mentions.label') })
    await expect.poll(() => chips.getByRole('listitem').count(), WAIT).toBe(5)
    await chips
      .getByRole('button', { name: words('en', 'palette', 'mentions.remove', { name: 'Calculator' }) })
      .click()
    expect(await chips.getByRole('listitem').count()).toBe(4)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/palette-mentions-draft.png` })
    journey.model.reply([says('Compared.')])
    await composer.press('Enter')
    await page.getByText('Compared.').first().waitFor(WAIT)
    await expect.poll(() => chips.count(), WAIT).toBe(0)
    const sent = page.locator('.transcript').getByRole('list', { name: say('mentions.label') })
    await expect.poll(() => sent.getByRole('listitem').count(), WAIT).toBe(4)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/palette-mentions-sent.png` })
    journey.model.reply([says('Alone.')])
    await composer.fill('Again')
    await composer.press('Enter')
    await page.getByText('Alone.').first().waitFor(WAIT)
    await page.reload()
    await expect.poll(() => sent.getByRole('listitem').count(), WAIT).toBe(4)
    await composer.click()
    await composer.pressSequentially('@mail me at ada@example.com')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await composer.fill('')
    await name('@relance', /Relance fournisseur/)
    await page.getByText('who', { exact: false }).first().waitFor(WAIT)
    await page.keyboard.press('Escape')
    await composer.click()
    const typed = searches.filter((one) => !['x', 'review ky'].includes(one))
    await expectInTime(typed, () => timeMentions(page, typed))
    expect(journey.errors).toEqual([])
  })
})
