import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { calls, says } from '../support/model-server.ts'
import { takeShots } from '../support/take-shots.ts'

const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
  journey.model.always(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return [calls('calculator', { a: 21, b: 2, operation: 'multiply' })]
    return [says(`The tool said ${last.content}.`)]
  })
})
afterAll(() => journey.close())

it('a call waits for the approver that an administrator named, who approves it in the inbox [AC-04]', async () => {
  const [admin, bob] = [await journey.signUp('ada'), await journey.signUp('bob')]
  await accountAt(journey.url, bob, 'bob').call('PUT', '/users/me/preferences', { full_name: 'Bob Noyce' })
  const settings = await journey.open('/admin?page=grants', { token: admin, width: 1280, height: 900 })
  await settings.getByRole('tab', { name: 'Approvals' }).click(WAIT)
  await settings.getByText('No tool has a named approver yet').waitFor(WAIT)
  await settings.getByRole('button', { name: 'Name an approver' }).click()
  const dialog = settings.getByRole('dialog', { name: 'Name an approver' })
  await dialog.getByLabel('Tool').selectOption('calculator')
  const approver = dialog.getByRole('group', { name: 'Approver' })
  await approver.getByRole('combobox').fill('Bob')
  await approver.getByRole('option', { name: /Bob Noyce/ }).click(WAIT)
  await takeShots(settings, 'name')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await settings.getByText('Approved by Bob Noyce within 1 day.').waitFor(WAIT)
  await takeShots(settings, 'approvals')
  await settings.evaluate(axeSource)
  expect(await runAxe(settings)).toEqual([])

  const chat = await journey.open('/', { token: admin, width: 1280, height: 900 })
  await chat.waitForURL('**/chat/*')
  const composer = chat.getByRole('textbox', { name: 'Message' })
  await composer.fill('What is 21 * 2?')
  await composer.press('Enter')
  await chat.getByText('The work waits for an approval.').waitFor(WAIT)
  await chat.getByText('Waits for the approval of Bob Noyce.').waitFor(WAIT)
  expect(await chat.getByRole('button', { name: 'Approve and run' }).count()).toBe(0)
  await takeShots(chat, 'waits')

  const inbox = await journey.open('/inbox', { token: bob, width: 1280, height: 900 })
  await inbox.getByText('For Ada Byron').waitFor(WAIT)
  expect(await inbox.getByText('tried on its page').count()).toBe(0)
  await takeShots(inbox, 'inbox')
  await inbox.evaluate(axeSource)
  expect(await runAxe(inbox)).toEqual([])
  await inbox.getByRole('button', { name: 'Approve', exact: true }).click()
  await chat.getByText('The tool said').first().waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
