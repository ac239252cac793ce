import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

const WAIT = { timeout: 30_000 }

let journey: Journey
let receiver: ApiServer
beforeAll(async () => {
  receiver = await startApiServer()
  journey = await startJourney({ env: { ATRIUM_TOOLS_PRIVATE: receiver.url } })
})
afterAll(async () => {
  await journey.close()
  await receiver.close()
})

const say = (key: string) => words('en', 'admin', `audit.stream.${key}`)

it('connects a receiver of the audit log, tries it and shows its failures', async () => {
  const token = await journey.signUp('ada')
  const page = await journey.open('/admin?page=audit', { token, width: 1280, height: 900 })
  await page.getByRole('button', { name: say('connect'), exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: say('save'), exact: true }).click()
  await form.getByText(say('bad_address')).waitFor()
  await form.getByRole('textbox').fill(`${receiver.url}/audit`)
  await page.waitForTimeout(500)
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  await form.getByRole('button', { name: say('save'), exact: true }).click()
  await page.getByRole('dialog', { name: say('secret_title') }).waitFor()
  await page
    .getByRole('button', { name: say('secret_done'), exact: true })
    .last()
    .click()
  await expect.poll(() => receiver.asked.length, WAIT).toBeGreaterThan(0)
  await page.getByText(say('on'), { exact: true }).waitFor(WAIT)
  await page.getByRole('button', { name: say('test') }).click()
  await page.getByText(say('tested')).waitFor()
  receiver.answer({ status: 500 })
  await page.getByRole('button', { name: say('renew') }).click()
  await page
    .getByRole('button', { name: say('secret_done'), exact: true })
    .last()
    .click()
  await page.getByText(say('failing'), { exact: true }).waitFor(WAIT)
  await page.getByText('The receiver answered 500.').first().waitFor()
  const shots = process.env.SHOTS
  if (shots)
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await page.getByText(say('title')).scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${shots}-${scheme}-${width}.png`, fullPage: true })
    }
  await page.getByRole('button', { name: say('remove'), exact: true }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: say('remove'), exact: true })
    .click()
  await page.getByText(say('none')).waitFor()
})
