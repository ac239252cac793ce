// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { CompanyDomain } from '#shared/identity/accounts/domains.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { readDomain } from './read-domain.ts'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const directory = {
  ...{ url: 'https://atrium.orsane.eu/scim/v2', connected_at: null, last_used_at: null },
  ...{ people: 0, groups: 0, last_change: null, last_refusal: null },
}
const claimed = (domain: string): CompanyDomain => ({
  ...{ domain, verified_at: null, verified_by: null },
  record: { name: `_atrium.${domain}`, value: 'atrium-verification=abc' },
})
const at = '2026-11-24T10:00:00.000Z'

async function show({ role = 'company_admin', items = [] as CompanyDomain[] } = {}) {
  const state = { items, problem: 'missing' as string | null }
  const verify = (verified_by: 'dns' | 'super_admin') => {
    state.items = state.items.map((item) => ({ ...item, verified_at: at, verified_by }))
    return state.items[0]
  }
  const { called } = await renderApp('/admin?page=sign_on', {
    token: 't',
    answers: aServer(
      {
        ...(role === 'super_admin'
          ? {
              'GET /admin/sign-on': () => ({ ways: [], rules: [] }),
              'GET /admin/sign-on/providers': () => ({ items: [], certificates: [], address: '' }),
            }
          : {}),
        'GET /admin/companies': () => [
          { id: 'c1', name: 'Orsane', people: 2, requires_second_factor: false },
        ],
        'GET /admin/companies/c1/directory': () => directory,
        'GET /admin/companies/c1/domains': () => ({ items: state.items }),
        'POST /admin/companies/c1/domains': ({ body }) => {
          const { domain } = body as { domain: string }
          if (domain === 'gmail.com') return [422, { detail: 'public', code: 'invalid' }]
          state.items = [claimed(domain)]
          return [201, claimed(domain)]
        },
        'POST /admin/companies/c1/domains/orsane.eu/check': () =>
          state.problem ? { ...state.items[0], problem: state.problem } : { ...verify('dns'), problem: null },
        'POST /admin/companies/c1/domains/orsane.eu/confirm': () => verify('super_admin'),
        'DELETE /admin/companies/c1/domains/orsane.eu': () => {
          state.items = []
          return null
        },
      },
      aUser({ role: role as 'company_admin' | 'super_admin' }),
    ),
  })
  return { called, state }
}
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))

it('adds a domain, shows its DNS record, and verifies it once the record is published', async () => {
  const { state } = await show()
  await user.type(await screen.findByLabelText('New domain'), 'Claire@ORSANE.eu{Enter}')
  expect(await screen.findByText('_atrium.orsane.eu')).toBeDefined()
  expect(screen.getByText('atrium-verification=abc')).toBeDefined()
  expect(screen.queryByText('Confirm without DNS')).toBeNull()
  await press('Check orsane.eu')
  expect(await screen.findByText('The DNS has no such record yet.')).toBeDefined()
  state.problem = null
  await press('Check orsane.eu')
  expect(await screen.findByText(/^Verified by DNS on/)).toBeDefined()
  expect(screen.queryByText('_atrium.orsane.eu')).toBeNull()
})

it('explains why a domain cannot be added', async () => {
  const { called } = await show()
  const field = await screen.findByLabelText('New domain')
  await user.type(field, 'no domain{Enter}')
  expect(await screen.findByText('Write a domain such as example.com.')).toBeDefined()
  expect(called('POST /admin/companies/c1/domains')).toHaveLength(0)
  await user.clear(field)
  await user.type(field, 'gmail.com{Enter}')
  expect(await screen.findByText('This is a public mail service: no company owns it.')).toBeDefined()
})

it('lets a super admin confirm a domain without DNS, and removes a domain after confirmation', async () => {
  const { called } = await show({ role: 'super_admin', items: [claimed('orsane.eu')] })
  const answer = async (name: string) =>
    user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
  await press('Confirm without DNS')
  await answer('Confirm without DNS')
  expect(await screen.findByText(/^Confirmed by a super admin on/)).toBeDefined()
  await press('Remove orsane.eu')
  expect(called('DELETE /admin/companies/c1/domains/orsane.eu')).toHaveLength(0)
  await answer('Remove')
  await expect.poll(() => screen.queryByText('orsane.eu')).toBeNull()
})

it('parses a domain from typed text', () => {
  expect([' Orsane.EU ', 'claire@orsane.eu', 'münchen.de'].map(readDomain)).toEqual([
    ...['orsane.eu', 'orsane.eu', 'xn--mnchen-3ya.de'],
  ])
  for (const none of ['', 'orsane', '10.0.0.1', 'https://orsane.eu', 'a b.eu', 'orsane.eu/x', 'a@'])
    expect(readDomain(none)).toBeNull()
})
