// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const ways = [
  {
    ...{ id: 'oidc', name: 'Orsane', available: true, missing: [], metadata: null },
    fixed_by: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    unknown_groups: [{ reason: 'too_many', people: 2, last_at: '2026-11-03T09:00:00Z' }],
    callback: 'https://atrium.orsane.eu/api/v1/login/oidc/callback',
  },
  {
    ...{ id: 'ldap', name: 'LDAP', available: false, missing: ['LDAP_URL'], fixed_by: [] },
    ...{ callback: null, metadata: null, unknown_groups: [] },
  },
]
const rules = [{ provider: 'Orsane', group: 'Buyers', company_id: 'c1', company: null, role: 'member' }]

const show = (role: 'super_admin' | 'company_admin') =>
  renderApp('/admin?page=sign_on', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/sign-on': () => ({ ways, rules }),
        'GET /admin/sign-on/providers': () => ({
          items: [],
          certificates: [],
          address: 'https://a.eu/login/',
        }),
        'GET /admin/users': () => ({ items: [], total: 0, page: 1, has_more: false }),
        'GET /admin/companies': () => [],
      },
      aUser({ role }),
    ),
  })

it('shows super admins configured services, missing settings and callback addresses', async () => {
  await show('super_admin')
  const way = (await screen.findByText('Orsane')).closest('li') as HTMLElement
  expect(within(way).getByText('On')).toBeTruthy()
  expect(within(way).getByText('https://atrium.orsane.eu/api/v1/login/oidc/callback')).toBeTruthy()
  expect(within(way).getByRole('button', { name: 'Copy the address of Orsane' })).toBeTruthy()
  expect(within(way).getByText(/^Set by OIDC_ISSUER, OIDC_CLIENT_ID in the settings/)).toBeTruthy()
  expect(screen.getByText('Still needed: LDAP_URL')).toBeTruthy()
  expect(within(way).getByText(/^2 people have more groups than Orsane sends/)).toBeTruthy()
  expect(screen.getByText('Not set up')).toBeTruthy()
  expect(screen.getByText('Buyers').parentElement?.textContent).toBe(
    'Buyers · Orsane → a company that is gone · Member',
  )
})

it('shows company admins only the directories and networks', async () => {
  const { called } = await show('company_admin')
  expect(await screen.findByRole('heading', { name: 'Directories of companies' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Networks' })).toBeTruthy()
  expect(screen.queryByText('Roles by groups')).toBeNull()
  expect(called('GET /admin/sign-on')).toHaveLength(0)
})
