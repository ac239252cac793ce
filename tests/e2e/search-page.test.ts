import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 60_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

type Language = 'en' | 'fr'
const t = (key: string, language: Language = 'en', values: Record<string, string> = {}) =>
  words(language, 'search', key, values)

const field = (page: Page, language: Language = 'en') =>
  page.getByRole('textbox', { name: t('field', language) })
const hits = (page: Page) => page.locator('[data-hit]')
const focusedKind = (page: Page) => page.evaluate<string | undefined>('document.activeElement.dataset.hit')

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/search-${name}.png` })
}

async function isSeen(place: Locator): Promise<boolean> {
  const [box, screen] = [await place.boundingBox(), place.page().viewportSize()]
  if (!box || !screen) return false
  const middle = box.y + Math.min(box.height, screen.height) / 2
  return middle > 0 && middle < screen.height
}

async function expectSeen(place: Locator): Promise<void> {
  await place.first().waitFor(WAIT)
  await expect.poll(() => isSeen(place.first()), WAIT).toBe(true)
}

async function send(
  account: Account,
  session: string,
  content: string,
  reply: string,
  parent?: string | null,
) {
  journey.model.reply([says(reply)])
  const body = { content, ...(parent !== undefined && { parent_id: parent }) }
  const url = `${journey.url}/api/v1/sessions/${session}/messages`
  const headers = { authorization: `Bearer ${account.token}` }
  await (await openStream(url, { method: 'POST', headers, body })).ended
}

const filler = (about: string) =>
  Array.from({ length: 40 }, (_, at) => `${at + 1}. The ${about} is not decided yet in this paragraph.`).join(
    '\n\n',
  )

async function upload(account: Account, name: string, content: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const answer = await fetch(`${journey.url}/api/v1/documents/upload`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${account.token}` }, body: form },
  })
  const { id } = (await answer.json()) as { id: string }
  await expect
    .poll(async () => (await account.call<{ status: string }>('GET', `/documents/${id}`)).status, WAIT)
    .toBe('completed')
  return id
}

/** Creates a person with a project and a chat, a document, a prompt and a fact that name the heron. */
async function aPerson(name: string, language: Language = 'en') {
  const token = await journey.signUp(name, language)
  const account = accountAt(journey.url, token, name)
  const { id: project } = await account.call<{ id: string }>('POST', '/workspaces', { name: 'Wetland' })
  const { id: session } = await account.call<{ id: string }>('POST', '/sessions', { workspace_id: project })
  await account.call('PUT', `/sessions/${session}/rename`, { title: 'Birds of the site' })
  await send(account, session, 'Which bird lives there?', `The grey heron lives there.\n\n${filler('bird')}`)
  await send(account, session, 'And the trees?', filler('tree'))
  const document = await upload(
    account,
    'Survey.md',
    `# Survey\n\n${filler('water')}\n\nThe heron nests in the reeds.\n\n${filler('soil')}`,
  )
  await account.call('POST', '/prompts', {
    ...{ name: 'Bird letter', command: 'bird-letter', text: 'Write about the heron.' },
  })
  await account.call('POST', '/facts', { text: 'The heron of our site is protected by law.' })
  return { token, account, project, session, document }
}

