// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { ManagedUser } from '#shared/identity/administration/administration.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const orsane = { id: 'c1', name: 'Orsane', people: 2, requires_second_factor: false }
const uk = { id: 'c2', name: 'Orsane UK', people: 1, requires_second_factor: false }
const ines: ManagedUser = {
  ...{ id: 'u1', username: 'ines', full_name: 'Inès Brunet', email: 'ines@orsane.eu' },
  companies: [{ id: 'c1', name: 'Orsane', role: 'member' }],
  ...{ verified: false, is_active: true, has_second_factor: true, beta_access: false, balance: 4.2 },
  ...{ created_at: '2026-01-01T00:00:00Z', last_used_at: null },
}

/** Opens the admin area with a role. The test server stores changes. */
async function open(role: RoleName, { path = '/admin?page=users', total = 1 } = {}) {
  let now = ines
  const page = await renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /admin/users': ({ query }) => ({
          ...{ items: [now], total, page: Number(query.get('page') ?? 1) },
          has_more: total > 50 && query.get('page') !== '2',
        }),
        'GET /admin/users/u1': () => ({ ...now, groups: [], sign_ins: 1 }),
        'GET /admin/usage': () => ({
          ...{ sum: { amount: 0, tokens: 0, calls: 0, people: 0 }, before: 0, days: [], models: [] },
          prices: { stated: 0, inside: 0 },
        }),
        'PATCH /admin/users/u1': ({ body }) => {
          now = { ...now, ...(body as Partial<ManagedUser>) }
          return now
        },
        'GET /admin/companies': () => [orsane, uk],
        'GET /admin/companies/figures': () => ({ items: [], total: 0, has_more: false }),
        'POST /admin/users/u1/top-up': () => ({ balance: 29.2 }),
      },
      aUser({ role }),
    ),
  })
  return page
}
const row = async () => screen.findByRole('row', { name: /Inès Brunet/ })
const openPerson = async () => user.click(await screen.findByRole('button', { name: 'Change Inès Brunet' }))

