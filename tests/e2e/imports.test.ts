import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeSource, runAxe } from '../support/axe.ts'
import { chatgptChat } from '../support/imports/chatgpt-export.ts'
import { anImporter } from '../support/imports/importing.ts'
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

const say = (key: string, language: 'en' | 'fr' = 'en') => words(language, 'imports', key)
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 }).waitFor(WAIT)

const four = ['a', 'b', 'c', 'd'].map((id) => ({ id, text: `The lease ends in 2027, ${id}.` }))
const chats = [
  chatgptChat({ id: 'lease', title: 'Lyon lease', messages: four }),
  chatgptChat({ id: 'spend', title: 'Supplier spend', messages: four, archived: true }),
  { title: 'Broken', mapping: { x: 1 }, current_node: 'x', conversation_id: 'broken' },
]
const buffer = zipOf({ 'conversations.json': JSON.stringify(chats) })

/** Chooses the export on the page of imports. */
async function choose(page: Page, language: 'en' | 'fr' = 'en'): Promise<void> {
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: say('source.choose', language) }).click()
  await (await asked).setFiles({ name: 'chatgpt-export.zip', mimeType: 'application/zip', buffer })
}

describe('an import', () => {
  it('leads from the data of a person over a preview to the chats, and back', async () => {
    const token = await journey.signUp('ida')
    const page = await journey.open('/user/data', { token })
    await page.getByRole('link', { name: words('en', 'exports', 'data.import_open') }).click()
    await title(page, say('source.title'))
    await choose(page)
    await title(page, say('preview.title'))
    await page.getByText(say('problems.reason.damaged')).waitFor(WAIT)
    await page.getByRole('button', { name: 'Import 2 chats' }).click()
    await title(page, say('receipt.done'))
    await page.locator('[data-session]', { hasText: 'Lyon lease' }).click(WAIT)
    await page.getByText('The lease ends in 2027, d.').waitFor(WAIT)
    await page.goBack()
    await page.getByRole('button', { name: say('receipt.undo') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('receipt.undo') })
      .click()
    await title(page, say('receipt.undone'))
    await page.locator('[data-session]', { hasText: 'Lyon lease' }).waitFor({ state: 'detached', ...WAIT })
    expect(journey.errors).toEqual([])
  })

  it('executes nothing, loads nothing from elsewhere, and reads nothing outside of its archive [IP-09]', async () => {
    const asked: string[] = []
    const server = createServer((request, answer) => {
      asked.push(String(request.url))
      answer.end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const html = `<script>window.taken = 1</script><img src="${url}/i.png" onerror="window.taken = 1">`
    const links = `![x](${url}/m.png) <iframe src="${url}/f"></iframe> ${url}/page [y](javascript:window.taken=1)`
    const metadata = { attachments: [{ id: 'file-Out1', name: '../../../etc/passwd' }] }
    const hostile = chatgptChat({
      ...{ id: 'hostile', title: 'Hostile' },
      messages: [
        { id: 'a', text: `Asked ${html} ${links}`, metadata },
        { id: 'b', text: `Told ${html} ${links}` },
      ],
    })
    const token = await journey.signUp('eve')
    const person = anImporter(`${journey.url}/api/v1`, { headers: { authorization: `Bearer ${token}` } })
    const done = await person.importAll(zipOf({ 'c.json': JSON.stringify([hostile]) }))
    expect(done).toMatchObject({ state: 'done', added: { chats: 1, messages: 2, files: 0 } })
    for (const name of ['../file-Out1-passwd', '/etc/passwd']) {
      const read = await person.preview(zipOf({ 'c.json': JSON.stringify([hostile]), [name]: 'x' }))
      expect([read.state, read.error]).toEqual([
        'failed',
        expect.stringContaining('a path that leads out of it'),
      ])
    }
    const [{ id }] = await person.chats()
    const page = await journey.open(`/chat/${id}`, { token })
    await page.getByText(/^Told/).first().waitFor(WAIT)
    await page.waitForTimeout(1_000)
    expect(await page.evaluate('window.taken')).toBeUndefined()
    server.close()
    expect(asked).toEqual([])
  })

  it('is accessible and readable in both languages, looks and widths', async () => {
    for (const [theme, width, language] of [
      ['light', 1280, 'en'],
      ['dark', 1280, 'fr'],
      ['light', 390, 'fr'],
      ['dark', 390, 'en'],
    ] as const) {
      const token = await journey.signUp('ivo', language)
      const page = await journey.open('/user/data/import', { token, theme, width, language })
      const shoot = async (step: string) => {
        await page.evaluate(axeSource)
        expect(await runAxe(page), `${step} ${theme} ${width}`).toEqual([])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(overflow).toBe(0)
        const { ATRIUM_SHOTS: folder } = process.env
        if (folder) await page.screenshot({ path: `${folder}/imports-${step}-${theme}-${width}.png` })
      }
      await title(page, say('source.title', language))
      await shoot('source')
      await choose(page, language)
      await title(page, say('preview.title', language))
      await page.getByText(say('problems.reason.damaged', language)).waitFor(WAIT)
      await shoot('preview')
      await page.getByRole('button', { name: /^(Import|Importer) 2 / }).click()
      await title(page, say('receipt.done', language))
      await shoot('receipt')
      await page.context().close()
    }
  })
})
