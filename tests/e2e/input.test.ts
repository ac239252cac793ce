import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clickThrough } from '../support/browser.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, type ModelRequest, says } from '../support/model-server.ts'
import { startProduct } from '../support/product.ts'

/** Requests a calculation, then reports the result. */
const script = ({ messages }: ModelRequest) => {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return [calls('calculator', { a: 21, b: 2, operation: 'multiply' })]
  return [says(`The tool said ${last.content}.`)]
}

const aSum = (a: number) => [calls('calculator', { a, b: 2, operation: 'multiply' })]

let journey: Journey
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'atrium-input-'))
  journey = await startJourney({ dataDir })
  journey.model.always(script)
})
beforeEach(() => journey.fresh())
afterAll(async () => {
  await journey.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Signs up a user whose calculator asks before it runs. */
async function signUp(username: string): Promise<string> {
  const token = await journey.signUp(username)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ policy: 'ask' })
  const url = `${journey.product.url}/api/v1/tools/calculator/policy`
  const answer = await fetch(url, { method: 'PUT', headers, body })
  expect(answer.status).toBe(200)
  return token
}

const said = (page: Page, words: RegExp) => page.getByRole('log', { name: 'Messages' }).getByText(words)

async function ask(page: Page): Promise<void> {
  await page.waitForURL('**/chat/*')
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('What is 21 * 2?')
  await composer.press('Enter')
  await page.getByRole('button', { name: 'Approve and run' }).waitFor()
}

describe('input request', () => {
  it("is approved with arguments other than the model's [SV-96, CK-18, CK-19]", async () => {
    const page = await journey.open('/', { token: await signUp('ada') })
    await ask(page)
    // The form is above the composer, whose draft stays; the badge counts it.
    const composer = page.getByRole('textbox', { name: 'Message' })
    await composer.fill('And then?')
    await composer.press('Enter')
    expect(await composer.inputValue()).toBe('And then?')
    await page.getByRole('button', { name: 'Inbox, 1 request waits for you' }).waitFor()
    await page.getByRole('textbox', { name: 'Second number', exact: true }).fill('3')
    await page.getByRole('button', { name: 'Approve and run' }).click()
    await said(page, /"result":63/).waitFor()
    await page.getByText('Calculator · with changes').waitFor()
    expect(await composer.inputValue()).toBe('And then?')
    await page.reload()
    await said(page, /"result":63/).waitFor()
    await page.getByText('Calculator · with changes').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('shows one row per call that asks, each expanding to its checkpoints [CK-09]', async () => {
    journey.model.reply(...[1, 2, 3].map(aSum), [says('Three sums.')])
    const page = await journey.open('/', { token: await signUp('greta') })
    await ask(page)
    const first = page.getByRole('textbox', { name: 'First number', exact: true })
    for (const sum of [1, 2, 3]) {
      await expect.poll(() => first.inputValue(), { timeout: 20_000 }).toBe(String(sum))
      await page.getByRole('button', { name: 'Approve and run' }).click()
    }
    await said(page, /Three sums\./).waitFor()
    const answers = page.getByRole('button', { name: 'Show input' })
    await expect.poll(() => answers.count(), { timeout: 20_000 }).toBe(3)
    const lines = page.getByRole('log').getByRole('button', { name: /checkpoint/ })
    expect(await lines.allTextContents()).toEqual(['Point 1, 1 checkpoint', 'Completed, 1 checkpoint'])
    expect(await page.getByRole('button', { name: /^Return here/ }).count()).toBe(0)
    // The whole heading opens it, including its text.
    await clickThrough(page.getByRole('heading', { name: /^Approved/ }).first())
    await page.getByRole('button', { name: 'Return here: Point 2' }).waitFor()
    await page.context().close()
  })

  it('is declined, and the model receives the reason [SV-96]', async () => {
    const page = await journey.open('/', { token: await signUp('cleo') })
    await ask(page)
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('textbox', { name: /Reason/ }).fill('Use the figures of May')
    await page.getByRole('button', { name: 'Decline' }).click()
    await said(page, /The tool said .*declined this call: Use the figures of May/).waitFor()
    // The request and the call both say so; no files were provided and nothing failed.
    await page.getByText('Calculator · “Use the figures of May”').waitFor()
    expect(await page.getByText('Declined', { exact: true }).count()).toBe(2)
    expect(await page.getByText(/^(Failed|Input provided)$/).count()).toBe(0)
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('is filled in as a form, survives a reload, and can be skipped [CK-13, CK-18, SE-14]', async () => {
    const fields = [
      { name: 'sites', label: 'Sites in scope', type: 'text', required: true },
      { name: 'landlord', label: 'Use the landlord’s readings?', type: 'boolean' },
    ]
    journey.model.reply(
      [calls('ask_person', { prompt: 'Which sites?', fields, skippable: true })],
      ({ messages }) => [says(`Told ${messages.at(-1)?.content}.`)],
      [calls('ask_person', { prompt: 'Which day?', skippable: true })],
      ({ messages }) => [says(`Told ${messages.at(-1)?.content}`)],
    )
    const page = await journey.open('/', { token: await signUp('dora') })
    const composer = page.getByRole('textbox', { name: 'Message' })
    await page.waitForURL('**/chat/*')
    await composer.fill('Report')
    await composer.press('Enter')
    const sites = page.getByRole('textbox', { name: 'Sites in scope' })
    await sites.fill('Paris')
    await page.getByRole('radio', { name: 'Yes' }).check()
    await page.reload()
    await sites.waitFor()
    expect(await sites.inputValue()).toBe('Paris')
    await page.getByRole('button', { name: 'Send input' }).click()
    await said(page, /Told .*"sites":"Paris","landlord":true/).waitFor()

    await composer.fill('Book')
    await composer.press('Enter')
    await page.getByRole('button', { name: 'Skip this step' }).click()
    await said(page, /Told The person skipped this question/).waitFor()
    await page.getByText('Question skipped').waitFor()
    expect(journey.errors).toEqual([])
    await page.context().close()
  })

  it('can be answered from another browser after the server was killed, and the run continues once [CK-23, R-13, RT-31]', async () => {
    const token = await signUp('bette')
    const first = await journey.open('/', { token })
    await ask(first)
    const chat = new URL(first.url()).pathname
    await first.context().close()
    const asked = journey.model.requests.length

    await journey.product.kill()
    const again = await startProduct({ dataDir, env: journey.env })
    journey.use(again)
    const second = await journey.open('/inbox', { token })
    await second.getByText('Allow “Calculator” to multiply 21 by 2?').waitFor()
    await second.getByRole('button', { name: 'Approve', exact: true }).click()
    await second.getByText('Nothing waits for you').waitFor()
    await second.goto(chat)
    await said(second, /The tool said .*"result":42/).waitFor()
    expect(await said(second, /The tool said/).count()).toBe(1)
    expect(journey.model.requests.length - asked).toBe(1)
    expect(journey.errors).toEqual([])
    await second.context().close()
  })
})
