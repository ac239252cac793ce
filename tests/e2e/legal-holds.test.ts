import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'

const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{{${name}}}`, value),
    words('en', 'admin', `holds.${key}`),
  )

it('places a legal hold, tells who deletes, and lifts it', async () => {
  const token = await journey.signUp('ada')
  const account = accountAt(journey.url, token, 'ada')
  const project = await account.call<{ id: string }>('POST', '/workspaces', { name: 'Kessler claim' })
  const page = await journey.open('/admin?page=retention', { token, width: 1280, height: 900 })
  await page.getByRole('button', { name: say('new') }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: say('kind') }).selectOption('project')
  await form.getByRole('searchbox').fill('kessler')
  await form.getByRole('combobox', { name: say('subject.project') }).selectOption(project.id, WAIT)
  await form.getByRole('button', { name: say('place'), exact: true }).click()
  await form.getByText(say('no_reason')).waitFor()
  await page.waitForTimeout(500)
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])
  const shots = process.env.SHOTS
  if (shots) await page.screenshot({ path: `${shots}-form.png` })
  await form.getByRole('textbox', { name: say('reason') }).fill('Claim 2026 against Kessler')
  await form.getByRole('button', { name: say('place'), exact: true }).click()
  await page.getByText('Claim 2026 against Kessler').waitFor(WAIT)
  if (shots)
    for (const [scheme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 900 })
      await page.getByText(say('title')).scrollIntoViewIfNeeded()
      await page.screenshot({ path: `${shots}-${scheme}-${width}.png` })
    }
  const refused = await fetch(`${journey.url}/api/v1/workspaces/${project.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'held' }])
  await page.getByRole('button', { name: say('lift_name', { name: 'Kessler claim' }) }).click()
  const lifting = page.getByRole('dialog')
  await lifting.getByRole('textbox').fill('The claim is settled')
  await lifting.getByRole('button', { name: say('lift'), exact: true }).click()
  await page.getByText('The claim is settled').waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
