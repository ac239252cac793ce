import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, words as journeyWords, startJourney } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }
type Language = 'en' | 'fr'

let journey: Journey
let root: Account
beforeAll(async () => {
  journey = await startJourney()
  root = accountAt(journey.url, await journey.signUp('root'), 'root')
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: Language = 'en') => journeyWords(language, 'projects', key)
async function shot(page: Page, name: string) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/lifecycle-${name}.png` })
}
async function expectAccessible(page: Page) {
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
}
/** Returns whether the page can be scrolled sideways. */
const isTooWide = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Creates an account with a project that has an unread chat, a document, a schedule, a fact and a budget. */
async function aFullProject(username: string, language: Language = 'en') {
  const token = await journey.signUp(username, language)
  const account = accountAt(journey.url, token, username)
  const { id } = await account.call<{ id: string }>('POST', '/workspaces', { name: 'Leases 2027' })
  await account.call('PUT', `/projects/${id}`, {
    instructions: { text: 'Name article and page of the contract for each claim.', based_on: 0 },
    colour: 'green',
  })
  const chat = await account.call<{ id: string }>('POST', '/sessions', { workspace_id: id })
  await account.call('PUT', `/sessions/${chat.id}/rename`, { title: 'Break option' })
  const question = { content: 'When does it begin?', without_reply: true }
  await account.call('POST', `/sessions/${chat.id}/messages`, question)
  await account.call('PUT', '/session-marks', { items: [{ session_id: chat.id, is_unread: true }] })
  await account.call('POST', '/facts', { text: 'The year begins in June', workspace_id: id })
  await account.call('POST', '/schedules', {
    ...{ name: 'Deadlines', text: 'List them', time_zone: 'UTC' },
    ...{ rule: { kind: 'days', count: 1, time: '07:00' } },
    things: [{ kind: 'workspace', id, name: 'Leases 2027' }],
  })
  const form = new FormData()
  form.append('workspace_id', id)
  form.append('file', new Blob(['Notice is six months.']), 'Contract.txt')
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${journey.url}/api/v1/documents/upload`, { method: 'POST', headers, body: form })
  await account.call('PUT', `/projects/${id}/budget`, { period: 'month', amount: 120 })
  return { token, account, id, chatId: chat.id }
}

describe('the page of a project', () => {
  it('shows chats with unread ones, documents, schedules, memory, members and spending, and starts a chat [PJ-04]', async () => {
    const { token, id, chatId } = await aFullProject('nora')
    const page = await journey.open(`/project/${id}`, { token, width: 1280 })
    const list = (key: string) => page.getByRole('list', { name: say(key) })
    await list('chats.title').getByRole('link', { name: 'Break option' }).waitFor(WAIT)
    await page.getByRole('button', { name: `${say('chats.unread')} 1` }).waitFor()
    await list('documents.title').getByRole('link', { name: 'Contract.txt' }).waitFor()
    await list('schedules.title').getByRole('link', { name: 'Deadlines' }).waitFor()
    await list('memory.title').getByText('The year begins in June').waitFor()
    await list('tabs.members').getByText(say('members.you')).waitFor()
    await page.getByText('of $120.00 this month').waitFor()
    await shot(page, 'overview-1280-light')
    await expectAccessible(page)
    journey.model.always(() => [says('Six months.')])
    await page.getByRole('textbox', { name: say('start.label') }).fill('How long is the notice?')
    await page.getByRole('button', { name: say('start.send') }).click()
    await page.getByRole('main').getByText('Six months.').waitFor(WAIT)
    const started = page.url().split('/').at(-1) ?? ''
    expect(started).not.toBe(chatId)
    const { project } = await accountAt(journey.url, token, 'nora').call<{ project: { id: string } }>(
      'GET',
      `/sessions/${started}`,
    )
    expect(project.id).toBe(id)
    expect(journey.errors).toEqual([])
  })

  it('fits a phone in both themes', async () => {
    const { token, id } = await aFullProject('otto', 'fr')
    for (const theme of ['light', 'dark'] as const) {
      const page = await journey.open(`/project/${id}`, { token, theme, width: 390, language: 'fr' })
      await page.getByText(say('spending.title', 'fr'), { exact: true }).waitFor(WAIT)
      await page.getByText('The year begins in June').waitFor()
      expect(await isTooWide(page)).toBe(false)
      await shot(page, `overview-390-${theme}`)
      await page.getByText('The year begins in June').scrollIntoViewIfNeeded()
      await shot(page, `overview-390-${theme}-below`)
    }
    const page = await journey.open(`/project/${id}`, { token, theme: 'dark', width: 1280, language: 'fr' })
    await page.getByText('The year begins in June').waitFor(WAIT)
    await shot(page, 'overview-1280-dark')
    expect(journey.errors).toEqual([])
  })
})