describe('the search page', () => {
  it('covers all types with filters in the address and a preview, and opens a hit at its place [OC-10]', async () => {
    const { token, account, project, session, document } = await aPerson('hera')
    await account.call('PUT', '/session-marks', { items: [{ session_id: session, add_tags: ['birds'] }] })
    const page = await journey.open('/search', { token, width: 1280, height: 800 })
    await field(page).fill('HÉRON')
    await expect.poll(() => hits(page).count(), WAIT).toBe(4)
    await page.waitForURL(/\/search\?.*q=H/)
    const found = await hits(page).all()
    const kinds = await Promise.all(found.map((one) => one.getAttribute('data-hit')))
    expect(kinds).toEqual(['chat', 'document', 'prompt', 'memory'])
    await picture(page, 'light-1280')
    const preview = page.getByRole('complementary', { name: t('preview') })
    await preview.getByText('The grey').waitFor(WAIT)
    await page.evaluate(axeSource)
    expect(await runAxe(page)).toEqual([])

    // Arrows move through the hits, and the preview follows.
    await field(page).press('ArrowDown')
    expect(await focusedKind(page)).toBe('chat')
    await page.keyboard.press('ArrowDown')
    expect(await focusedKind(page)).toBe('document')
    await preview.getByText('nests in the reeds').waitFor(WAIT)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/documents/preview/${document}\\?.*chunk=`))
    await expectSeen(page.locator('.digitized-passage'))
    await page.goBack()
    await expect.poll(() => hits(page).count(), WAIT).toBe(4)
    expect(await field(page).inputValue()).toBe('HÉRON')
    await hits(page).first().click()
    await page.waitForURL(new RegExp(`/chat/${session}`))
    await expectSeen(page.getByRole('log').getByText('The grey heron lives there.'))
    await page.goBack()
    await hits(page).nth(3).click()
    await page.waitForURL(/\/memory\?/)
    await expectSeen(page.locator('main').getByText('The heron of our site is protected by law.'))
    await page.goBack()

    // A filter is in the address, stays after a reload, and a chip removes it.
    await page.getByRole('combobox', { name: t('filter.project') }).selectOption('Wetland')
    await page.waitForURL(new RegExp(`project=${project}`))
    await expect.poll(() => hits(page).count(), WAIT).toBe(1)
    await page.reload()
    await expect.poll(() => hits(page).count(), WAIT).toBe(1)
    const chip = page.locator('[data-chip="project"]')
    expect(await chip.textContent()).toContain('Wetland')
    await chip.click()
    await expect.poll(() => hits(page).count(), WAIT).toBe(4)
    expect(page.url()).not.toContain('project=')
    for (const [filter, value] of [
      ['model', 'large'],
      ['tag', 'birds'],
    ] as const) {
      await page.getByRole('combobox', { name: t(`filter.${filter}`) }).selectOption(value)
      await page.waitForURL(new RegExp(`${filter}=`))
      await expect.poll(() => hits(page).count(), WAIT).toBe(1)
      expect(await page.locator('[data-hit="chat"]').count()).toBe(1)
      await page.locator(`[data-chip="${filter}"]`).click()
      await expect.poll(() => hits(page).count(), WAIT).toBe(4)
    }
    await page.getByRole('combobox', { name: t('filter.type') }).selectOption(t('kinds.prompt'))
    await expect.poll(() => hits(page).count(), WAIT).toBe(1)
    await page.getByRole('combobox', { name: t('filter.person') }).selectOption('Ada Byron')
    await page.getByLabel(t('filter.from'), { exact: true }).fill('2020-01-01')
    await page.waitForURL(/type=prompt.*person=.*from=2020-01-01/)
    await expect.poll(() => hits(page).count(), WAIT).toBe(1)
    await page.getByLabel(t('filter.to'), { exact: true }).fill('2020-02-01')
    await page.getByText(t('nothing', 'en', { words: 'HÉRON' })).waitFor(WAIT)
    expect(
      (await account.call<{ groups: unknown[] }>('GET', '/search?q=heron&kinds=chat')).groups,
    ).toHaveLength(1)
    expect(journey.errors).toEqual([])
  })

  it('opens a message of another branch', async () => {
    const { token, account, session } = await aPerson('hugo')
    await send(account, session, 'Which bird lives elsewhere?', 'The kingfisher.', null)
    const page = await journey.open('/search?q=trees', { token })
    await page.locator('[data-hit="chat"]').click()
    await page.waitForURL(/\/chat\//)
    await page.getByRole('log').getByText('And the trees?').first().waitFor(WAIT)
    await picture(page, 'branch')
    await expectSeen(page.getByRole('log').getByText('And the trees?'))
    expect(journey.errors).toEqual([])
  })

  it.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1280],
  ] as const)('fits in French, %s, %i pixels wide', async (theme, width) => {
    const { token } = await aPerson('henri', 'fr')
    const page = await journey.open('/search?q=heron&type=chat', {
      ...{ token, theme, width, height: 844, language: 'fr' },
    })
    await expect.poll(() => hits(page).count(), WAIT).toBe(1)
    await page.locator('[data-chip="type"]').getByText(t('kinds.chat', 'fr')).waitFor(WAIT)
    await picture(page, `${theme}-${width}-filter`)
    await page.locator('[data-chip="type"]').click()
    await expect.poll(() => hits(page).count(), WAIT).toBe(4)
    await picture(page, `${theme}-${width}`)
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(overflow)).toBe(0)
    await field(page, 'fr').fill('licorne')
    await page.getByText(t('nothing', 'fr', { words: 'licorne' })).waitFor(WAIT)
    await picture(page, `${theme}-${width}-nothing`)
    expect(journey.errors).toEqual([])
  })
})

describe('the limit to a project', () => {
  it('is in the address of search, palette and library, stays after a reload, and a chip removes it [PJ-10]', async () => {
    const { token, account, project, document } = await aPerson('ines')
    await account.call('POST', `/documents/workspace/${project}/documents`, { document_ids: [document] })
    await upload(account, 'Heron elsewhere.md', 'The heron is elsewhere.')
    const page = await journey.open(`/project/${project}`, { token })
    const p = (key: string, values: Record<string, string> = {}) => words('en', 'palette', key, values)
    await page.getByRole('heading', { name: 'Wetland', level: 1 }).waitFor(WAIT)
    const openPalette = async () => {
      await page.keyboard.press('Control+k')
      return page.getByRole('combobox', { name: p('field') })
    }
    const options = () => page.getByRole('option').allTextContents()
    await (await openPalette()).fill('survey')
    await page.getByRole('option', { name: 'Survey.md' }).waitFor(WAIT)
    await (await openPaletteField(page, p('field'))).fill('only')
    await page.getByRole('option', { name: p('only_project', { name: 'Wetland' }) }).click()
    await page.waitForURL(new RegExp(`in=${project}`))
    await (await openPaletteField(page, p('field'))).fill('survey')
    await page.getByRole('option', { name: 'Survey.md' }).waitFor(WAIT)
    await picture(page, 'palette-light-1280')
    await page.reload()
    await page.getByRole('heading', { name: 'Wetland', level: 1 }).waitFor(WAIT)
    await (await openPalette()).fill('survey')
    await page.getByRole('option', { name: 'Survey.md' }).waitFor(WAIT)
    await (await openPaletteField(page, p('field'))).fill('heron')
    await page.getByRole('option', { name: p('search_everything', { words: 'heron' }) }).waitFor(WAIT)
    expect(await options()).toHaveLength(1)
    await page.getByRole('button', { name: p('remove_project', { name: 'Wetland' }) }).click()
    await expect.poll(() => page.url()).not.toContain('in=')
    await (await openPaletteField(page, p('field'))).fill('heron')
    await page.getByRole('option', { name: 'Heron elsewhere.md' }).waitFor(WAIT)

    await page.goto(`${journey.url}/search?q=heron&project=${project}`)
    await expect.poll(() => hits(page).count(), WAIT).toBe(2)
    await page.reload()
    await expect.poll(() => hits(page).count(), WAIT).toBe(2)
    await page.locator('[data-chip="project"]').click()
    await expect.poll(() => hits(page).count(), WAIT).toBe(6)
    await page.goto(`${journey.url}/documents/workspace/${project}`)
    await page.locator('main').getByText('Survey.md').first().waitFor(WAIT)
    await page.reload()
    await page.locator('main').getByText('Survey.md').first().waitFor(WAIT)
    expect(await page.locator('main').getByText('Heron elsewhere.md').count()).toBe(0)
    expect(journey.errors).toEqual([])
  })
})

const openPaletteField = async (page: Page, name: string) => page.getByRole('combobox', { name })
