// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { GrantedThing, NamedGrant } from '#shared/identity/grants/grants.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { aTool } from '#tests/web/tool-builder.ts'

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

it('names who approves the calls of a tool, with a deputy and a deadline [AC-04]', async () => {
  const path = `/admin/companies/${company.id}/tool-approvals`
  const ines = { kind: 'person', id: '00000000-0000-4000-8000-0000000000e1', name: 'Inès Roche' }
  let items: object[] = []
  const page = await renderApp('/admin?page=grants', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/grants': () => found([opus]),
        'GET /admin/companies': () => [company],
        'GET /admin/users': () => ({ ...found([]), page: 1 }),
        'GET /share-recipients': () => ({
          items: [
            { who: 'person', id: ines.id, name: ines.name, detail: 'ines@example.com' },
            { who: 'group', id: legal.id, name: 'Legal', detail: 'Orsane' },
          ],
          has_more: false,
        }),
        'GET /tools': () => [aTool({ id: 'calculator', ui_name: 'Calculator' })],
        [`GET ${path}`]: () => ({ items }),
        [`PUT ${path}/calculator`]: () => {
          items = [
            {
              ...{ tool_id: 'calculator', tool_name: 'Calculator', approver: ines },
              ...{ deputy: { kind: 'group', id: legal.id, name: 'Legal' }, deputy_minutes: 60 },
              deadline_minutes: 1440,
            },
          ]
          return items[0]
        },
        [`DELETE ${path}/calculator`]: () => {
          items = []
          return null
        },
      },
      aUser({ role: 'company_admin' }),
    ),
  })
  await user.click(await screen.findByRole('tab', { name: 'Approvals' }))
  await user.click(await screen.findByRole('button', { name: 'Name an approver' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Name an approver' }))
  await user.selectOptions(dialog.getByLabelText('Tool'), 'calculator')
  const choose = async (group: string, name: string) => {
    const field = within(dialog.getByRole('group', { name: group }))
    await user.type(field.getByRole('combobox'), name)
    await user.click(await field.findByRole('option', { name: new RegExp(name) }))
  }
  await choose('Approver', 'Inès')
  await choose('Deputy (optional)', 'Legal')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(
    await screen.findByText('Approved by Inès Roche within 1 day. After 1 hour, Legal can too.'),
  ).toBeTruthy()
  expect(page.called(`PUT ${path}/calculator`)[0]?.body).toEqual({
    ...{ approver: { kind: 'person', id: ines.id }, deputy: { kind: 'group', id: legal.id } },
    ...{ deputy_minutes: 60, deadline_minutes: 1440 },
  })
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  const question = within(await screen.findByRole('dialog'))
  await user.click(question.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('No tool has a named approver yet')).toBeTruthy()
})
