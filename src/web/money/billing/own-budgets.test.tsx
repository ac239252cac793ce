import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { OwnBudget } from '#shared/money/budgets/budgets.ts'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { OwnBudgets } from './own-budgets.tsx'

afterEach(leavePage)

const mine: OwnBudget = {
  ...{ id: '1', kind: 'user', period: 'month', subject_id: 'u', name: 'Inès', amount: 20, spent: 15.5 },
  ...{ until: '2026-12-01T00:00:00.000Z', is_own: false },
}
const draw = (items: OwnBudget[]) =>
  renderPage(<OwnBudgets />, {
    path: '/user/billing',
    answers: { 'GET /users/me/budgets': () => ({ items, total: items.length, has_more: false }) },
  })

it('shows the rest and end of each budget of the user and links to the key budgets [AD-07]', async () => {
  const ofKey = { ...mine, id: '2', kind: 'key' as const, name: 'ERP', amount: 5, is_own: true }
  await draw([
    mine,
    { ...ofKey, spent: 5 },
    { ...mine, id: '3', kind: 'assistant', name: 'Analyst', period: 'reply', spent: null, until: null },
  ])
  const [own, key, assistant] = await screen.findAllByRole('listitem')
  expect(own?.textContent).toMatch(/^You\$4\.50 of \$20\.00 left until .*2026/)
  expect(key?.textContent).toMatch(/^API key ERPset by youUsed up: \$5\.00, whole again on .*2026.*Change$/)
  expect(screen.getByRole('link', { name: 'Change' }).getAttribute('href')).toBe('/user/keys')
  expect(assistant?.textContent).toBe('Assistant Analyst$20.00 for each reply')
})
