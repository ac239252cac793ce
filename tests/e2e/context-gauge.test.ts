import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
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

const t = (key: string) => words('en', 'streaming_blocks', key)
const shown = ['instructions', 'memory', 'documents', 'history', 'summaries'] as const

/** Opens the gauge and returns the tokens of its parts, and its line about the window. */
async function readGauge(page: Page) {
  await page.getByRole('button', { name: /of the model’s window used/ }).click()
  const gauge = page.getByRole('dialog', { name: t('context.title') })
  const window = await gauge.getByText(/ of [\d,]+ tokens/).innerText(WAIT)
  // Each part is its name, perhaps with a remark, and its tokens on the next line.
  const lines = (await gauge.innerText()).split('\n').filter((line) => line.trim() !== '')
  const tokensOf = (part: string) => {
    const at = lines.findIndex((line) => line.startsWith(t(`context.parts.${part}`)))
    return at < 0 ? 0 : Number(lines[at + 1]?.replace(/\D/g, ''))
  }
  const parts = Object.fromEntries(shown.map((part) => [part, tokensOf(part)]))
  return { gauge, window, parts }
}

async function ask(page: Page, text: string, reply: string) {
  journey.model.reply([says(reply)])
  const composer = page.getByRole('textbox', { name: t('composer.label') })
  await composer.fill(text)
  await composer.press('Enter')
  await page.getByRole('log').getByText(reply).waitFor(WAIT)
}

it('shows the window and what fills it, and stores a summary in the chat immediately [SB-08]', async () => {
  const token = await journey.signUp('gus')
  const account = accountAt(journey.url, token, 'gus')
  await account.call('POST', '/facts', { text: 'My harbour is the harbour of Lyon.' })
  const form = new FormData()
  form.set('file', new Blob(['The rent of the harbour of Lyon is 1,490 euros.']), 'Harbour.md')
  const headers = { authorization: `Bearer ${token}` }
  const uploaded = await fetch(`${journey.url}/api/v1/documents/upload`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id: document } = (await uploaded.json()) as { id: string }
  await expect
    .poll(async () => (await account.call<{ status: string }>('GET', `/documents/${document}`)).status, WAIT)
    .toBe('completed')
  const { id } = await account.call<{ id: string }>('POST', '/sessions', {})
  await account.call('POST', `/sessions/${id}/documents/${document}`)
  const page = await journey.open(`/chat/${id}`, { token })
  // Long enough for a share of its own next to the tools.
  const details = 'The harbour has forty berths. '.repeat(100)
  await ask(page, `What is the rent of my harbour? ${details}`, 'It is 1,490 euros.')
  await ask(page, `How many berths has it? ${details}`, 'It has forty berths.')
  const before = await readGauge(page)
  expect(before.window).toMatch(/[\d,]+ of [\d,]+ tokens/)
  for (const part of ['instructions', 'memory', 'documents', 'history'] as const)
    expect(before.parts[part], part).toBeGreaterThan(0)
  expect(before.parts.summaries).toBe(0)
  journey.model.reply([says(`The rent is 1,490 euros. ${details}`)])
  await before.gauge.getByRole('button', { name: t('context.summarise') }).click()
  const note = page.getByRole('log').locator('details', { hasText: t('context.summarised') })
  await note.waitFor(WAIT)
  await page.keyboard.press('Escape')
  await note.locator('summary').click()
  await note.getByText('The rent is 1,490 euros.').waitFor(WAIT)
  await ask(page, 'And in May?', 'The same.')
  const prompt = JSON.stringify(journey.model.requests.at(-1)?.messages)
  expect(prompt).toContain('The rent is 1,490 euros.')
  expect(prompt).not.toContain('What is the rent of my harbour?')
  const measured = () =>
    account.call<{ use: { parts: { summaries: number } } }>('GET', `/sessions/${id}/context-use`)
  await expect.poll(async () => (await measured()).use.parts.summaries, WAIT).toBeGreaterThan(0)
  await page.reload()
  await note.waitFor(WAIT)
  expect((await readGauge(page)).parts.summaries).toBeGreaterThan(0)
  expect(journey.errors).toEqual([])
})
