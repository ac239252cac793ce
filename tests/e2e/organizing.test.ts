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

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'common', `history.${key}`)
const row = (page: Page, title: string) => page.locator('[data-session]', { hasText: title })
/** Titles of the history, top to bottom. */
const titles = (page: Page) =>
  page.evaluate<(string | undefined)[]>(`[...document.querySelectorAll('[data-session]')]
    .map((one) => ({ top: one.getBoundingClientRect().top, text: one.querySelector('a .sr-only')?.textContent }))
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text)`)

async function choose(page: Page, title: string, entry: string) {
  await row(page, title).getByRole('link').click({ button: 'right' })
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Creates an account with chats of these titles, the first one newest. */
async function anAccount(name: string, chats: string[]) {
  const token = await journey.signUp(name)
  const account = accountAt(journey.url, token, name)
  const ids: string[] = []
  for (const title of chats.toReversed()) {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    await account.call('PUT', `/sessions/${id}/rename`, { title })
    ids.unshift(id)
  }
  return { token, account, ids }
}

describe('organizing chats', () => {
  it('pins and reorders chats by mouse and keyboard, in every browser [OC-01]', async () => {
    const { token } = await anAccount('pia', ['Lease', 'Spend', 'Tender', 'Audit'])
    // High enough to show all rows above the offers to undo.
    const size = { width: 1280, height: 1100 }
    const [here, there] = [
      await journey.open('/', { token, ...size }),
      await journey.open('/', { token, ...size }),
    ]
    for (const page of [here, there]) await row(page, 'Audit').waitFor()
    for (const title of ['Audit', 'Tender', 'Spend']) {
      await choose(here, title, say('pin'))
      await here
        .getByText(words('en', 'common', 'history.undo.pinned_one'))
        .first()
        .waitFor()
    }
    await expect.poll(() => titles(here), WAIT).toEqual(['Audit', 'Tender', 'Spend', 'Lease'])
    await expect.poll(() => titles(there), WAIT).toEqual(['Audit', 'Tender', 'Spend', 'Lease'])
    await row(here, 'Spend').dragTo(row(here, 'Audit'))
    await expect.poll(() => titles(here), WAIT).toEqual(['Spend', 'Audit', 'Tender', 'Lease'])
    await row(here, 'Tender').getByRole('link').focus()
    await here.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => titles(here), WAIT).toEqual(['Spend', 'Tender', 'Audit', 'Lease'])
    await expect.poll(() => titles(there), WAIT).toEqual(['Spend', 'Tender', 'Audit', 'Lease'])
    await here.reload()
    await expect.poll(() => titles(here), WAIT).toEqual(['Spend', 'Tender', 'Audit', 'Lease'])
    expect(journey.errors).toEqual([])
  })

  it('marks a chat unread in other browsers after a reply, until it is opened in one', async () => {
    const { token, ids } = await anAccount('una', ['Other', 'Lease'])
    const [here, there] = [
      await journey.open(`/chat/${ids[0]}`, { token }),
      await journey.open(`/chat/${ids[0]}`, { token, language: 'fr' }),
    ]
    for (const page of [here, there]) await row(page, 'Lease').waitFor()
    journey.model.always(() => [says('Done.')])
    const ask = () =>
      openStream(`${journey.url}/api/v1/sessions/${ids[1]}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: { content: 'Go' },
      })
    await (await ask()).ended
    const unread = (page: Page) => page.locator('[data-unread]').count()
    for (const page of [here, there]) await expect.poll(() => unread(page), WAIT).toBe(1)
    await row(here, 'Lease').getByRole('link').click()
    for (const page of [here, there]) await expect.poll(() => unread(page), WAIT).toBe(0)
    // A reply to the chat on screen is read.
    await (await ask()).ended
    await here.getByRole('log').getByText('Done.').nth(1).waitFor()
    await expect.poll(() => unread(there), WAIT).toBe(0)
    expect(journey.errors).toEqual([])
  })

  it('marks a chat unread in every browser after a reply, a question or a scheduled run, until it is opened [OC-04]', async () => {
    const { token, account, ids } = await anAccount('uma', ['Other', 'Lease', 'Spend'])
    const [here, there] = [
      await journey.open(`/chat/${ids[0]}`, { token }),
      await journey.open(`/chat/${ids[0]}`, { token, language: 'fr' }),
    ]
    for (const page of [here, there]) await row(page, 'Spend').waitFor(WAIT)
    const unread = (page: Page) =>
      page.evaluate<(string | undefined)[]>(`[...document.querySelectorAll('[data-session]')]
        .filter((one) => one.querySelector('[data-unread]'))
        .map((one) => one.querySelector('a .sr-only')?.textContent)`)
    const expectUnread = async (titles: string[]) => {
      for (const page of [here, there]) await expect.poll(() => unread(page), WAIT).toEqual(titles)
    }
    const ask = (id: string | undefined) =>
      openStream(`${journey.url}/api/v1/sessions/${id}/messages`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, body: { content: 'Go' } },
      })
    journey.model.reply([says('Done.')])
    await (await ask(ids[1])).ended
    await expectUnread(['Lease'])
    await row(here, 'Lease').getByRole('link').click()
    await expectUnread([])

    journey.model.reply([calls('ask_person', { prompt: 'Which site?', input_types: ['text'] })])
    await ask(ids[2])
    await expectUnread(['Spend'])
    await row(there, 'Spend').getByRole('link').click()
    await expectUnread([])

    await row(here, 'Other').getByRole('link').click()
    await row(there, 'Other').getByRole('link').click()
    const { id } = await account.call<{ id: string }>('POST', '/schedules', {
      ...{ name: 'Notice dates', text: 'What is new?', time_zone: 'UTC' },
      rule: { kind: 'days', count: 1, time: '08:00' },
    })
    journey.model.reply([says('Nothing is new.')])
    await account.call('POST', `/schedules/${id}/runs`, { client_id: crypto.randomUUID() })
    await expectUnread(['Notice dates'])
    await row(there, 'Notice dates').getByRole('link').click()
    await expectUnread([])
    expect(journey.errors).toEqual([])
  })

  it('tags several chats and keeps the filter in the address through views and reloads [OC-03]', async () => {
    const { token } = await anAccount('tara', ['Lease', 'Spend', 'Tender'])
    const page = await journey.open('/', { token })
    await row(page, 'Tender').waitFor()
    await page.getByRole('button', { name: say('select'), exact: true }).click()
    for (const title of ['Lease', 'Tender'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).click()
    await page.getByRole('button', { name: say('tags.edit') }).click()
    const field = page.getByRole('textbox', { name: say('tags.find') })
    for (const tag of ['Achats', 'FR']) {
      await field.fill(tag)
      await field.press('Enter')
      await page.getByRole('checkbox', { name: tag }).waitFor()
    }
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('done') })
      .click()
    await page.getByRole('button', { name: say('cancel') }).click()
    await page.getByRole('button', { name: 'Achats' }).click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Tender'])
    await row(page, 'Tender').getByRole('link').click()
    await page.waitForURL(/\/chat\/.*chat_tags=Achats/)
    await page.getByRole('link', { name: words('en', 'common', 'nav.tools') }).click()
    await page.waitForURL(/\/tools\?.*chat_tags=Achats/)
    await page.reload()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Tender'])
    await page.getByRole('button', { name: say('tags.clear') }).click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Spend', 'Tender'])
    expect(page.url()).not.toContain('chat_tags')
    expect(journey.errors).toEqual([])
  })

  it('archives and deletes on a phone, and undoes both', async () => {
    const { token } = await anAccount('phoebe', ['Lease', 'Spend', 'Tender'])
    const page = await journey.open('/', { token, width: 390, height: 844 })
    await page.getByRole('button', { name: words('en', 'common', 'nav.open_menu') }).click()
    await row(page, 'Tender').waitFor()
    await page.getByRole('button', { name: say('select'), exact: true }).click()
    for (const title of ['Lease', 'Tender'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).click()
    await page.getByRole('button', { name: say('archive'), exact: true }).click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Spend'])
    await page.getByRole('button', { name: say('undo.action') }).click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Spend', 'Tender'])
    await page.getByRole('button', { name: say('select'), exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select Spend' }).click()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('delete'), exact: true })
      .click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Tender'])
    await page.getByRole('button', { name: say('undo.action') }).click()
    await expect.poll(() => titles(page), WAIT).toEqual(['Lease', 'Spend', 'Tender'])
    expect(journey.errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no accessibility violations in the %s theme', async (theme) => {
    const { token, account, ids } = await anAccount(`axel${theme}`, ['Lease', 'Spend', 'Tender'])
    const items = [
      { session_id: ids[0], is_pinned: true, add_tags: ['Achats', 'FR', 'RSE'] },
      { session_id: ids[1], is_unread: true, add_tags: ['FR'] },
    ]
    await account.call('PUT', '/session-marks', { items })
    const page = await journey.open(`/chat/${ids[2]}`, { token, theme })
    await page.getByRole('button', { name: 'Achats' }).waitFor()
    await page.getByRole('button', { name: say('select'), exact: true }).click()
    await page.getByRole('button', { name: say('tags.edit') }).waitFor()
    await page.waitForTimeout(500)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
  })
})
