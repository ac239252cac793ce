import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
let root: string
beforeAll(async () => {
  journey = await startJourney()
  // The first account administers the installation.
  root = await journey.signUp('root')
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'trash', key)
const history = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'common', `history.${key}`)
const row = (page: Page, name: string) => page.locator('[data-trashed]', { hasText: name })
const listed = (page: Page, title: string) => page.locator('[data-session]', { hasText: title })

/** Creates an account with chats and a document of these names. */
async function anAccount(name: string, titles: string[], documents: string[] = []) {
  const token = await journey.signUp(name)
  const account = accountAt(journey.url, token, name)
  const headers = { authorization: `Bearer ${token}` }
  const chats: string[] = []
  for (const title of titles) {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    journey.model.reply([says('Fine.')])
    await (
      await openStream(`${journey.url}/api/v1/sessions/${id}/messages`, {
        ...{ method: 'POST', headers, body: { content: 'How is it?' } },
      })
    ).ended
    await account.call('PUT', `/sessions/${id}/rename`, { title })
    chats.push(id)
  }
  const files: string[] = []
  for (const file of documents) {
    const form = new FormData()
    form.set('file', new Blob([`${file} says that notice is six months.`]), file)
    const answer = await fetch(`${journey.url}/api/v1/documents/upload`, {
      method: 'POST',
      headers,
      body: form,
    })
    files.push(((await answer.json()) as { id: string }).id)
  }
  return { token, account, chats, files }
}

describe('the trash', () => {
  it('shows what was deleted, and restores or deletes it from any browser', async () => {
    const { token, files } = await anAccount('tess', ['Lease', 'Spend', 'Tender'], ['kessler.txt'])
    const [page, other] = [
      await journey.open('/', { token }),
      await journey.open('/', { token, width: 390, height: 844 }),
    ]
    for (const title of ['Lease', 'Tender']) {
      await listed(page, title).getByRole('link').click({ button: 'right' })
      await page.getByRole('menuitem', { name: history('delete') }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: history('delete'), exact: true })
        .click()
      await expect.poll(() => listed(page, title).count(), WAIT).toBe(0)
    }
    await page.getByRole('link', { name: words('en', 'common', 'nav.documents') }).click()
    await page.getByRole('button', { name: 'More for kessler.txt' }).click()
    await page.getByRole('menuitem', { name: words('en', 'documents', 'card.delete'), exact: true }).click()
    await page.getByText(/restore it from the trash for 30 days/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).last().click()
    await expect.poll(() => page.getByText('kessler.txt').count(), WAIT).toBe(0)
    await page.getByRole('link', { name: words('en', 'documents', 'sidebar.trash') }).click()
    await page.waitForURL(/\/trash/)
    await expect.poll(() => page.locator('[data-trashed]').count(), WAIT).toBe(3)
    await row(page, 'Lease').getByText('30 days left').waitFor()
    await page.getByRole('searchbox', { name: say('search') }).fill('kess')
    await expect.poll(() => page.locator('[data-trashed]').count(), WAIT).toBe(1)
    await page.getByRole('button', { name: 'Restore kessler.txt' }).click()
    await page.getByText(/Nothing in the trash matches/).waitFor()
    await page.getByRole('searchbox', { name: say('search') }).fill('')
    await expect.poll(() => page.locator('[data-trashed]').count(), WAIT).toBe(2)
    const account = accountAt(journey.url, token, 'tess')
    expect(await account.call('GET', `/documents/${files[0]}`)).toMatchObject({ name: 'kessler.txt' })
    // Several together, and from a phone.
    await other.getByRole('button', { name: words('en', 'common', 'nav.open_menu') }).click()
    await other.getByRole('button', { name: history('trash') }).click()
    await other.getByRole('checkbox', { name: 'Select Lease' }).click()
    await other.getByRole('checkbox', { name: 'Select Tender' }).click()
    await other
      .getByRole('button', { name: say('restore'), exact: true })
      .first()
      .click()
    await other.getByText(say('nothing')).waitFor()
    for (const title of ['Lease', 'Tender'])
      await expect.poll(() => listed(page, title).count(), WAIT).toBe(1)
    // Permanently.
    await account.call('DELETE', `/sessions/${await idOf(page, 'Lease')}`)
    await account.call('DELETE', `/sessions/${await idOf(page, 'Tender')}`)
    await page.reload()
    await page.getByRole('button', { name: 'Delete Lease permanently' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('delete') })
      .click()
    await expect.poll(() => page.locator('[data-trashed]').count(), WAIT).toBe(1)
    await page.getByRole('button', { name: say('empty') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('delete') })
      .click()
    await page.getByText(say('nothing')).waitFor()
    expect(journey.errors).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no accessibility violations in the %s theme', async (theme) => {
    const { token, account, chats } = await anAccount(`axel${theme}`, [
      'Bail de Lyon, avenant numéro deux',
      'Spend',
    ])
    for (const id of chats) await account.call('DELETE', `/sessions/${id}`)
    const page = await journey.open('/trash', { token, theme, language: 'fr', width: 390, height: 844 })
    await row(page, 'Spend').waitFor()
    await page.getByRole('checkbox').nth(1).click()
    await page.waitForTimeout(600)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])
  })

  it('is set next to retention', async () => {
    const page = await journey.open('/admin?page=retention', { token: root })
    const days = page.getByRole('combobox', { name: words('en', 'admin', 'trash.label') })
    await days.selectOption('7')
    await page.getByText(words('en', 'admin', 'administration.changed')).waitFor()
    await page.reload()
    await expect.poll(() => days.inputValue(), WAIT).toBe('7')
    await days.selectOption('30')
    expect(journey.errors).toEqual([])
  })
})

async function idOf(page: Page, title: string): Promise<string> {
  return (await listed(page, title).getAttribute('data-session')) ?? ''
}
