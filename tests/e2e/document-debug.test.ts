import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Document } from '../../src/shared/knowledge/documents/documents.ts'
import { type Account, accountAt } from '../support/account.ts'
import { type Journey, startJourney } from '../support/journey.ts'

let journey: Journey
let account: Account
beforeAll(async () => {
  journey = await startJourney()
  account = accountAt(journey.url, await journey.signUp('ada'))
})
afterAll(() => journey.close())

/** A document longer than the window. */
const rules = ['# Rules', ...Array.from({ length: 40 }, (_, at) => `Rule ${at + 1}: close the gate.`)].join(
  '\n\n',
)

it('shows a super admin every tab of a document, wherever it is scrolled, at any width', async () => {
  const form = new FormData()
  form.set('file', new Blob([rules]), 'Rules.md')
  const headers = { authorization: `Bearer ${account.token}` }
  const url = `${journey.url}/api/v1/documents/upload`
  const { id } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Document
  const isCompleted = async () =>
    expect((await account.call<Document>('GET', `/documents/${id}`)).status).toBe('completed')
  await vi.waitFor(isCompleted, { timeout: 150_000, interval: 500 })
  for (const width of [1280, 375]) {
    const page = await journey.open(`/documents/${id}`, { token: account.token, width, height: 800 })
    if (width > 1000) await page.getByRole('main').getByRole('button', { name: 'Debug' }).click()
    else {
      await page.getByRole('button', { name: /Rules\.md$/ }).click()
      await page.getByRole('menuitem', { name: 'Debug' }).click()
    }
    const dialog = page.getByRole('dialog')
    await dialog.getByText('"id"').first().waitFor()
    const tab = (name: RegExp) => dialog.getByRole('tab', { name })
    await dialog.locator('pre').hover()
    await page.mouse.wheel(0, 2000)
    await tab(/^Chunks/).click()
    await dialog
      .getByText(/close the gate/)
      .first()
      .waitFor()
    const within = async (name: string) => {
      const [outer, inner] = [
        await dialog.boundingBox(),
        await dialog.getByRole('list', { name }).boundingBox(),
      ]
      const right = (box: typeof outer) => (box?.x ?? 0) + (box?.width ?? 0)
      expect([name, right(inner) > 0, right(inner) <= right(outer)]).toEqual([name, true, true])
    }
    await within('Chunks')
    await tab(/^Search/).click()
    await dialog.getByRole('textbox', { name: 'Query' }).fill('gate')
    await dialog.getByRole('button', { name: 'Search', exact: true }).click()
    await dialog
      .getByText(/close the gate/)
      .first()
      .waitFor()
    await within('Results')
    await tab(/^RAG/).click()
    await dialog.getByRole('textbox', { name: 'Query' }).fill('When is the gate closed?')
    await dialog.getByRole('button', { name: 'Generate' }).click()
    await dialog.getByRole('table', { name: 'Sources' }).waitFor()
    await within('Stages')
    await tab(/^Vector DB/).click()
    await dialog.getByText('Documents', { exact: true }).first().waitFor()
    const box = await dialog.boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.width ?? width + 1) <= width).toBe(true)
    const objects = await dialog.getByRole('list', { name: 'Objects' }).boundingBox()
    expect((objects?.x ?? width) + (objects?.width ?? 0)).toBeLessThanOrEqual(
      (box?.x ?? 0) + (box?.width ?? 0),
    )
    await page.context().close()
  }
  expect(journey.errors).toEqual([])
})
