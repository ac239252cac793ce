// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { StoredProvider, TestResult } from '#shared/identity/accounts/sign-on-providers.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const company = { id: '0b0f0a52-5f0f-4a39-9b0e-3f6f2f7a1c11', name: 'Orsane', people: 2 }
const orsane: StoredProvider = {
  ...{ id: 'oidc-abcdefgh', name: 'Orsane SSO', is_enabled: true, trusts_addresses: false, rules: [] },
  settings: {
    ...{ kind: 'oidc', issuer: 'https://login.orsane.eu/realms/orsane', client_id: 'atrium' },
    ...{ scopes: 'openid', groups_claim: 'realm_access.roles', asks_graph: false, signs_out: true },
  },
  ...{ secret_set_at: '2026-09-04T08:00:00Z', people: 61, people_without_other: 12, unknown_groups: [] },
  changed_at: '2026-09-04T08:00:00Z',
}
const passed: TestResult[] = [
  {
    ...{ step: 'discovery', state: 'passed', problem: null, detail: null },
    facts: [{ name: 'issuer', value: 'https://login.orsane.eu/realms/orsane' }],
  },
  {
    ...{ step: 'client', state: 'failed', problem: 'client_refused', detail: 'invalid_client', facts: [] },
  },
]

async function show(items: StoredProvider[] = [orsane]) {
  const certificate = { place: 'current', fingerprint: '8C:41', valid_until: '2036-01-01T00:00:00Z' }
  const app = await renderApp('/admin?page=sign_on', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/sign-on': () => ({ ways: [], rules: [] }),
        'GET /admin/sign-on/providers': () => ({
          ...{ items, certificates: [certificate], address: 'https://atrium.orsane.eu/api/v1/login/' },
        }),
        'PUT /admin/sign-on/providers/oidc-abcdefgh': () => orsane,
        'POST /admin/sign-on/providers/oidc-abcdefgh/test': () => ({ works: false, results: passed }),
        'DELETE /admin/sign-on/providers/oidc-abcdefgh': () => null,
        'POST /admin/sign-on/signing-key': () => ({ certificates: [] }),
        'GET /admin/users': () => ({ items: [], total: 0, page: 1, has_more: false }),
        'GET /admin/companies': () => [company],
        [`GET /admin/companies/${company.id}/directory`]: () => ({
          ...{ url: 'https://a.eu', connected_at: null, last_used_at: null, people: 0, groups: 0 },
          ...{ last_change: null, last_refusal: null },
        }),
        [`GET /admin/companies/${company.id}/domains`]: () => ({ items: [] }),
      },
      aUser({ role: 'super_admin' }),
    ),
  })
  await screen.findByText('Providers')
  return app
}
const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }))

it('lists providers and changes one without its secret', async () => {
  const { called } = await show()
  expect(await screen.findByText('Orsane SSO, OpenID Connect')).toBeTruthy()
  expect(screen.getByText('login.orsane.eu · 61 people')).toBeTruthy()
  await press('Change Orsane SSO')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/^Set on September 4, 2026|^Set on 4 September 2026/)).toBeTruthy()
  expect(
    within(dialog).getByDisplayValue('https://atrium.orsane.eu/api/v1/login/oidc-abcdefgh/callback'),
  ).toBeTruthy()
  const name = within(dialog).getByLabelText('Name on the button')
  await user.clear(name)
  await user.type(name, 'Orsane')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  const body = called('PUT /admin/sign-on/providers/oidc-abcdefgh')[0]?.body
  expect(body).toMatchObject({ name: 'Orsane', settings: orsane.settings })
  expect(body).not.toHaveProperty('secret')
})

it('shows what each step of the test received', async () => {
  const { called } = await show()
  await press('Change Orsane SSO')
  await press('Test')
  expect(await screen.findByText('The test failed')).toBeTruthy()
  expect(screen.getByText('https://login.orsane.eu/realms/orsane', { selector: 'span' })).toBeTruthy()
  expect(screen.getByText('It refuses the client ID or the secret.')).toBeTruthy()
  expect(called('PUT /admin/sign-on/providers/oidc-abcdefgh')).toHaveLength(0)
})

it('marks what is missing before anything is sent', async () => {
  const { called } = await show([])
  await press('Add a provider')
  await user.click(await screen.findByRole('menuitem', { name: 'LDAP' }))
  await press('Save')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getAllByText('This is needed.')).toHaveLength(3)
  expect(called(/PUT/ as never)).toHaveLength(0)
})

it('says how many people lose a provider before it goes', async () => {
  const { called } = await show()
  await press('Remove Orsane SSO')
  expect(
    await screen.findByText(/^61 people lose this way to sign in\. 12 of them have no other one/),
  ).toBeTruthy()
  expect(called('DELETE /admin/sign-on/providers/oidc-abcdefgh')).toHaveLength(0)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  const [asked] = called('DELETE /admin/sign-on/providers/oidc-abcdefgh')
  expect(asked?.query.get('people')).toBe('61')
})

it('sends rules with a group and a company only', async () => {
  const { called } = await show()
  await press('Change Orsane SSO')
  await press('Add a group')
  await user.type(await screen.findByLabelText('Group'), 'Buyers')
  await press('Save')
  const body = called('PUT /admin/sign-on/providers/oidc-abcdefgh')[0]?.body
  expect(body).toMatchObject({ rules: [] })
})
