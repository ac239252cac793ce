import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountAt } from '../support/account.ts'
import { axeSource, runAxe } from '../support/axe.ts'
import { type Journey, startJourney, words } from '../support/journey.ts'
import { takeShots } from '../support/take-shots.ts'

type Me = { id: string; company_affiliations: { company: { id: string; name: string } }[] }

const WAIT = { timeout: 30_000 }

let journey: Journey
beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey.close())

const say = (key: string, values: Record<string, string> = {}) =>
  words('en', 'admin', `hidden_controls.${key}`, values)
const common = (key: string) => words('en', 'common', key)

it('hides the schedules and the model from a group, in its open tabs too, and shows them again [GV-08]', async () => {
  const token = await journey.signUp('ada')
  const reader = await journey.signUp('ben')
  const ada = accountAt(journey.url, token, 'ada')
  const { company_affiliations } = await ada.call<Me>('GET', '/users/me')
  const company_id = company_affiliations[0]?.company.id
  const { id } = await accountAt(journey.url, reader, 'ben').call<Me>('GET', '/users/me')
  await ada.call('PATCH', `/admin/users/${id}`, { membership: { company_id, role: 'member' } })
  const group = await ada.call<{ id: string }>('POST', '/admin/groups', { company_id, name: 'Buyers' })
  await ada.call('PUT', `/admin/groups/${group.id}/people/${id}`)

  const tab = await journey.open('/chat', { token: reader, width: 1280, height: 900 })
  const schedules = tab.getByRole('link', { name: common('nav.schedules') })
  const model = tab.getByRole('button', { name: /^Model/ })
  await schedules.waitFor(WAIT)
  await model.waitFor(WAIT)

  const page = await journey.open('/admin?page=hidden_controls', { token, width: 1280, height: 900 })
  await page.getByRole('button', { name: new RegExp(`^${say('place')}`) }).click()
  await page.getByRole('button', { name: company_affiliations[0]?.company.name ?? '', exact: true }).click()
  const hide = async (control: string) => {
    const name = say(`control.${control}.name`)
    await page.getByRole('button', { name: say('change_one', { name }), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: say('choice.groups') }).click()
    await dialog.getByRole('checkbox', { name: 'Buyers' }).click()
    if (control === 'schedules') {
      await takeShots(page, 'dialog')
      await page.evaluate(axeSource)
      expect(await runAxe(page)).toEqual([])
    }
    await dialog.getByRole('button', { name: words('en', 'admin', 'administration.save') }).click()
    await dialog.waitFor({ state: 'detached', ...WAIT })
  }
  await hide('schedules')
  await hide('model_picker')
  const rows = page.getByText(say('state.groups', { names: 'Buyers' }))
  await expect.poll(() => rows.count(), WAIT).toBe(2)
  await takeShots(page, 'page')
  await page.evaluate(axeSource)
  expect(await runAxe(page)).toEqual([])

  await schedules.waitFor({ state: 'detached', ...WAIT })
  await model.waitFor({ state: 'detached', ...WAIT })
  await takeShots(tab, 'chat')
  const hidden = await journey.open('/schedules', { token: reader, width: 1280, height: 900 })
  await hidden.getByRole('heading', { name: common('closed.hidden') }).waitFor(WAIT)
  await takeShots(hidden, 'hidden')

  const nobody = { everyone: false, group_ids: [] }
  for (const control of ['schedules', 'model_picker'])
    await ada.call('PUT', `/admin/companies/${company_id}/hidden-controls/${control}`, nobody)
  await schedules.waitFor(WAIT)
  await model.waitFor(WAIT)
  expect(journey.errors).toEqual([])
})
