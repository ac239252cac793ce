import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Account, accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { openStream } from '../support/event-stream.ts'
import { type Journey, startJourney } from '../support/journey.ts'
import { says, uses } from '../support/model-server.ts'

let journey: Journey
let account: Account
beforeAll(async () => {
  journey = await startJourney()
  // The first account is the administrator.
  account = accountAt(journey.url, await journey.signUp('ada'), 'ada')
  const models = { 'house/large': { input_price: 3_000, output_price: 15_000 } }
  const connections = await account.call<{ id: string; name: string }[]>('GET', '/model-connections')
  const house = connections.find(({ name }) => name === 'house')
  await account.call('PATCH', `/model-connections/${house?.id}`, { models })
  journey.model.always([says('Done.'), uses(1_000, 100)])
  for (let at = 0; at < 8; at++) await aReply()
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const aChat = async (of: Account) =>
  (await of.call<{ id: string }>('POST', '/sessions', { model_name: 'house/large' })).id

async function aReply(): Promise<void> {
  const stream = await openStream(`${journey.url}/api/v1/sessions/${await aChat(account)}/messages`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${account.token}` }, body: { content: 'Go' } },
  })
  await stream.ended
}

async function open(of: Account, look: Parameters<Journey['open']>[1] = {}): Promise<Page> {
  const page = await journey.open(`/chat/${await aChat(of)}`, { token: of.token, ...look })
  await page.evaluate(axeSource)
  return page
}

const replies = (page: Page, words: string) => page.getByRole('log').getByText(words)

it('asks before a costly reply, by keyboard', async () => {
  const page = await open(account)
  await page
    .getByText(/^The reply will probably cost \$4\.\d0 to \$\d+(\.\d0)? \(from 8 replies\)$/)
    .waitFor()
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('All of it')
  await composer.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'This reply may be costly' })
  await dialog.getByText(/between \$4\.\d0 and \$\d+(\.\d0)? \(from 8 replies like it\)/).waitFor()
  await dialog.getByRole('button', { name: 'Not now' }).and(page.locator(':focus')).waitFor()
  expect(await runAxe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await composer.inputValue()).toBe('All of it')
  await composer.press('Enter')
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Not now' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await replies(page, 'Done.').waitFor()
  expect(await composer.inputValue()).toBe('')
  expect(journey.errors).toEqual([])
})

it('asks on a phone, in French and in dark mode, until the person turns it off', async () => {
  // Estimates for a new user come from the replies of others.
  const lea = accountAt(journey.url, await journey.signUp('lea', 'fr'), 'lea')
  const page = await open(lea, { language: 'fr', theme: 'dark', width: 375, height: 700 })
  await page.getByText(/^Coût probable\s: de 4,\d0/).waitFor()
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('Tout')
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cette réponse peut coûter cher' })
  await dialog.getByRole('checkbox', { name: 'Ne plus demander dans cette conversation' }).check()
  expect(await runAxe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Lancer la réponse' }).click()
  await replies(page, 'Done.').waitFor()
  await composer.fill('Encore')
  await composer.press('Enter')
  await expect.poll(() => replies(page, 'Done.').count(), { timeout: 20_000 }).toBe(2)
  expect(journey.errors).toEqual([])
})
