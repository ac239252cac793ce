// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import type { Group, GroupMember } from '#shared/identity/administration/groups.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const orsane = { id: 'c1', name: 'Orsane', people: 2, requires_second_factor: false }
const ines: ManagedUser = {
  ...{ id: 'u1', username: 'ines', full_name: 'Inès Brunet', email: 'ines@orsane.eu' },
  companies: [{ id: 'c1', name: 'Orsane', role: 'member' }],
  ...{ verified: true, is_active: true, has_second_factor: true, beta_access: false, balance: null },
  ...{ created_at: '2026-01-01T00:00:00Z', last_used_at: null },
}

/** Opens the admin area. The test server stores changes. */
async function open(path: string) {
  let now = ines
  let groups: Group[] = []
  let members: GroupMember[] = []
  const one = () => ({ ...groups[0], people: members.length })
  return renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /admin/users': () => ({ items: [now], total: 1, page: 1, has_more: false }),
        'GET /admin/users/u1': () => ({ ...now, groups: [], sign_ins: 2 }),
        'GET /admin/usage': () => ({
          ...{ sum: { amount: 1.5, tokens: 1200, calls: 3, people: 1 }, before: 0, days: [], models: [] },
          prices: { stated: 0, inside: 0 },
        }),
        'PATCH /admin/users/u1': ({ body }) => {
          const { membership } = body as { membership?: { company_id: string; role: 'member' | null } }
          const kept = now.companies.filter(({ id }) => id !== membership?.company_id)
          const changed = membership?.role
            ? [{ id: membership.company_id, name: 'Orsane', role: membership.role }]
            : []
          now = { ...now, companies: [...kept, ...changed] }
          return now
        },
        'GET /admin/companies': () => [orsane, { ...orsane, id: 'c2', name: 'Orsane UK' }],
        'POST /admin/users/u1/password-reset': () => ({ is_mailed: false }),
        'DELETE /admin/users/u1/second-factor': () => {
          now = { ...now, has_second_factor: false }
          return new Response(null, { status: 204 })
        },
        'POST /admin/users/u1/deactivate': () => {
          now = { ...now, is_active: false }
          return now
        },
        'POST /admin/users/u1/reactivate': () => {
          now = { ...now, is_active: true }
          return now
        },
        'GET /admin/groups': () => ({ items: groups.map(one), total: groups.length, has_more: false }),
        'POST /admin/groups': ({ body }) => {
          const { name } = body as { name: string }
          groups = [
            { id: 'g1', name, company: { id: 'c1', name: 'Orsane' }, people: 0, from_directory: false },
          ]
          return [201, one()]
        },
        'DELETE /admin/groups/g1': () => {
          groups = []
          return new Response(null, { status: 204 })
        },
        'GET /admin/groups/g1/people': () => ({ items: members, total: members.length, has_more: false }),
        'PUT /admin/groups/g1/people/u1': () => {
          members = [ines]
          return one()
        },
        'DELETE /admin/groups/g1/people/u1': () => {
          members = []
          return one()
        },
      },
      aUser({ role: 'super_admin' }),
    ),
  })
}
const choose = async (name: string) => {
  if (!screen.queryByRole('button', { name }))
    await user.click(await screen.findByRole('button', { name: 'Change Inès Brunet' }))
  await user.click(await screen.findByRole('button', { name }))
}
const saved = () => new Response(null, { status: 204 })
const confirm = async (title: string, name: string) =>
  user.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name }))

