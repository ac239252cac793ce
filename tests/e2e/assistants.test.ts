import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { says } from '../support/model-server.ts'

let journey: Journey
let token: string
beforeAll(async () => {
  journey = await startJourney()
  token = await journey.signUp('ada')
})
beforeEach(() => journey.fresh())
afterAll(() => journey.close())

const t = (key: string, values = {}) => words('en', 'assistant', key, values)

it('tries an unsaved assistant next to its form, survives a reload and restarts with one button [XA-02]', async () => {
  const account = accountAt(journey.url, token, 'ada')
  const { id } = await account.call<{ id: string }>('POST', '/assistants', {
    ...{ name: 'Buyer', system_prompt: 'Be brief.', status: 'published', agent_type: 'single_turn' },
    ...{ model_name: 'house/large', example_prompts: ['Who may sign?'] },
  })
  journey.model.reply([says('As a sailor: the captain.')])
  const page = await journey.open(`/assistant/${id}/edit`, { token, width: 1280 })
  await page.getByLabel(t('field.system_prompt')).fill('Speak like a sailor.')
  const beside = page.getByRole('complementary', { name: t('try.title') })
  await beside.getByText(t('try.unsaved')).waitFor()
  await beside.getByRole('button', { name: 'Who may sign?' }).click()
  await beside.getByText('As a sailor: the captain.').waitFor()
  expect(JSON.stringify(journey.model.requests.at(-1)?.messages)).toContain('Speak like a sailor.')
  await shoot(page, 'try-beside')
  await page.reload()
  await beside.getByText('As a sailor: the captain.').waitFor()
  await page.getByText('Speak like a sailor.').waitFor()
  // On a narrow screen it is a sheet over the form, with the same chat.
  await page.setViewportSize({ width: 375, height: 720 })
  await page.getByRole('button', { name: t('try.title') }).click()
  const sheet = page.getByRole('dialog', { name: t('try.title') })
  await sheet.getByText('As a sailor: the captain.').waitFor()
  await shoot(page, 'try-sheet')
  await sheet.getByRole('button', { name: t('try.restart') }).click()
  await sheet.getByText(t('try.empty')).waitFor()
  // Nothing was saved, and the history does not list the chat.
  expect((await account.call<{ system_prompt: string }>('GET', `/assistants/${id}`)).system_prompt).toBe(
    'Be brief.',
  )
  expect((await account.call<{ total: number }>('GET', '/sessions')).total).toBe(0)
  expect(journey.errors).toEqual([])
})

/** Takes a screenshot for review, if a folder for them is set. */
async function shoot(page: import('playwright-core').Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
