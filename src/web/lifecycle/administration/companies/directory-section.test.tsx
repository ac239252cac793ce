// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Directory } from '#shared/identity/accounts/scim.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const empty: Directory = {
  ...{ url: 'https://atrium.orsane.eu/scim/v2', connected_at: null, last_used_at: null },
  ...{ people: 0, groups: 0, last_change: null, last_refusal: null },
}
const at = '2026-11-24T10:00:00.000Z'
const used: Directory = {
  ...{ ...empty, connected_at: at, last_used_at: at, people: 12, groups: 3 },
  last_change: { name: 'ines@orsane.eu', at },
  last_refusal: { detail: 'Email already registered', at },
}

function show(first: Directory) {
  let now = first
  return renderApp('/admin?page=sign_on', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/sign-on': () => ({ ways: [], rules: [] }),
        'GET /admin/sign-on/providers': () => ({
          items: [],
          certificates: [],
          address: 'https://a.eu/login/',
        }),
        'GET /admin/companies': () => [
          { id: 'c1', name: 'Orsane', people: 2, requires_second_factor: false },
        ],
        'GET /admin/companies/c1/directory': () => now,
        'GET /admin/companies/c1/domains': () => ({ items: [] }),
        'POST /admin/companies/c1/directory': () => {
          now = { ...now, connected_at: at }
          return [201, { ...now, token: 'atr_scim_abc' }]
        },
        'DELETE /admin/companies/c1/directory': () => {
          now = empty
          return null
        },
      },
      aUser({ role: 'super_admin' }),
    ),
  })
}

const press = async (name: string) => user.click(await screen.findByRole('button', { name }))

it('creates a directory token, shown once, and the address to enter', async () => {
  await show(empty)
  expect(await screen.findByText('https://atrium.orsane.eu/scim/v2')).toBeDefined()
  expect(screen.getByText('Not connected')).toBeDefined()
  await press('Make a token')
  expect(await screen.findByDisplayValue('atr_scim_abc')).toBeDefined()
  await press('I have it')
  expect(await screen.findByText('It has not called yet')).toBeDefined()
  expect(screen.queryByDisplayValue('atr_scim_abc')).toBeNull()
})

it('shows the last sync and its rejections, and revokes the token after confirmation', async () => {
  const { called } = await show(used)
  expect(await screen.findByText(/ines@orsane.eu/)).toBeDefined()
  expect(screen.getByText('Came from it: people 12, groups 3')).toBeDefined()
  expect(screen.getByText('Email already registered')).toBeDefined()
  await press('Take the token back')
  expect(called('DELETE /admin/companies/c1/directory')).toHaveLength(0)
  await user.click(
    (await screen.findAllByRole('button', { name: 'Take the token back' })).at(-1) as HTMLElement,
  )
  expect(await screen.findByText('Not connected')).toBeDefined()
})