describe('a user in the admin area', () => {
  it('gets a password link, loses a lost second factor, and is locked out and readmitted', async () => {
    const { called } = await open('/admin?page=users')
    await choose('Send a password link')
    expect(await screen.findByText(/lies in the outbox folder/)).toBeTruthy()
    await choose('Reset the second step')
    await confirm('Take the second step of Inès Brunet?', 'Reset the second step')
    await waitFor(() => expect(screen.queryByText('Two-step sign-in is on')).toBeNull())
    expect(called('DELETE /admin/users/u1/second-factor')).toHaveLength(1)
    await choose('Deactivate')
    expect(called('POST /admin/users/u1/deactivate')).toHaveLength(0)
    await confirm('Deactivate Inès Brunet?', 'Deactivate')
    const panel = () => screen.findByRole('dialog', { name: /Inès Brunet/ })
    expect(await within(await panel()).findByText('Deactivated')).toBeTruthy()
    await choose('Let in again')
    await waitFor(async () => expect(within(await panel()).queryByText('Deactivated')).toBeNull())
  })

  it('shows usage and sign-ins, and asks before a change of weight', async () => {
    const { called } = await open('/admin?page=users&person=u1')
    expect(await screen.findByText('Signed in on 2 devices')).toBeTruthy()
    expect(await screen.findByText('$1.50')).toBeTruthy()
    const changes = () => called('PATCH /admin/users/u1').map(({ body }) => body)
    const role = await screen.findByRole('combobox', { name: 'Role in Orsane' })
    await user.selectOptions(role, 'Super admin')
    expect(changes()).toEqual([])
    await confirm('Make Inès Brunet a super admin?', 'Make super admin')
    await waitFor(() =>
      expect(changes()).toEqual([{ membership: { company_id: 'c1', role: 'super_admin' } }]),
    )
    await user.click(await screen.findByRole('button', { name: 'Take out of Orsane' }))
    expect(changes()).toHaveLength(1)
    await confirm('Remove Inès Brunet from Orsane?', 'Remove')
    await waitFor(() => expect(changes()[1]).toEqual({ membership: { company_id: 'c1', role: null } }))
    expect(await screen.findByText('In no company')).toBeTruthy()
  })

  it('is found by company, role and state', async () => {
    const { called } = await open('/admin?page=users')
    await screen.findByRole('row', { name: /Inès Brunet/ })
    await user.click(await screen.findByRole('button', { name: 'Company: All companies' }))
    await user.type(await screen.findByRole('searchbox', { name: 'Find a company' }), 'uk')
    expect(screen.queryByRole('button', { name: 'Orsane' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Orsane UK' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Company admin')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Deactivated')
    await waitFor(() =>
      expect(Object.fromEntries(called('GET /admin/users').at(-1)?.query ?? [])).toMatchObject({
        ...{ company_id: 'c2', role: 'company_admin', state: 'deactivated' },
      }),
    )
  })
})

describe('several users', () => {
  it('are topped up together by a super admin, each with the amount', async () => {
    const one = { ...ines, balance: 4.2 }
    const two = [one, { ...one, id: 'u2', username: 'hugo', full_name: 'Hugo Nguyen' }]
    const { called } = await renderApp('/admin?page=users', {
      token: 't',
      answers: aServer(
        {
          'GET /admin/users': () => ({ items: two, total: 2, page: 1, has_more: false }),
          'GET /admin/companies': () => [orsane],
          'POST /admin/users/u1/top-up': () => ({ balance: 10 }),
          'POST /admin/users/u2/top-up': () => ({ balance: 10 }),
        },
        aUser({ role: 'super_admin' }),
      ),
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select everybody on this page' }))
    await user.click(await screen.findByRole('button', { name: 'Top up' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Top up 2 people' }))
    const act = dialog.getByRole('button', { name: 'Top up 2' })
    await user.type(dialog.getByRole('textbox', { name: 'Dollars for each' }), '0')
    expect(act.hasAttribute('disabled')).toBe(true)
    await user.type(dialog.getByRole('textbox', { name: 'Dollars for each' }), '.5')
    await user.click(act)
    for (const id of ['u1', 'u2'])
      await waitFor(() => expect(called(`POST /admin/users/${id}/top-up`)[0]?.body).toEqual({ amount: 0.5 }))
  })

  it('are changed one by one, and those it fails for are named', async () => {
    const two = [
      ines,
      { ...ines, id: 'u2', username: 'hugo', full_name: 'Hugo Nguyen', email: 'hugo@orsane.eu' },
    ]
    const { called } = await renderApp('/admin?page=users', {
      token: 't',
      answers: aServer(
        {
          'GET /admin/users': () => ({ items: two, total: 2, page: 1, has_more: false }),
          'GET /admin/companies': () => [orsane],
          'POST /admin/users/u1/deactivate': () => [403, { code: 'forbidden', detail: 'Not this one.' }],
          'POST /admin/users/u2/deactivate': saved,
        },
        aUser({ role: 'super_admin' }),
      ),
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select everybody on this page' }))
    const bar = await screen.findByRole('toolbar', { name: 'Selected people' })
    expect(within(bar).getByText('2 selected')).toBeTruthy()
    await user.click(within(bar).getByRole('button', { name: 'Deactivate' }))
    expect(called('POST /admin/users/u1/deactivate')).toHaveLength(0)
    await confirm('Deactivate 2 accounts?', 'Deactivate 2')
    const failed = await screen.findByRole('dialog', { name: '1 person could not be changed' })
    expect(within(failed).getByText('Inès Brunet')).toBeTruthy()
    expect(within(failed).getByText('1 other was changed.')).toBeTruthy()
    expect(called('POST /admin/users/u2/deactivate')).toHaveLength(1)
  })

  it('of the same name stay apart in the exported file', async () => {
    const saved: Promise<string>[] = []
    URL.createObjectURL = (blob) => {
      saved.push((blob as Blob).text())
      return 'blob:1'
    }
    const other = { ...ines, id: 'u2', username: 'brunet-2', email: 'ines@lyon.test' }
    await renderApp('/admin?page=users', {
      token: 't',
      answers: aServer(
        {
          'GET /admin/users': () => ({ items: [ines, other], total: 2, page: 1, has_more: false }),
          'GET /admin/companies': () => [orsane],
        },
        aUser({ role: 'super_admin' }),
      ),
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select everybody on this page' }))
    const bar = await screen.findByRole('toolbar', { name: 'Selected people' })
    await user.click(within(bar).getByRole('button', { name: 'Export' }))
    const lines = ((await saved[0]) ?? '').trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['Inès Brunet', 'ines', 'ines@orsane.eu'],
      ['Inès Brunet', 'brunet-2', 'ines@lyon.test'],
    ])
  })

  it('are invited from a CSV file after a preview', async () => {
    const { called } = await renderApp('/admin?page=users', {
      token: 't',
      answers: aServer(
        {
          'GET /admin/users': () => ({ items: [ines], total: 1, page: 1, has_more: false }),
          'GET /admin/companies': () => [orsane, { ...orsane, id: 'c2', name: 'Orsane UK' }],
          'GET /admin/invitations': () => ({ items: [], total: 0, open: 0, page: 1, has_more: false }),
          'POST /admin/invitations': () => [201, { items: [], link: null }],
        },
        aUser({ role: 'super_admin' }),
      ),
    })
    await user.click(await screen.findByRole('button', { name: 'Import' }))
    const text =
      'Email;Company;Role\na@orsane.eu;;\nb@orsane.eu;Orsane UK;admin\nnobody;;\na@orsane.eu;;\nc@x.eu;Other;\n'
    await user.upload(await screen.findByLabelText('Choose a CSV file'), new File([text], 'people.csv'))
    expect(await screen.findByText(/2 people can be invited. 3 rows are left out./)).toBeTruthy()
    for (const problem of ['Not an address', 'Listed twice', 'Unknown company'])
      expect(screen.getByText(problem)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Invite 2 people' }))
    await waitFor(() => expect(called('POST /admin/invitations')).toHaveLength(2))
    expect(called('POST /admin/invitations').map(({ body }) => body)).toMatchObject([
      { company_id: 'c1', role: 'member', emails: ['a@orsane.eu'] },
      { company_id: 'c2', role: 'company_admin', emails: ['b@orsane.eu'] },
    ])
  })
})

describe('a group', () => {
  it('is created in a company, filled with users, and deleted after confirmation', async () => {
    const { called } = await open('/admin?page=groups')
    expect(await screen.findByText('There are no groups yet')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'New group' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name of the group' }), 'Achats')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'People of Achats' }))
    await user.type(await screen.findByRole('searchbox', { name: 'Find people of this company' }), 'ines')
    await user.click(await screen.findByRole('button', { name: 'Bring Inès Brunet in' }))
    await user.click(await screen.findByRole('button', { name: 'Take Inès Brunet out' }))
    expect(await screen.findByText('Nobody is in this group yet.')).toBeTruthy()
    expect(called('POST /admin/groups')[0]?.body).toEqual({ company_id: 'c1', name: 'Achats' })
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Delete Achats' }))
    await confirm('Delete Achats?', 'Delete the group')
    expect(await screen.findByText('There are no groups yet')).toBeTruthy()
  })
})
