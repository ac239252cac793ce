import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { zipOf } from '../support/zip.ts'

/** Allows for loaded machines. */
const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())
beforeEach(() => journey.fresh())

const project = {
  ...{
    id: 'p',
    name: 'Leases 2027',
    is_default: false,
    instructions_version: 1,
    colour: 'green',
    icon: 'scale',
  },
  ...{ documents: [], versions: [{ version: 1, text: 'Be exact.', created_at: null }], mark: null },
  ...{
    description: 'Rents in Lyon',
    assistant_id: null,
    model_name: null,
    archived_at: null,
    created_at: null,
  },
}
const chat = {
  ...{
    format: 'atrium-chat',
    version: 2,
    id: 'c',
    title: 'Break option',
    workspace_id: 'p',
    pin_position: 1,
  },
  messages: [
    { id: 'q', role: 'user', content: 'When may we leave?' },
    {
      id: 'a',
      parent_id: 'q',
      role: 'assistant',
      content: 'On 30 June.',
      original: { content: 'On 30 June.' },
    },
  ],
}
const buffer = zipOf({
  'chats/c.json': JSON.stringify(chat),
  'data/workspaces.json': JSON.stringify([project, { ...project, id: 'x', name: '' }]),
})

const say = (language: 'en' | 'fr', key: string) => words(language, 'imports', key)

async function check(page: Page, step: string): Promise<void> {
  await page.evaluate(axeSource)
  expect(await runAxe(page), step).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), step).toBe(0)
  const { ATRIUM_SHOTS: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/archive-${step}.png` })
}

it.each([
  ['light', 1280, 'en'],
  ['dark', 390, 'fr'],
] as const)(
  'an archive brings a project, which is duplicated as a template, in %s at %i pixels in %s',
  async (theme, width, language) => {
    const token = await journey.signUp(`rosa-${language}`, language)
    const page = await journey.open('/user/data/import', { token, theme, width, language })
    const title = (key: string) =>
      page.getByRole('heading', { name: say(language, key), level: 2 }).waitFor(WAIT)
    const asked = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: say(language, 'source.choose') }).click()
    await (await asked).setFiles({ name: 'atrium.zip', mimeType: 'application/zip', buffer })
    await title('preview.title')
    await page.getByText(say(language, 'preview.projects_text')).waitFor(WAIT)
    await page.getByText(say(language, 'problems.unnamed.project')).waitFor(WAIT)
    await check(page, `preview-${theme}-${width}`)
    await page.getByRole('button', { name: /^(Import|Importer) 1 / }).click()
    await title('receipt.done')
    await check(page, `receipt-${theme}-${width}`)
    const listed = await fetch(`${journey.url}/api/v1/projects`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const [{ id }] = ((await listed.json()) as { items: [{ id: string }] }).items
    await page.goto(`${journey.url}/project/${id}`)
    await page.getByText('Break option').first().waitFor(WAIT)
    await page.goto(`${journey.url}/project/${id}/settings`)
    await page.getByText(words(language, 'projects', 'versions.imported')).waitFor(WAIT)
    await page
      .getByRole('button', { name: words(language, 'projects', 'duplicate.button'), exact: true })
      .click()
    await page
      .getByRole('dialog')
      .getByText(words(language, 'projects', 'duplicate.text'))
      .waitFor(WAIT)
    await check(page, `duplicate-${theme}-${width}`)
    expect(journey.errors).toEqual([])
    await page.context().close()
  },
)