describe.each(['en', 'fr'] as const)('the lifecycle of a project in %s', (language) => {
  const words = (key: string) => say(key, language)

  it('has a budget, is archived, restored, duplicated and deleted [PJ-09]', async () => {
    const width = language === 'en' ? 1280 : 390
    const { token, account, id, chatId } = await aFullProject(`pia-${language}`, language)
    const page = await journey.open(`/project/${id}/settings`, { token, width, language })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const budget = page.getByRole('textbox', { name: words('budget.month') })
    await budget.fill('0,5')
    await budget.press('Enter')
    await page.getByText(words('budget.saved')).waitFor(WAIT)
    expect(await account.call('GET', `/projects/${id}/spending`)).toMatchObject({
      budgets: [{ period: 'month', amount: 0.5 }],
    })
    await button(words('archive.button')).scrollIntoViewIfNeeded()
    await shot(page, `settings-${width}`)
    await expectAccessible(page)
    await button(words('archive.button')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: words('archive.button'), exact: true }).click()
    await page.getByText(words('archive.state'), { exact: true }).waitFor(WAIT)
    await shot(page, `archived-${width}`)
    await expectAccessible(page)
    await page.goto(`${journey.url}/chat/${chatId}`)
    await page.getByText(journeyWords(language, 'streaming_blocks', 'archived')).waitFor(WAIT)
    await shot(page, `archived-chat-${width}`)
    await page.goto(`${journey.url}/project/${id}`)
    await button(words('archive.restore')).click()
    await page.getByRole('textbox', { name: words('start.label') }).waitFor(WAIT)
    await page.goto(`${journey.url}/project/${id}/settings`)
    await button(words('duplicate.button')).click()
    await dialog.getByLabel(words('settings.name')).fill('Leases 2028')
    await dialog.getByLabel(words('duplicate.memory')).check()
    await shot(page, `duplicate-${width}`)
    await dialog.getByRole('button', { name: words('duplicate.send') }).click()
    await page.getByRole('heading', { name: 'Leases 2028' }).waitFor(WAIT)
    await page.getByText('The year begins in June').waitFor()
    await page.goto(`${journey.url}/project/${id}/settings`)
    await button(words('delete.button')).click()
    await dialog.getByLabel(words('delete.chats')).selectOption('delete')
    await dialog.getByText(words('delete.chats_delete')).waitFor()
    await shot(page, `delete-${width}`)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: words('delete.button') }).click()
    await page.waitForURL((url) => !url.pathname.includes(id), WAIT)
    const trash = await account.call<{ items: { id: string }[] }>('GET', '/trash')
    expect(trash.items.map((item) => item.id)).toContain(chatId)
    expect(journey.errors).toEqual([])
  })
})

describe('archived projects', () => {
  it('are opened from the sidebar', async () => {
    const { token, account, id } = await aFullProject('rita')
    await account.call('PUT', `/projects/${id}/archive`)
    const page = await journey.open('/', { token })
    await page.getByRole('button', { name: say('archive.list') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Leases 2027' }).waitFor(WAIT)
    await shot(page, 'archived-list')
    await dialog.getByRole('link', { name: 'Leases 2027' }).click()
    await page.getByText(say('archive.state'), { exact: true }).waitFor(WAIT)
    expect(journey.errors).toEqual([])
  })
})

describe('a project without a manager', () => {
  it('gets one from an administrator, who sees its name only', async () => {
    const admin = (key: string) => journeyWords('en', 'admin', key)
    const { account, id } = await aFullProject('sven')
    const reader = accountAt(journey.url, await journey.signUp('tilda'), 'tilda')
    const idOf = async (person: Account) => (await person.call<{ id: string }>('GET', '/users/me')).id
    const company = await root.call<{ id: string }>('POST', '/admin/companies', { name: 'Orsane' })
    await root.call('PATCH', `/admin/companies/${company.id}`, { members_share: true })
    const join = async (person: Account, role: 'member' | null) =>
      root.call('PATCH', `/admin/users/${await idOf(person)}`, {
        membership: { company_id: company.id, role },
      })
    await join(account, 'member')
    await join(reader, 'member')
    const recipient = { who: 'person', id: await idOf(reader) }
    await account.call('POST', `/projects/${id}/members`, { recipient, role: 'reader' })
    await join(account, null)
    const page = await journey.open('/admin?page=projects', { token: root.token, width: 1280 })
    await page.getByRole('button', { name: 'Name a manager of Leases 2027' }).click(WAIT)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: admin('unmanaged.person') }).fill('tilda')
    await dialog.getByRole('option', { name: /tilda/ }).waitFor(WAIT)
    await shot(page, 'unmanaged-1280')
    await expectAccessible(page)
    await dialog.getByRole('option', { name: /tilda/ }).click()
    await page.getByText(admin('unmanaged.done')).waitFor(WAIT)
    await page.getByText(admin('unmanaged.none')).waitFor(WAIT)
    expect(await reader.call('GET', `/projects/${id}`)).toMatchObject({ role: 'manager', is_owner: true })
    expect(journey.errors).toEqual([])
  })
})
