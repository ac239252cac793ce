import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

const root = mkdtempSync(join(tmpdir(), 'atrium-source-'))
let journey: Journey
let admin: Account
let company: { id: string; name: string }
beforeAll(async () => {
  journey = await startJourney({ env: { ATRIUM_CONNECTOR_FOLDERS: root } })
  const token = await journey.signUp('ada')
  admin = accountAt(journey.url, token, 'ada')
  const me = await admin.call<{ company_affiliations: { company: { id: string; name: string } }[] }>(
    ...(['GET', '/users/me'] as const),
  )
  company = me.company_affiliations[0]?.company ?? { id: '', name: '' }
})
afterAll(async () => {
  await journey.close()
  rmSync(root, { recursive: true, force: true })
})
beforeEach(() => journey.fresh())

const say = (key: string, values: Record<string, string> = {}) => words('en', 'connectors', key, values)
const button = (page: Page, key: string) => page.getByRole('button', { name: say(key), exact: true })
const visible = (found: Locator) => found.filter({ visible: true })
/** Value of a named fact, such as a count. */
const fact = (page: Page, key: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(say(key), { exact: true }) })
    .locator('dd')
const figures = (page: Page) => page.getByRole('region', { name: say('figures.title') })

/** Makes a folder with files by path, and returns where it is. */
function aFolder(name: string, files: Record<string, string>): string {
  const folder = join(root, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Connects a folder for the company, and waits for the end of the first sync. */
async function connect(name: string, path: string): Promise<string> {
  const body = {
    ...{ source: 'folder', name, company_id: company.id, settings: { path }, rights: 'named' },
    ...{ selection: {}, readers: [{ kind: 'company', id: company.id }], every_minutes: 1440 },
  }
  const { id } = await admin.call<{ id: string }>('POST', '/connectors', body)
  const state = async () => (await admin.call<{ state: string }>('GET', `/connectors/${id}`)).state
  await expect.poll(state, WAIT).toBe('ready')
  return id
}

async function expectNoProblems(page: Page) {
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
}

describe('connectors', () => {
  it('shows count and size of the chosen folders before reading starts [CN-04]', async () => {
    const path = aFolder('archive', {
      ...{ 'contracts/lease.md': '# Lease\nNotice: 6 months.', 'contracts/old/offer.md': '# Offer' },
      ...{ 'letters/reply.md': '# Reply', 'letters/draft.txt': 'Draft' },
    })
    const page = await journey.open('/documents/connectors', { token: admin.token })
    await page.getByRole('link', { name: say('add') }).click()
    await page.getByRole('button', { name: new RegExp(say('sources.folder.name')) }).click()
    const field = page.getByRole('textbox', { name: say('sources.folder.fields.path') })
    await field.fill('/etc')
    await button(page, 'sign_in.test').click()
    await page.getByText(say('sign_in.failed')).waitFor(WAIT)
    await field.fill(path)
    await button(page, 'sign_in.test').click()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('4')

    await button(page, 'folders.some').click()
    await page.getByText(say('count.choose')).waitFor()
    expect(await button(page, 'start').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'letters' }).check()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('2')
    await page.getByRole('button', { name: say('folders.open', { name: 'contracts' }) }).click()
    await page.getByRole('checkbox', { name: 'old' }).check()
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('3')
    await page.getByRole('textbox', { name: new RegExp(`^${say('names.only')}`) }).fill('*.md')
    await expect.poll(() => fact(page, 'count.items').textContent(), WAIT).toBe('2')
    expect(await fact(page, 'count.size').textContent()).toMatch(/^14\sB$/)
    await expectNoProblems(page)
    expect(await admin.call('GET', '/connectors')).toEqual({ items: [], total: 0 })

    await button(page, 'start').click()
    await page.waitForURL(/\/connectors\/[0-9a-f-]{36}/)
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('2')
    await visible(page.getByText(say('state.ready'), { exact: true })).waitFor(WAIT)
    expect(await figures(page).locator('dd').first().textContent()).toBe('2')
    expect(journey.errors).toEqual([])
  })

  it('lists an item that cannot be read with its reason, and reads it again by hand', async () => {
    const path = aFolder('inbox', { 'offer.md': '# Offer', 'scans/page.md': '' })
    const id = await connect('Inbox', path)
    const page = await journey.open(`/documents/connectors/${id}`, {
      token: admin.token,
      width: 390,
      height: 844,
    })
    await page.getByText(say('reason.empty'), { exact: true }).waitFor(WAIT)
    expect(await fact(page, 'figures.refused').textContent()).toBe('1')
    await expectNoProblems(page)
    writeFileSync(join(path, 'scans/page.md'), '# Page 1')
    await page.getByRole('button', { name: say('differ.retry_of', { name: 'page.md' }) }).click()
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('2')
    await page.getByText(say('differ.none')).waitFor(WAIT)
    expect(journey.errors).toEqual([])
  })

  it('asks before many items disappear, keeps or removes them, and undoes the removal', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`${n < 5 ? '2022' : '2023'}/invoice-${n}.md`, `# Invoice ${n}`]),
    )
    const path = aFolder('invoices', files)
    const id = await connect('Invoices', path)
    rmSync(join(path, '2022'), { recursive: true })
    const page = await journey.open(`/documents/connectors/${id}`, { token: admin.token })
    await button(page, 'sync_now').click()
    const question = page.getByRole('heading', { name: say('question.title', { missing: '5', of: '8' }) })
    await question.waitFor(WAIT)
    await page.getByRole('cell', { name: '2022' }).waitFor()
    expect(await fact(page, 'figures.read').textContent()).toBe('8')
    await expectNoProblems(page)
    await button(page, 'question.keep').click()
    await question.waitFor({ ...WAIT, state: 'detached' })
    await button(page, 'sync_now').click()
    await question.waitFor(WAIT)
    await button(page, 'question.remove').click()
    await page.getByText(words('en', 'connectors', 'undo.title_other', { shown: '5' })).waitFor(WAIT)
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('3')
    await button(page, 'undo.action').click()
    await expect.poll(() => fact(page, 'figures.read').textContent(), WAIT).toBe('8')
    expect(journey.errors).toEqual([])
  })

  it('shows every connector with its state, and pauses, continues, renames and removes one', async () => {
    const id = await connect('Tenders', aFolder('tenders', { 'lot-3.md': '# Lot 3' }))
    const page = await journey.open('/documents/connectors', { token: admin.token })
    const row = page.getByRole('listitem').filter({ hasText: 'Tenders' })
    await row.getByText(say('state.ready'), { exact: true }).waitFor(WAIT)
    await visible(row.getByText(words('en', 'connectors', 'items_one', { shown: '1' }))).waitFor()
    await visible(row.getByText(/^Last sync/)).waitFor()
    await row.getByText(/^Next sync/).waitFor()
    await expectNoProblems(page)
    const choose = async (entry: string) => {
      await row.getByRole('button').click()
      await page.getByRole('menuitem', { name: say(entry), exact: true }).click()
    }
    await choose('pause')
    await row.getByText(say('state.paused'), { exact: true }).waitFor(WAIT)
    await choose('continue')
    await row.getByText(say('state.ready'), { exact: true }).waitFor(WAIT)

    await row.getByRole('link', { name: 'Tenders' }).click()
    await page.getByRole('tab', { name: say('tabs.syncs') }).click()
    await page.getByText(words('en', 'connectors', 'syncs.added_one', { shown: '1' })).waitFor(WAIT)
    await page.getByRole('tab', { name: say('tabs.settings') }).click()
    await page.getByRole('textbox', { name: say('name') }).fill('Tenders 2026')
    await button(page, 'save').click()
    await page.getByRole('heading', { name: 'Tenders 2026', level: 1 }).waitFor(WAIT)

    await button(page, 'remove.action').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: new RegExp(say('remove.keep')) }).check()
    await dialog.getByRole('button', { name: say('remove.action'), exact: true }).click()
    await page.waitForURL(/\/connectors$/)
    await expect.poll(() => row.count(), WAIT).toBe(0)
    const kept = async () =>
      (await admin.call<{ items: { name: string }[] }>('GET', '/documents?q=lot-3')).items.map(
        ({ name }) => name,
      )
    await expect.poll(kept, WAIT).toEqual(['lot-3.md'])
    await expect(admin.call('GET', `/connectors/${id}`)).rejects.toThrow(/404|403/)
    expect(journey.errors).toEqual([])
  })

  it('offers people without a company only the sources that they may connect for themselves', async () => {
    const token = await journey.signUp('una', 'fr')
    const page = await journey.open('/documents/connectors', { token, language: 'fr' })
    await page.getByRole('link', { name: words('fr', 'connectors', 'add') }).click()
    const web = page.getByRole('button', { name: new RegExp(words('fr', 'connectors', 'sources.web.name')) })
    await web.waitFor(WAIT)
    const folder = words('fr', 'connectors', 'sources.folder.name')
    expect(await page.getByRole('button', { name: new RegExp(folder) }).count()).toBe(0)
    await web.click()
    const owner = page.getByRole('combobox', { name: words('fr', 'connectors', 'for') })
    expect(await owner.locator('option').allTextContents()).toEqual([words('fr', 'connectors', 'for_me')])
    await expectNoProblems(page)
    expect(journey.errors).toEqual([])
  })
})
