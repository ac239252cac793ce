import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
/** Token of the super admin, who may add anybody to a project. */
let root: string
beforeAll(async () => {
  journey = await startJourney()
  root = await journey.signUp('root')
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'projects', key)
const section = (page: Page, language: 'en' | 'fr' = 'en') =>
  page.getByRole('region', { name: say('title', language) })
const project = (page: Page, name: string) => section(page).getByRole('link', { name, exact: true })
/** Takes a picture when a folder for pictures is given. */
async function shot(page: Page, name: string) {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/projects-${name}.png` })
}

/** Creates an account with projects and chats of these names. */
async function anAccount(name: string, { projects = [] as string[], chats = [] as string[] } = {}) {
  const token = await journey.signUp(name)
  const account = accountAt(journey.url, token, name)
  const ids: Record<string, string> = {}
  for (const title of projects)
    ids[title] = (await account.call<{ id: string }>('POST', '/workspaces', { name: title })).id
  for (const title of chats.toReversed()) {
    const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
    await account.call('PUT', `/sessions/${id}/rename`, { title })
    ids[title] = id
  }
  return { token, account, ids }
}

async function expectAccessible(page: Page) {
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
}

describe('projects in the sidebar', () => {
  it('are created, collapsed, pinned and reordered, and look the same in every browser [PJ-13]', async () => {
    const { token, account, ids } = await anAccount('nora', { projects: ['Alpha', 'Beta', 'Gamma'] })
    const chat = await account.call<{ id: string }>('POST', '/sessions', { workspace_id: ids.Alpha })
    await account.call('PUT', `/sessions/${chat.id}/rename`, { title: 'Inside Alpha' })
    await account.call('PUT', `/projects/${ids.Beta}`, { colour: 'green', icon: 'scale' })
    const [here, there] = [await journey.open('/', { token }), await journey.open('/', { token })]
    const names = (page: Page) => section(page).locator('a[href^="/project/"]').allTextContents()
    await expect.poll(() => names(there), WAIT).toEqual(['Alpha', 'Beta', 'Gamma'])
    await here.getByRole('button', { name: 'Expand Alpha' }).click()
    await section(there).getByRole('link', { name: 'Inside Alpha' }).waitFor()
    await project(here, 'Gamma').dragTo(project(here, 'Alpha'))
    await expect.poll(() => names(there), WAIT).toEqual(['Gamma', 'Alpha', 'Beta'])
    await project(here, 'Beta').click({ button: 'right' })
    await here.getByRole('menuitem', { name: say('row.pin') }).click()
    await expect.poll(() => names(there), WAIT).toEqual(['Beta', 'Gamma', 'Alpha'])
    await project(here, 'Alpha').click({ button: 'right' })
    await here.getByRole('menuitem', { name: say('row.up') }).click()
    await expect.poll(() => names(there), WAIT).toEqual(['Beta', 'Alpha', 'Gamma'])
    const look = section(there).locator('a', { hasText: 'Beta' }).locator('svg').first()
    expect(await look.getAttribute('class')).toMatch(/scale.*text-success/)
    await here.getByRole('button', { name: 'Collapse Alpha' }).click()
    await section(there).getByRole('link', { name: 'Inside Alpha' }).waitFor({ state: 'hidden' })
    await here.getByRole('button', { name: say('new.title') }).click()
    await here.getByRole('textbox', { name: say('settings.name') }).fill('Delta')
    await here.getByRole('button', { name: say('new.create') }).click()
    await here.getByRole('heading', { name: 'Delta' }).waitFor()
    await expect.poll(() => names(there), WAIT).toContain('Delta')
    expect(journey.errors).toEqual([])
  })
})

describe('a project', () => {
  it('is set up, and starts a chat whose header leads back to it [PJ-02]', async () => {
    const { token, ids } = await anAccount('olga', { projects: ['Contracts'] })
    const page = await journey.open(`/project/${ids.Contracts}/settings`, { token, width: 1280 })
    await page.getByRole('textbox', { name: say('instructions.title') }).fill('Amounts in euros.')
    await page.getByRole('button', { name: say('colours.green') }).click()
    await page.getByRole('button', { name: say('icons.building') }).click()
    await page.getByRole('combobox', { name: say('settings.model') }).selectOption('house/small')
    await page.getByRole('button', { name: say('settings.save'), exact: true }).click()
    await page.getByText('Version 1', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: say('instructions.title') }).fill('Amounts in dollars.')
    await page.getByRole('button', { name: say('settings.save'), exact: true }).click()
    await page.getByText('Version 2', { exact: true }).waitFor()
    await shot(page, 'settings-1280')
    await expectAccessible(page)
    await page.getByRole('tab', { name: say('tabs.overview') }).click()
    await shot(page, 'overview-empty-1280')
    journey.model.always(() => [says('100 dollars.')])
    await page.getByRole('textbox', { name: say('start.label') }).fill('How much?')
    await page.getByRole('button', { name: say('start.send') }).click()
    await page.getByRole('main').getByText('100 dollars.').waitFor(WAIT)
    const asked = JSON.stringify(journey.model.requests.find(({ model }) => model === 'small')?.messages)
    expect(asked).toContain('Amounts in dollars.')
    await shot(page, 'chat-1280')
    await page.getByRole('link', { name: 'Open the project Contracts' }).click()
    await page
      .getByRole('list', { name: say('chats.title') })
      .getByRole('link')
      .first()
      .waitFor()
    await shot(page, 'overview-1280')
    await expectAccessible(page)
    expect(journey.errors).toEqual([])
  })
})

describe('moving chats', () => {
  it('says what changes before one chat, a selection or a dragged chat moves, and is undone [PJ-03]', async () => {
    const { token, account, ids } = await anAccount('petra', {
      ...{ projects: ['Contracts', 'Leases'], chats: ['Kessler', 'Dalkorne', 'Lyon'] },
    })
    await account.call('PUT', `/projects/${ids.Contracts}`, {
      instructions: { text: 'Amounts in euros.', based_on: 0 },
    })
    const page = await journey.open('/', { token })
    const row = (title: string) => page.locator('[data-session]', { hasText: title })
    const placed = async (title: string) =>
      (await account.call<{ project: { name: string } | null }>('GET', `/sessions/${ids[title]}`)).project
        ?.name
    await row('Kessler').getByRole('link').click({ button: 'right' })
    await page.getByRole('menuitem', { name: words('en', 'common', 'history.place') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').selectOption({ label: 'Contracts' })
    await dialog.getByText('Instructions version 1 apply from the next message').waitFor()
    await shot(page, 'move-1280')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: say('move.send_one') }).click()
    await expect.poll(() => placed('Kessler'), WAIT).toBe('Contracts')
    await row('Dalkorne').dragTo(project(page, 'Leases'))
    await dialog.getByText(say('move.no_instructions')).waitFor()
    await dialog.getByRole('button', { name: say('move.send_one') }).click()
    await expect.poll(() => placed('Dalkorne'), WAIT).toBe('Leases')
    await page
      .getByRole('button', { name: words('en', 'common', 'history.select') })
      .first()
      .click()
    for (const title of ['Kessler', 'Dalkorne', 'Lyon']) await row(title).getByRole('checkbox').check()
    await page.getByRole('button', { name: words('en', 'common', 'history.place') }).click()
    await dialog.getByRole('combobox').selectOption({ label: 'Leases' })
    await dialog.getByText('Instructions and documents of Contracts no longer apply').waitFor()
    await dialog.getByRole('button', { name: 'Move 2 chats' }).click()
    await expect.poll(() => placed('Lyon'), WAIT).toBe('Leases')
    expect(await placed('Kessler')).toBe('Leases')
    const undo = page.getByRole('status', { name: words('en', 'common', 'history.undo.label') })
    await undo
      .getByRole('button', { name: words('en', 'common', 'history.undo.action') })
      .first()
      .click()
    await expect.poll(() => placed('Lyon'), WAIT).toBeUndefined()
    expect([await placed('Kessler'), await placed('Dalkorne')]).toEqual(['Contracts', 'Leases'])
    await row('Kessler').getByRole('link').click({ button: 'right' })
    await page.getByRole('menuitem', { name: words('en', 'common', 'history.place') }).click()
    await dialog.getByRole('combobox').selectOption({ label: say('move.none') })
    await dialog.getByRole('button', { name: say('move.send_one') }).click()
    await expect.poll(() => placed('Kessler'), WAIT).toBeUndefined()
    expect(journey.errors).toEqual([])
  })
})

describe('several selected chats', () => {
  it('are moved, archived, tagged, marked as read, deleted and exported; each change is undone for 10 seconds [OC-05]', async () => {
    const common = (key: string) => words('en', 'common', `history.${key}`)
    const { token, account, ids } = await anAccount('rosa', { projects: ['Leases'], chats: ['A', 'B', 'C'] })
    const chosen = ['A', 'B']
    const marks = (is_unread: boolean) => chosen.map((title) => ({ session_id: ids[title], is_unread }))
    await account.call('PUT', '/session-marks', { items: marks(true) })
    type Chat = { is_archived: boolean; is_unread: boolean; tags: string[]; project: { name: string } | null }
    /** Returns what is stored of the chosen chats; null for a deleted one. */
    const stored = () =>
      Promise.all(
        chosen.map((title) =>
          account.call<Chat>('GET', `/sessions/${ids[title]}`).then(
            ({ is_archived, is_unread, tags, project }) => [is_archived, is_unread, tags, project?.name],
            () => null,
          ),
        ),
      )
    const before = [false, true, [], undefined]
    const page = await journey.open(`/chat/${ids.C}`, { token })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const select = async () => {
      await button(common('select')).click()
      for (const title of chosen)
        await page.getByRole('checkbox', { name: `Select ${title}`, exact: true }).click()
    }
    const dialog = page.getByRole('dialog')
    const actions: { act: () => Promise<void>; after: unknown }[] = [
      {
        act: async () => {
          await button(common('place')).click()
          await dialog.getByRole('combobox').selectOption({ label: 'Leases' })
          await dialog.getByRole('button', { name: 'Move 2 chats' }).click()
        },
        after: [false, true, [], 'Leases'],
      },
      { act: () => button(common('archive')).click(), after: [true, true, [], undefined] },
      {
        act: async () => {
          await button(common('tags.edit')).click()
          const field = page.getByRole('textbox', { name: common('tags.find') })
          await field.fill('FR')
          await field.press('Enter')
          await page.getByRole('checkbox', { name: 'FR' }).waitFor()
          await dialog.getByRole('button', { name: common('done') }).click()
          await button(common('cancel')).click()
        },
        after: [false, true, ['FR'], undefined],
      },
      { act: () => button(common('mark_read')).click(), after: [false, false, [], undefined] },
      {
        act: async () => {
          await page.getByRole('button', { name: 'Delete 2' }).click()
          await dialog.getByRole('button', { name: common('delete'), exact: true }).click()
        },
        after: null,
      },
    ]
    for (const { act, after } of actions) {
      await select()
      await act()
      await expect.poll(stored, WAIT).toEqual([after, after])
      await button(common('undo.action')).first().click()
      await expect.poll(stored, WAIT).toEqual([before, before])
      await button(common('undo.action')).waitFor({ state: 'hidden' })
    }
    await select()
    await button(common('export')).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await button(common('archive')).click()
    await button(common('undo.action')).waitFor()
    await page.waitForTimeout(8_500)
    expect(await button(common('undo.action')).count()).toBe(1)
    await button(common('undo.action')).waitFor({ state: 'hidden', timeout: 3_000 })
    expect(journey.errors).toEqual([])
  })
})

describe('a shared project', () => {
  it('shows members a chat live once it is shared, lets writers reply, and ends immediately for a removed member [PJ-06]', async () => {
    const owner = accountAt(journey.url, root, 'root')
    const { id } = await owner.call<{ id: string }>('POST', '/workspaces', { name: 'Board pack' })
    const { token } = await anAccount('quinn')
    const page = await journey.open(`/project/${id}/members`, { token: root })
    await page.getByRole('combobox', { name: say('members.find') }).fill('quinn')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Ada Byron' }).waitFor()
    await shot(page, 'members-1280')
    await expectAccessible(page)
    const mate = await journey.open(`/project/${id}`, { token })
    await mate.getByText(say('chats.none')).waitFor()
    await page.getByRole('tab', { name: say('tabs.overview') }).click()
    journey.model.always(() => [says('First reply.')])
    await page.getByRole('textbox', { name: say('start.label') }).fill('Draft the agenda')
    await page.getByRole('button', { name: say('start.send') }).click()
    await page.getByRole('main').getByText('First reply.').waitFor(WAIT)
    expect(await mate.getByText('Draft the agenda').count()).toBe(0)
    await page.getByRole('button', { name: say('badge.private') }).click()
    await page.getByRole('menuitem', { name: say('badge.share') }).click()
    await page.getByRole('button', { name: say('badge.shared') }).waitFor()
    const chats = mate.getByRole('list', { name: say('chats.title') })
    await chats.getByRole('link').first().click(WAIT)
    await mate.getByRole('main').getByText('First reply.').waitFor(WAIT)
    journey.model.always(() => [says('Second reply.')])
    await page
      .getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
      .fill('And the date?')
    await page.keyboard.press('Enter')
    await mate.getByRole('main').getByText('Second reply.').waitFor(WAIT)
    journey.model.always(() => [says('Third reply.')])
    await mate
      .getByRole('textbox', { name: words('en', 'streaming_blocks', 'composer.label') })
      .fill('In the evening?')
    await mate.keyboard.press('Enter')
    await mate.getByRole('main').getByText('Third reply.').waitFor(WAIT)
    await page.getByRole('main').getByText('Third reply.').waitFor(WAIT)
    await shot(page, 'shared-chat-1280')
    await shot(mate, 'shared-chat-of-other-1280')
    const members = await owner.call<{ items: { id: string | null }[] }>('GET', `/projects/${id}/members`)
    await owner.call('PATCH', `/projects/${id}/members/${members.items[1]?.id}`, { role: 'reader' })
    await mate.getByText(words('en', 'streaming_blocks', 'read_only')).waitFor(WAIT)
    await page.goto(`/project/${id}/members`)
    await page.getByRole('button', { name: 'Remove Ada Byron' }).click()
    await page.getByRole('button', { name: say('members.remove'), exact: true }).click()
    await page.getByRole('button', { name: 'Remove Ada Byron' }).waitFor({ state: 'hidden' })
    await project(mate, 'Board pack').waitFor({ state: 'hidden' })
    await mate.goto(`/project/${id}`)
    await mate.getByText(say('gone.title')).waitFor()
    expect(journey.errors).toEqual([])
  })

  it('is readable on a phone, in French and in the dark', async () => {
    const token = await journey.signUp('lea', 'fr')
    const owner = accountAt(journey.url, token, 'lea')
    const { id } = await owner.call<{ id: string }>('POST', '/workspaces', { name: 'Baux de Lyon' })
    const instructions = { text: 'Répondre en français, montants en euros.', based_on: 0 }
    await owner.call('PUT', `/projects/${id}`, { colour: 'amber', icon: 'building', instructions })
    for (const title of ['Option de sortie', 'Loyer indexé', 'Charges 2026']) {
      const chat = await owner.call<{ id: string }>('POST', '/sessions', { workspace_id: id })
      await owner.call('PUT', `/sessions/${chat.id}/rename`, { title })
    }
    await owner.call('PUT', '/project-marks', { items: [{ workspace_id: id, is_collapsed: false }] })
    for (const [width, theme] of [
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const) {
      for (const tab of ['', '/members', '/settings']) {
        const look = { language: 'fr', theme, width, height: 844 } as const
        const page = await journey.open(`/project/${id}${tab}`, { token, ...look })
        await page.getByRole('tab', { selected: true }).waitFor()
        await page.waitForLoadState('networkidle')
        await shot(page, `page${tab.replace('/', '-')}-${theme}-${width}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow, `${width} ${tab}`).toBeLessThanOrEqual(0)
        await page.context().close()
      }
    }
    const page = await journey.open(`/project/${id}`, { token, language: 'fr', width: 390, height: 844 })
    await page.getByRole('button', { name: words('fr', 'common', 'nav.open_menu') }).click()
    await section(page, 'fr').getByRole('link', { name: 'Charges 2026' }).waitFor()
    await shot(page, 'sidebar-390')
    expect(journey.errors).toEqual([])
  })
})
