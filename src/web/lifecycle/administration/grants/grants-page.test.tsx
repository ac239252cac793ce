// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { GrantedThing, NamedGrant } from '#shared/identity/grants/grants.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const company = {
  id: '00000000-0000-4000-8000-0000000000c1',
  name: 'Orsane',
  people: 3,
  requires_second_factor: false,
}
const legal = {
  id: '00000000-0000-4000-8000-0000000000d1',
  name: 'Legal',
  people: 2,
  company,
  from_directory: false,
}
const opus: GrantedThing = { kind: 'model', id: 'house/opus', name: 'Opus', from: 'house', grants: [] }
const named: NamedGrant = { decided_by: null, effect: 'allow', who: 'group', id: legal.id, name: 'Legal' }
const found = <Item,>(items: Item[]) => ({ items, total: items.length, has_more: false })

function open(role: 'super_admin' | 'company_admin', things: () => GrantedThing[], put: () => GrantedThing) {
  return renderApp('/admin?page=grants', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/grants': () => found(things()),
        'PUT /admin/grants': () => put(),
        'GET /admin/companies': () => [company],
        'GET /admin/groups': () => found([legal]),
        'GET /admin/users': () => ({
          ...found([{ id: 'u1', username: 'tom', full_name: 'Thomas', email: 't@example.com' }]),
          page: 1,
        }),
        'GET /admin/users/u1/grants': () => ({
          ...found([
            {
              kind: 'model',
              id: 'house/opus',
              name: 'Opus',
              may: false,
              reason: 'not_named',
              decided_by: null,
              grants: [],
            },
            {
              kind: 'model',
              id: 'atrium/offline',
              name: 'Built-in model',
              may: true,
              reason: 'open',
              decided_by: null,
              grants: [],
            },
          ]),
          standing: [{ company: 'Orsane', role: 'member', groups: ['Sales'] }],
        }),
      },
      aUser({ role }),
    ),
  })
}

it('shows who may use a thing, and lets a super admin allow and refuse', async () => {
  let things = [opus]
  const page = await open(
    'super_admin',
    () => things,
    () => {
      things = [{ ...opus, grants: [named] }]
      return things[0]!
    },
  )
  expect(await screen.findByRole('row', { name: /Opus.*Everyone/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Decide who may use Opus' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Who may use Opus' }))
  await user.selectOptions(await dialog.findByLabelText('Legal'), 'May use it')
  await user.selectOptions(dialog.getByLabelText('All members'), 'May not')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('row', { name: /Opus.*Legal/ })).toBeTruthy()
  expect(screen.queryByRole('row', { name: /Opus.*Everyone/ })).toBeNull()
  expect(page.called('PUT /admin/grants')[0]?.body).toEqual({
    ...{ kind: 'model', id: 'house/opus', decided_by: null },
    ...{ allow: [{ who: 'group', id: legal.id }], refuse: [{ who: 'role', id: 'member' }] },
  })
})

it('limits a company admin to their own company, and lets them refuse all of it', async () => {
  const page = await open(
    'company_admin',
    () => [opus],
    () => opus,
  )
  await user.click(await screen.findByRole('button', { name: 'Decide who may use Opus' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByLabelText('Legal')
  expect(dialog.getByLabelText('Decided for')).toHaveProperty('value', company.id)
  expect(dialog.queryByRole('option', { name: 'The whole server' })).toBeNull()
  await user.click(dialog.getByRole('checkbox', { name: 'Closed to everyone who is not named' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(page.called('PUT /admin/grants')[0]?.body).toMatchObject({
    ...{ decided_by: company.id, allow: [{ who: 'nobody', id: '' }], refuse: [] },
  })
})

it('shows what one user may use, and the deciding grant', async () => {
  await open(
    'super_admin',
    () => [opus],
    () => opus,
  )
  await user.type(await screen.findByRole('searchbox', { name: 'See as a person' }), 'Tho')
  await user.click(await screen.findByRole('button', { name: /Thomas/ }))
  const panel = within(await screen.findByRole('complementary', { name: 'See as a person' }))
  expect(await panel.findByText('Orsane, Member, Sales')).toBeTruthy()
  expect((await panel.findByText('May not use 1')).closest('section')?.textContent).toContain(
    'Opusothers are named',
  )
  expect(panel.getByText('May use 1').closest('section')?.textContent).toContain('Built-in modeleveryone')
})

it("shows the built-in model's name in the reader's language", async () => {
  const builtIn: GrantedThing = {
    ...{ kind: 'model', id: 'atrium/offline', name: 'Built-in model', from: null, grants: [] },
  }
  await open(
    'super_admin',
    () => [builtIn],
    () => builtIn,
  )
  await screen.findByRole('rowheader', { name: /Built-in model/ })
  await i18next.changeLanguage('fr')
  await screen.findByRole('rowheader', { name: /Modèle intégré/ })
  expect(screen.queryByText('Built-in model')).toBeNull()
})
