import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { takeShots } from '../support/take-shots.ts'

const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) =>
  words('en', 'admin', `classes.${key}`, values)
const label = (key: string) => words('en', 'data_classes', key)

it('limits the classes of a provider, whose reply then stops with the reason, which the choice of models shows too', async () => {
  const token = await journey.signUp('ada')
  const page = await journey.open('/admin?page=classes', { token, width: 1280, height: 900 })
  await page.getByText('Strictly confidential').first().waitFor(WAIT)
  await page.getByRole('textbox', { name: say('new_name') }).fill('Sealed')
  await page.getByRole('button', { name: say('add'), exact: true }).click()
  await page.getByText('Sealed', { exact: true }).waitFor(WAIT)
  await page.getByRole('button', { name: say('up', { name: 'Sealed' }) }).click()
  await page.getByRole('combobox', { name: say('receives', { name: 'house' }) }).selectOption('only')
  const list = page.getByRole('group', { name: say('receives', { name: 'house' }) })
  await list.getByRole('checkbox', { name: 'Confidential', exact: true }).uncheck()
  await list.getByRole('checkbox', { name: 'Strictly confidential' }).uncheck()
  await page.getByText(say('default'), { exact: true }).waitFor(WAIT)
  await takeShots(page, 'classes')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])

  const ada = accountAt(journey.url, token, 'ada')
  const form = new FormData()
  form.set('file', new Blob(['The harbour master earns 91 417 euros.']), 'salaries.txt')
  const uploaded = await fetch(`${journey.url}/api/v1/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { id } = (await uploaded.json()) as { id: string }
  await page.goto(`${journey.url}/documents/preview/${id}`)
  await page.getByRole('button', { name: label('label') }).click()
  const stored = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/class'),
  )
  await page.getByRole('combobox', { name: label('label') }).selectOption({ label: 'Confidential' })
  expect((await stored).status()).toBe(200)
  await takeShots(page, 'document')
  await page.goto(`${journey.url}/documents`)
  await page.getByText('salaries.txt').first().waitFor(WAIT)
  await page
    .getByText(words('en', 'documents', 'status.completed'))
    .first()
    .waitFor(WAIT)
  await takeShots(page, 'library')

  const session = await ada.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })
  await ada.call('POST', `/sessions/${session.id}/documents/${id}`)
  await page.goto(`${journey.url}/chat/${session.id}`)
  await page.getByRole('textbox').first().fill('What does the harbour master earn?')
  await page.keyboard.press('Enter')
  await page
    .getByText('has the class “Confidential”, which house may not receive', { exact: false })
    .first()
    .waitFor(WAIT)
  expect(JSON.stringify(journey.model.requests)).not.toContain('91 417')
  await takeShots(page, 'reply')
  await page.getByRole('button', { name: /large/ }).first().click()
  await page
    .getByRole('option')
    .getByText('has the class “Confidential”', { exact: false })
    .first()
    .waitFor(WAIT)
  await takeShots(page, 'models')
  expect(journey.errors).toEqual([])
})
