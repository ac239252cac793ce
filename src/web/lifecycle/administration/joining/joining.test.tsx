// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { Invitation, SignUpRules } from '#shared/identity/accounts/joining.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const open: Invitation = {
  ...{ id: 'i1', company: { id: 'c1', name: 'Orsane' }, role: 'company_admin', email: 'sofia@orsane.eu' },
  ...{ invited_by: 'Marc', state: 'open', created_at: '2026-11-24T10:00:00Z', sent_at: null },
  expires_at: '2026-12-01T10:00:00Z',
}

async function show(
  path: string,
  { role = 'super_admin' as RoleName, rules = {} as Partial<SignUpRules> } = {},
) {
  let items = [open]
  let now: SignUpRules = {
    policy: 'open',
    domains: [],
    is_fixed: false,
    fixed_by: [],
    company: 'first',
    company_fixed_by: [],
    ...rules,
  }
  return renderApp(path, {
    token: 't',
    answers: aServer(
      {
        'GET /admin/users': () => ({ items: [], total: 0, page: 1, has_more: false }),
        'GET /admin/companies': () => [
          { id: 'c1', name: 'Orsane', people: 2, requires_second_factor: false },
        ],
        'GET /admin/invitations': () => ({
          ...{ items, total: items.length, open: items.length, page: 1, has_more: false },
        }),
        'POST /admin/invitations': ({ body }) => {
          const { emails } = body as { emails: string[] }
          const link = emails.length === 0 ? 'https://atrium.orsane.eu/login/invitation?token=abc' : null
          return [201, { items: [open], link }]
        },
        'POST /admin/invitations/i1/send': () => ({ message: '' }),
        'DELETE /admin/invitations/i1': () => {
          items = []
          return { message: '' }
        },
        'GET /admin/sign-up': () => now,
        'GET /admin/overview': () => ({ attention: [], days: [], process: null }),
        'PUT /admin/sign-up': ({ body }) => {
          now = { ...now, ...(body as SignUpRules) }
          return now
        },
      },
      aUser({ role }),
    ),
  })
}

describe('invitations', () => {
  it('are listed, resent and withdrawn', async () => {
    const { called } = await show('/admin?page=users&tab=invitations')
    const row = await screen.findByRole('row', { name: /sofia@orsane.eu/ })
    expect(row.textContent).toBe('sofia@orsane.euOrsaneCompany adminMarc1 Dec 2026OpenSend again')
    await user.click(within(row).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(called('POST /admin/invitations/i1/send')).toHaveLength(1))
    await user.click(within(row).getByRole('button', { name: /Withdraw/ }))
    expect(await screen.findByText('Nobody is invited')).toBeTruthy()
  })

  it('are mailed to all typed addresses once each is valid', async () => {
    const { called } = await show('/admin?page=users', { role: 'company_admin' })
    await user.click(await screen.findByRole('button', { name: 'Invite users' }))
    const dialog = await screen.findByRole('dialog', { name: 'Invite users' })
    const emails = within(dialog).getByLabelText('E-mails')
    await user.type(emails, 'nina@orsane.eu, achats@orsane')
    await user.click(within(dialog).getByRole('button', { name: 'Invite 2 people' }))
    expect(await within(dialog).findByText('achats@orsane is no full e-mail address.')).toBeTruthy()
    expect(within(dialog).queryByRole('option', { name: 'Super admin' })).toBeNull()
    await user.type(emails, '.eu')
    await user.selectOptions(within(dialog).getByLabelText('Role'), 'Company admin')
    await user.selectOptions(within(dialog).getByLabelText('Works for'), '14 days')
    await user.click(within(dialog).getByRole('button', { name: 'Invite 2 people' }))
    await waitFor(() => expect(called('POST /admin/invitations')).toHaveLength(1))
    expect(called('POST /admin/invitations')[0]?.body).toEqual({
      ...{ company_id: 'c1', role: 'company_admin', days: 14 },
      emails: ['nina@orsane.eu', 'achats@orsane.eu'],
    })
    expect(await screen.findByRole('row', { name: /sofia/ })).toBeTruthy()
  })

  it('can be a link that is shown once', async () => {
    await show('/admin?page=users')
    await user.click(await screen.findByRole('button', { name: 'Invite users' }))
    await user.click(await screen.findByRole('button', { name: 'By link' }))
    await user.click(screen.getByRole('button', { name: 'Make the link' }))
    const dialog = await screen.findByRole('dialog', { name: 'The link is ready' })
    expect(within(dialog).getByLabelText<HTMLInputElement>('Link').value).toContain('token=abc')
    await user.click(within(dialog).getByRole('button', { name: 'I have copied it' }))
    await user.click(screen.getByRole('button', { name: 'Invite users' }))
    expect(await screen.findByLabelText('E-mails')).toBeTruthy()
  })
})

describe('the sign-up policy', () => {
  it('is set by a super admin, with domains where required', async () => {
    const { called } = await show('/admin?page=sign_up')
    await user.click(await screen.findByRole('radio', { name: /People of these domains/ }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Name at least one domain.')).toBeTruthy()
    await user.type(screen.getByLabelText('Domains'), 'Orsane.eu{Enter}orsane.it')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(called('PUT /admin/sign-up')).toHaveLength(1))
    expect(called('PUT /admin/sign-up')[0]?.body).toEqual({
      ...{ policy: 'domain', domains: ['orsane.eu', 'orsane.it'], company: 'first' },
    })
  })

  it('offers one company for all first, and warns when anybody may join it', async () => {
    const { called } = await show('/admin?page=sign_up')
    const group = within(await screen.findByRole('group', { name: 'Company of people who sign up' }))
    const choices = group.getAllByRole<HTMLInputElement>('radio')
    expect(choices.map(({ value, checked }) => [value, checked])).toEqual([
      ['first', true],
      ['own', false],
    ])
    expect(screen.getByText(/Anybody who reaches this address can join the company/)).toBeTruthy()
    await user.click(choices[1]!)
    expect(screen.queryByText(/Anybody who reaches this address can join the company/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(called('PUT /admin/sign-up')[0]?.body).toEqual({ policy: 'open', domains: [], company: 'own' }),
    )
  })

  it('is read-only when the environment sets it [SN-10, AD-13]', async () => {
    await show('/admin?page=sign_up', {
      rules: { policy: 'closed', is_fixed: true, fixed_by: ['ATRIUM_SIGN_UP'] },
    })
    const closed = await screen.findByRole<HTMLInputElement>('radio', { name: /No public sign-up/ })
    expect(closed.checked).toBe(true)
    expect(closed.closest('fieldset')?.disabled).toBe(true)
    expect(screen.getByText(/^Set by ATRIUM_SIGN_UP in the settings of the server/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  it('is hidden from company admins', async () => {
    const { called } = await show('/admin?page=sign_up', { role: 'company_admin' })
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Sign-up' })).toBeNull()
    expect(called('GET /admin/sign-up')).toEqual([])
  })
})
