import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { ApiKey } from '#shared/identity/api-keys/api-keys.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { ApiKeysTab } from './api-keys.tsx'
import { daysUntil } from './key-words.ts'

const aKey = (more: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id: '11111111-1111-4111-8111-111111111111', name: 'ERP nightly', hint: 'atr_7Kq2' },
  ...{ scopes: ['chat', 'documents.read'], monthly_budget: 15, spent: 3.1 },
  ...{ created_at: '2026-09-12T08:00:00Z', expires_at: null, last_used_at: null, last_address: null },
  ...more,
})
const draw = (items: ApiKey[], more: Answers = {}) =>
  renderPage(<ApiKeysTab />, {
    path: '/user/keys',
    answers: {
      'GET /users/me/api-keys': () => ({ items, total: items.length, has_more: false }),
      'GET /users/me/programs': () => ({ items: [], total: 0, has_more: false }),
      ...more,
    },
  })

afterEach(leavePage)

it('shows the scopes, cost and expiry of an API key', async () => {
  const soon = new Date(Date.now() + 8.5 * 86_400_000).toISOString()
  await draw([
    aKey({ expires_at: soon }),
    aKey({
      id: '2',
      name: 'Old',
      expires_at: '2026-01-14T00:00:00Z',
      monthly_budget: null,
      scopes: ['usage'],
    }),
  ])
  const [first, second] = await screen.findAllByRole('listitem')
  for (const text of ['ERP nightly', 'atr_7Kq2…', 'Models', 'Read documents', '9 days left'])
    expect(within(first!).getByText(text)).toBeTruthy()
  expect(first!.textContent).toContain('$3.10 of $15.00 this month')
  expect(first!.textContent).toContain('Never used')
  expect(second!.textContent).toContain('Ended on 14 Jan 2026')
})

it('creates an API key and shows its secret once', async () => {
  const secret = 'atr_8Wc5rTn2Lx9bQv4YkZ1mJd7PfHs3'
  const { sent } = await draw([], {
    'POST /users/me/api-keys': () => ({ key: aKey(), secret }),
  })
  expect(await screen.findByText('No key yet.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
  const form = await screen.findByRole('dialog', { name: 'Create a key' })
  expect(within(form).getByText(/^In dollars. Once it is spent, new calls are refused/)).toBeTruthy()
  const submit = within(form).getByRole('button', { name: 'Create key' })
  await userEvent.click(submit)
  expect(within(form).getByText('Give the key a name.')).toBeTruthy()
  await userEvent.type(within(form).getByRole('textbox', { name: 'Name' }), 'Power BI')
  await userEvent.click(within(form).getByRole('checkbox', { name: /^Assistants/ }))
  await userEvent.type(within(form).getByRole('textbox', { name: /Budget/ }), '5')
  await userEvent.click(submit)
  const shown = await screen.findByRole('dialog', { name: 'Your key' })
  expect(within(shown).getByDisplayValue(secret)).toBeTruthy()
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ name: 'Power BI', scopes: ['chat'], days: 90, monthly_budget: 5 },
  })
  await userEvent.keyboard('{Escape}')
  expect(screen.getByDisplayValue(secret)).toBeTruthy()
  await userEvent.click(within(shown).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull())
})

it('changes the budget of an API key', async () => {
  const path = 'PATCH /users/me/api-keys/11111111-1111-4111-8111-111111111111'
  const { sent } = await draw([aKey()], { [path]: () => aKey({ monthly_budget: 20.5 }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Change the budget of ERP nightly' }))
  const dialog = within(await screen.findByRole('dialog'))
  const input = dialog.getByRole('textbox', { name: 'Budget of a month' })
  await userEvent.clear(input)
  await userEvent.type(input, '-1')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getByText(/from 0 to 100,000/)).toBeTruthy()
  await userEvent.clear(input)
  await userEvent.type(input, '20,5')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ monthly_budget: 20.5 })
})

it('revokes an API key after confirmation', async () => {
  const { sent } = await draw([aKey()], {
    'DELETE /users/me/api-keys/11111111-1111-4111-8111-111111111111': () => null,
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke ERP nightly' }))
  const question = await screen.findByRole('dialog', { name: 'Revoke ERP nightly?' })
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(question).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
})

it('reports a failed load and offers a retry', async () => {
  let isBroken = true
  await draw([], {
    'GET /users/me/api-keys': () =>
      isBroken ? [500, { code: 'broken', detail: 'x' }] : { items: [aKey()], total: 1, has_more: false },
  })
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 })
  isBroken = false
  await userEvent.click(again)
  expect(await screen.findByText('ERP nightly')).toBeTruthy()
})

it('counts a started day as a whole one', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  expect(daysUntil('2026-11-20T12:00:01Z', now)).toBe(1)
  expect(daysUntil('2026-11-20T12:00:00Z', now)).toBe(0)
  expect(daysUntil('2026-11-29T12:00:00Z', now)).toBe(9)
})