describe('the admin area', () => {
  it('is at /admin for administrators only, with the developer area at /debug [RT-10, SH-30]', async () => {
    await open('super_admin')
    expect(await screen.findByRole('heading', { level: 1, name: 'Admin' })).toBeTruthy()
    leaveApp()
    const { router } = await open('super_admin', { path: '/debug' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Debug' })).toBeTruthy()
    await act(() => router.navigate({ href: '/admin?page=users' }))
    expect(await screen.findByRole('heading', { level: 2, name: 'Users' })).toBeTruthy()
    leaveApp()
    const member = await open('member')
    await waitFor(() => expect(member.called('GET /sessions').length).toBeGreaterThan(0))
    expect(member.called('GET /admin/users')).toEqual([])
  })

  it('shows company, role, balance, beta access and verification of users, and edits roles and access [SH-30]', async () => {
    const { called } = await open('super_admin')
    expect((await row()).textContent).toBe('Inès Brunetines@orsane.euOrsaneUnverifiedTwo steps$4.20Never')
    const changes = () => called('PATCH /admin/users/u1').map(({ body }) => body)
    await openPerson()
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Role in Orsane' }), 'Company admin')
    await user.click(await screen.findByRole('switch', { name: 'Beta access' }))
    expect(await within(await screen.findByRole('dialog')).findByText('Beta')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Bring into a company/ }))
    await user.click(await screen.findByRole('button', { name: 'Orsane UK' }))
    await user.click(await screen.findByRole('button', { name: 'Take out of Orsane' }))
    const sure = await screen.findByRole('dialog', { name: 'Remove Inès Brunet from Orsane?' })
    await user.click(within(sure).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(changes()).toHaveLength(4))
    expect(changes()).toEqual([
      { membership: { company_id: 'c1', role: 'company_admin' } },
      { beta_access: true },
      { membership: { company_id: 'c2', role: 'member' } },
      { membership: { company_id: 'c1', role: null } },
    ])
    await user.click(await screen.findByRole('button', { name: 'Top up the balance' }))
    const dialog = await screen.findByRole('dialog', { name: 'Balance of Inès Brunet' })
    await user.click(within(dialog).getByRole('button', { name: /^Add \$25/ }))
    await waitFor(() => expect(called('POST /admin/users/u1/top-up')[0]?.body).toEqual({ amount: 25 }))
  })

  it('limits company admins to the actions they are allowed [SH-30]', async () => {
    await open('company_admin')
    await row()
    await openPerson()
    const panel = within(await screen.findByRole('dialog', { name: /Inès Brunet/ }))
    const roles = await panel.findByRole<HTMLSelectElement>('combobox', { name: 'Role in Orsane' })
    expect([...roles.options].map(({ text }) => text)).toEqual(['Member', 'Company admin'])
    const names = panel.getAllByRole('button').map((button) => button.ariaLabel ?? button.textContent)
    expect(names).toEqual([
      ...['Close', 'Take out of Orsane', 'Add to a group'],
      ...['End all sign-ins', 'Send a password link', 'Send a verification mail'],
      ...['Reset the second step', 'Release the address', 'Deactivate'],
      'Delete the account…',
    ])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Companies' }))
    await screen.findByRole('heading', { level: 2, name: 'Companies' })
    expect(screen.queryByRole('button', { name: 'New company' })).toBeNull()
  })

  it('searches users and paginates the results', async () => {
    const { called } = await open('super_admin', { total: 70 })
    await row()
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    await screen.findByText('2 / 2')
    await user.type(screen.getByRole('searchbox'), 'brunet')
    const asked = () => called('GET /admin/users').map(({ query }) => Object.fromEntries(query))
    await waitFor(() => expect(asked().at(-1)).toEqual({ page: '1', q: 'brunet' }))
    expect(asked()).toContainEqual({ page: '2' })
  })
})

describe('the audit log on screen', () => {
  const entry = {
    ...{ id: 7, at: '2026-11-24T10:00:00Z', actor: { id: 'u1', name: 'Inès Brunet' }, did: 'role.changed' },
    ...{ subject: 'Marc Oyelaran', company: 'Orsane', address: '86.71.20.14', refused: false },
    changes: [{ what: 'role', before: 'member', after: 'company_admin' }],
    ...{ previous: '', fingerprint: '9c1f' },
  }
  const openLog = (broken_at: number | null) => {
    const asked: string[] = []
    const answers = aServer(
      {
        'GET /admin/audit': ({ query }) => {
          asked.push(query.toString())
          return {
            items: query.get('refused') ? [] : [entry],
            total: query.get('refused') ? 0 : 1,
            has_more: false,
          }
        },
        'GET /admin/audit/check': () => ({ entries: 7, broken_at }),
      },
      aUser({ role: 'super_admin' }),
    )
    return renderApp('/admin?page=audit', { token: 't', answers }).then(() => asked)
  }

  it('shows actor, action and subject of each entry, and expands to the changes', async () => {
    const asked = await openLog(null)
    const row = (await screen.findByText('Marc Oyelaran')).closest('tr') as HTMLElement
    for (const text of ['Inès Brunet', 'Changed a role', '86.71.20.14', 'Done']) within(row).getByText(text)
    await screen.findByText('Chain complete')
    await user.click(within(row).getByRole('button', { name: 'Details of entry 7' }))
    screen.getByText('role: member → company_admin')
    await user.click(screen.getByRole('checkbox', { name: 'Refused only' }))
    await screen.findByText('No entry fits')
    expect(asked.at(-1)).toBe('days=7&refused=true&page=1')
  })

  it('shows where the hash chain is broken', async () => {
    await openLog(3)
    await screen.findByText('Chain broken at entry 3')
  })
})
