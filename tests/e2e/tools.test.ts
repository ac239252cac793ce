import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { clickThrough } from '../support/browser.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, type ModelRequest, says } from '../support/model-server.ts'
import { startWeatherServer, type WeatherServer } from '../support/weather-server.ts'

let journey: Journey
let weather: WeatherServer
let token: string
beforeAll(async () => {
  weather = await startWeatherServer()
  // These chats call the weather several times; approvals have separate tests.
  const env = { OPEN_METEO_URL: weather.url, ATRIUM_OUTWARD_CALLS: 'off' }
  journey = await startJourney({ env })
  token = await journey.signUp('ada')
})
afterEach(() => expect(journey.errors).toEqual([]))
afterAll(async () => {
  await journey.close()
  await weather.close()
})

/** A model that looks up the weather and reports it. */
const lookUp = ({ messages }: ModelRequest) =>
  messages.at(-1)?.role === 'tool' ? [says('It rains.')] : [calls('weather', { location: 'Lyon' })]

async function ask(page: Page, text: string) {
  const composer = page.locator('textarea').first()
  await composer.fill(text)
  await composer.press('Enter')
}

describe('tools', () => {
  it('show a call as a card, whose details open next to the chat [WT-01, BL-06, SH-10, SH-11, SH-12, TO-14]', async () => {
    journey.model.always(lookUp)
    const page = await journey.open('/', { token, width: 1280 })
    await ask(page, 'Weather in Lyon?')
    const transcript = page.getByRole('log')
    await transcript.getByText('45 °F').waitFor()
    await transcript.getByText('It rains.').waitFor()
    // The whole heading opens it, including its text.
    await clickThrough(transcript.getByRole('heading', { name: 'Weather' }))
    const panel = page.getByRole('complementary', { name: 'Tool details' })
    await panel.getByText('45 °F').waitFor()
    expect((await panel.boundingBox())?.width).toBe(600)
    const grip = await panel.getByRole('separator').boundingBox()
    await page.mouse.move((grip?.x ?? 0) + 4, 300)
    await page.mouse.down()
    await page.mouse.move((grip?.x ?? 0) + 104, 300)
    await page.mouse.up()
    expect((await panel.boundingBox())?.width).toBe(500)
    await panel.getByRole('tab', { name: /Events/ }).click()
    await panel.getByText('processing').first().waitFor()
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await page.getByRole('button', { name: 'Context' }).click()
    const context = page.getByRole('complementary', { name: 'Context' })
    expect((await context.boundingBox())?.width).toBe(300)
    await page.context().close()
  })

  it('show the documents of a call side by side, three per row [TO-24]', async () => {
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map((name) => uploadText(`${name}.txt`)))
    const call = calls('text_compressor', { intent: 'All dates', document_ids: ids })
    const isOfChat = ({ messages }: ModelRequest) => JSON.stringify(messages).includes('Make them short')
    journey.model.always((request) =>
      isOfChat(request) && request.messages.at(-1)?.role !== 'tool' ? [call] : [says('None.')],
    )
    const page = await journey.open('/', { token, width: 1280 })
    await ask(page, 'Make them short')
    const cards = page.getByRole('group', { name: 'Documents' }).getByRole('listitem')
    await cards.nth(3).waitFor({ state: 'attached', timeout: 60_000 })
    const row = await page.locator('.passage-strip').boundingBox()
    const boxes = await Promise.all([0, 1, 2, 3].map((at) => cards.nth(at).boundingBox()))
    const [first, , third, fourth] = boxes
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
    expect((third?.x ?? 0) + (third?.width ?? 0)).toBeCloseTo((row?.x ?? 0) + (row?.width ?? 0), 0)
    expect(first?.x).toBeCloseTo(row?.x ?? 0, 0)
    expect(fourth?.x).toBeGreaterThan((row?.x ?? 0) + (row?.width ?? 0))
    await page.context().close()
  })

  it('send a tool chosen on its page with the next message [MS-15, TO-05, RT-09]', async () => {
    journey.model.always(lookUp)
    const page = await journey.open('/', { token })
    await page.locator('textarea').first().waitFor()
    await page.getByRole('link', { name: 'Tools', exact: true }).click()
    await page.getByRole('checkbox', { name: /^Use Weather in/ }).check()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await page.getByRole('button', { name: 'Do not use Weather' }).waitFor()
    const before = journey.model.requests.length
    await ask(page, 'Lyon')
    await expect
      .poll(() => journey.model.requests[before]?.tool_choice, { timeout: 20_000 })
      .toMatchObject({ type: 'function', function: { name: 'weather' } })
    await page.context().close()
  })

  it('can be tested on their own page [SV-50, CA-01, CA-02]', async () => {
    const page = await journey.open('/tools/calculator', { token })
    await page.getByLabel('First number').fill('612400')
    await page.getByLabel('Second number').fill('0')
    await page.getByLabel('Operation').selectOption('divide')
    await page.getByText('Division by zero has no result.').waitFor()
    await page.getByLabel('Second number').fill('100')
    await page.getByRole('button', { name: 'Run' }).click()
    const form = page.getByRole('complementary', { name: 'Try it' })
    await form.getByText('6,124', { exact: true }).waitFor()
    await form.getByText('Completed', { exact: true }).waitFor()
    await page.context().close()
  })

  it('can rerun a call next to the chat, fill the window, and edit it after a failure [TO-14, SV-50]', async () => {
    journey.model.always(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [says('Nothing found.')]
        : [calls('weather', { location: 'Nowhere' })],
    )
    const page = await journey.open('/', { token, width: 1280 })
    await ask(page, 'Weather in Nowhere?')
    const card = page.getByRole('log').locator('section', { hasText: 'is not known' })
    await card.getByRole('button', { name: 'Edit' }).click()
    const panel = page.getByRole('complementary', { name: 'Tool details' })
    const place = panel.getByLabel('Location')
    await panel.locator('input:focus').waitFor()
    await place.fill('Lyon')
    await place.press('Enter')
    await panel.getByText('45 °F').waitFor()
    await panel.getByText('You ran this beside the chat. The reply stays as it is.').waitFor()
    await panel.getByRole('button', { name: 'Full screen' }).click()
    const full = page.getByRole('dialog', { name: 'Weather' })
    expect((await full.boundingBox())?.width).toBe(1280)
    await page.keyboard.press('Escape')
    await full.waitFor({ state: 'detached' })
    await panel.locator('button[aria-label="Full screen"]:focus').waitFor()
    await panel.getByRole('button', { name: 'Back to the tool in the chat' }).click()
    await panel.getByText('Error', { exact: true }).waitFor()
    await page.goto('/tools/weather')
    const rows = page.getByRole('region', { name: 'Used lately' }).getByRole('listitem')
    await rows.first().getByText('Completed').waitFor()
    await rows.nth(1).getByText('Error').waitFor()
    await rows.first().getByRole('button', { name: 'Details: Lyon' }).click()
    await page.getByRole('dialog', { name: 'Tool details' }).getByText('45 °F').waitFor()
    await page.reload()
    await page.getByRole('dialog', { name: 'Tool details' }).getByText('45 °F').waitFor()
    await page.context().close()
  })
})

async function uploadText(name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([`${name} is short.`]), name)
  const headers = { authorization: `Bearer ${token}` }
  const url = `${journey.url}/api/v1/documents/upload`
  const { id } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { id: string }
  const account = accountAt(journey.url, token)
  await expect
    .poll(async () => (await account.call<{ status: string }>('GET', `/documents/${id}`)).status, {
      timeout: 60_000,
      interval: 200,
    })
    .toBe('completed')
  return id
}
